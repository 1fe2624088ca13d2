import assert from 'node:assert/strict';
import type {
  MailboxProbe,
  Denied,
  PostponedAddresses,
  ProbeBatch,
  ProbeGate,
  ReportEvidence,
} from '../../core/emails/probing/mailbox-probe.ts';
import type { SenderRefusal } from '../../core/emails/replies/smtp-reply.ts';
import { isSenderRefusal } from '../../core/emails/replies/classify-reply.ts';
import { sleep } from '../../core/async/wait.ts';
import { openDeadline } from '../http/deadline.ts';
import { askAddress, isControlDue, type SessionStop } from './rcpt-check.ts';
import type { HostAnswer } from './probe-evidence.ts';
import { settleOptions, type MailboxProbeOptions, type ProbeSettings } from './probe-options.ts';
import { createSessionOpener, type ProbeSession, type SessionOpener } from './probe-session.ts';
import { createProbeWork, type DomainWork, type NextWork, type ProbeWork } from './probe-work.ts';
import { isSafeCommand } from './smtp-command.ts';

/** Sessions that break before the rest of a batch is left alone. Our choice. */
const lostSessionsMax = 3;

/**
 * Makes a probe that speaks SMTP as far as RCPT and never further: no DATA, VRFY, EXPN or AUTH.
 *
 * A session is used for as many addresses as its limits allow, of whatever domain. The first refusal of ourselves ends it all, or all of
 * one domain where it may be a rule of that alone: the gate is told, and whoever is left stays unasked until it lets somebody ask again.
 */
export function createMailboxProbe(options: MailboxProbeOptions, gate: ProbeGate): MailboxProbe {
  const settings = settleOptions(options);
  return { probe: (batch, report, signal) => runBatch({ batch, settings, gate, signal }, report) };
}

interface Run {
  readonly batch: ProbeBatch;
  readonly settings: ProbeSettings;
  readonly gate: ProbeGate;
  readonly signal: AbortSignal;
}

async function runBatch(run: Run, report: ReportEvidence): Promise<PostponedAddresses | null> {
  const { batch, settings, gate } = run;
  assertSayable(batch);
  const work = createProbeWork(batch, report, settings);
  const opener = createSessionOpener(batch.hosts, settings);
  let lost = 0;
  while (work.hasAddresses()) {
    const leave = await awaitLeave(run, () => gate.takeSession(batch.group));
    if (leave.kind === 'wait') return work.postpone(leave.untilMs);
    if (leave.kind === 'refused') {
      work.leaveUnasked(leave);
      break;
    }
    const end = await holdSession(run, work, opener).finally(leave.end);
    if (end.kind === 'waiting') return work.postpone(end.untilMs);
    if (end.kind === 'lost') lost += 1;
    if (end.kind === 'closed_to_us' || (end.kind === 'lost' && lost === lostSessionsMax))
      await closeAll(run, work, end.answer);
  }
  return null;
}

/** Asserts that every address is safe in a command: nothing else reaches a server, and an unsafe address is a mistake of the caller. */
function assertSayable({ domains }: ProbeBatch): void {
  for (const { domain, addresses } of domains) {
    for (const { localPart } of addresses) {
      assert(isSafeCommand(`${localPart}@${domain}`), 'an address of the batch is none');
    }
  }
}

/** Trouble of the host is the answer for all that are left; of a refusal of ourselves they learn that nobody asked about them. */
async function closeAll({ gate, batch }: Run, work: ProbeWork, answer: HostAnswer): Promise<void> {
  const { finding } = answer;
  if (!isSenderRefusal(finding)) {
    work.settleAll(answer);
    return;
  }
  const retryAt = await gate.pause({ group: batch.group, domain: null, finding });
  work.leaveUnasked({ reason: 'provider_paused', retryAt });
}

async function closeDomain(
  { gate, batch }: Run,
  work: ProbeWork,
  domain: DomainWork,
  finding: SenderRefusal,
) {
  const retryAt = await gate.pause({ group: batch.group, domain: domain.domain.domain, finding });
  while (domain.left.length > 0) work.leaveNextUnasked(domain, { reason: 'domain_paused', retryAt });
}

/** End of a session. */
type SessionEnd = SessionStop | Exclude<NextWork, { readonly kind: 'domain' }>;

/** One session, from the connection to its end. Nobody is connected to before there is leave to ask about somebody. */
async function holdSession(run: Run, work: ProbeWork, opener: SessionOpener): Promise<SessionEnd> {
  const first = await nextWithLeave(run, work);
  if (first.kind !== 'domain') return first;
  const deadline = openDeadline(run.signal, run.settings.sessionDeadlineMs);
  try {
    const session = await opener.open(deadline.signal);
    if ('finding' in session) {
      run.signal.throwIfAborted();
      if (isSenderRefusal(session.finding)) work.settleByHost(first.domain, session);
      return { kind: 'closed_to_us', answer: session };
    }
    try {
      return await askAll(run, work, session, first.domain);
    } finally {
      await session.close();
    }
  } finally {
    deadline.close();
  }
}

/** `first`: the domain that there is leave for. */
async function askAll(
  run: Run,
  work: ProbeWork,
  session: ProbeSession,
  first: DomainWork,
): Promise<SessionEnd> {
  let stop: SessionEnd | null = session.hasRoomFor(roomFor(first))
    ? await askNext(run, work, session, first)
    : session.end();
  while (stop === null) {
    run.signal.throwIfAborted();
    const next = work.next();
    if (next.kind !== 'domain') return next;
    const { domain } = next;
    // Room for the control as well: it belongs into the session of the address that calls for it.
    if (!session.hasRoomFor(roomFor(domain))) return session.end();
    if (await mayAskNext(run, work, domain)) stop = await askNext(run, work, session, domain);
  }
  return stop;
}

/** The domain to go on with, with leave for its next address. */
async function nextWithLeave(run: Run, work: ProbeWork): Promise<NextWork> {
  for (;;) {
    run.signal.throwIfAborted();
    const next = work.next();
    if (next.kind !== 'domain' || (await mayAskNext(run, work, next.domain))) return next;
  }
}

async function askNext(
  run: Run,
  work: ProbeWork,
  session: ProbeSession,
  domain: DomainWork,
): Promise<SessionStop | null> {
  const address = domain.left.at(-1);
  if (address === undefined) return null;
  const asked = await askAddress({
    session,
    address,
    domain: domain.domain.domain,
    known: domain,
    takeLeave: () => mayAskControl(run, domain),
    randomLocalPart: run.settings.randomLocalPart,
    now: run.settings.now,
  });
  // A connection that was cut by the caller is not the host's answer.
  run.signal.throwIfAborted();
  domain.catchAll = asked.known.catchAll;
  domain.control = asked.known.control;
  domain.isPutOff = asked.known.isPutOff;
  const { answer, stop } = asked;
  if (answer !== null) work.settle(domain, answer);
  else if (stop?.kind === 'closed_to_us' && isSenderRefusal(stop.answer.finding))
    work.settleByHost(domain, stop.answer);
  if (stop?.kind !== 'domain_closed') return stop;
  await closeDomain(run, work, domain, stop.finding);
  return null;
}

/** Decides if the next address of the domain may be asked about; if not, its domain waits or it stays unasked. */
async function mayAskNext(run: Run, work: ProbeWork, domain: DomainWork): Promise<boolean> {
  const { gate, batch } = run;
  const address = domain.left.at(-1) ?? null;
  const leave = await awaitLeave(run, () =>
    gate.takeRecipient({ group: batch.group, domain: domain.domain.domain, address, room: roomFor(domain) }),
  );
  if (leave.kind === 'wait') domain.notBeforeMs = leave.untilMs;
  if (leave.kind === 'refused') work.leaveNextUnasked(domain, leave);
  return leave.kind === 'granted';
}

/** The control follows where it is still to come. */
function roomFor(domain: DomainWork): 1 | 2 {
  return isControlDue(domain) ? 2 : 1;
}

async function mayAskControl(run: Run, { domain: { domain } }: DomainWork): Promise<boolean> {
  const { gate, batch } = run;
  const leave = await awaitLeave(run, () =>
    gate.takeRecipient({ group: batch.group, domain, address: null, room: 1 }),
  );
  return leave.kind === 'granted';
}

/** Short waits are waited for; an answer of `wait` is a long one. */
async function awaitLeave<Granted extends { readonly kind: 'granted' }>(
  { settings, signal }: Run,
  ask: () => Promise<Granted | Denied>,
): Promise<Granted | Denied> {
  const lastMs = settings.now() + settings.leaveWaitMsMax;
  for (;;) {
    signal.throwIfAborted();
    const leave = await ask();
    if (leave.kind !== 'wait' || leave.untilMs > lastMs) return leave;
    await sleep(Math.max(1, leave.untilMs - settings.now()), signal);
  }
}
