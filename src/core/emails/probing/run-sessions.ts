import { sleep } from '../../async/wait.ts';
import { isSenderRefusal } from '../replies/classify-reply.ts';
import type { SenderRefusal } from '../replies/smtp-reply.ts';
import type { NextDomain, PendingDomain, PendingMailboxes } from './pending-mailboxes.ts';
import type { Denied, ProbeLimiter } from './probe-limiter.ts';
import {
  isControlDue,
  type HostResult,
  type ProbeSession,
  type SessionOpener,
  type SessionStop,
} from './probe-session.ts';

export interface SessionRunOptions {
  readonly limiter: ProbeLimiter;
  /** Maximum wait for a permit, with a session open. Default 2 s. */
  readonly permitWaitMsMax?: number;
  readonly nowMs: () => number;
  /** Aborts when the process ends: sessions are cut. */
  readonly signal: AbortSignal;
}

/** Mailboxes of one provider, and the opener of its sessions. */
export interface SessionRun {
  readonly provider: string;
  readonly pending: PendingMailboxes;
  readonly opener: SessionOpener;
}

type Run = SessionRun & SessionRunOptions;

/** Number of broken sessions after which the rest gets the result of the host. Our choice. */
const lostSessionsMax = 3;

/**
 * Probes mailboxes at the same hosts, in one session after the other, and settles all of them.
 *
 * A session takes as many mailboxes as its limits allow, of any domain. The first rejection of the sender ends them all, or those of one
 * domain where it may be a rule of that domain: the limiter pauses the provider or the domain, and the rest is not probed.
 *
 * @throws the signal's reason when it aborts; what is settled stands
 */
export async function runSessions(mailboxes: SessionRun, options: SessionRunOptions): Promise<void> {
  const run = { ...mailboxes, ...options };
  const { provider, pending, limiter } = run;
  let lost = 0;
  while (!pending.isEmpty()) {
    const lease = await acquire(run, () => limiter.acquireSession(provider));
    if (lease.kind === 'wait') return postpone(run, lease.untilMs);
    if (lease.kind === 'refused') return pending.skipAll(lease);
    const end = await holdSession(run).finally(lease.release);
    if (end.kind === 'waiting') return postpone(run, end.untilMs);
    if (end.kind === 'lost') lost += 1;
    if (end.kind === 'closed' || (end.kind === 'lost' && lost === lostSessionsMax))
      await closeHosts(run, end.result);
  }
}

/** End of a session. */
type SessionEnd = SessionStop | Exclude<NextDomain, { readonly kind: 'domain' }>;

/** Holds one session, from the connection to its end. It connects only with a permit for the first recipient. */
async function holdSession(run: Run): Promise<SessionEnd> {
  const first = await nextPermitted(run);
  if (first.kind !== 'domain') return first;
  const session = await run.opener.open(run.signal);
  if ('result' in session) {
    run.signal.throwIfAborted();
    const { result } = session;
    if (isSenderRefusal(result.finding)) run.pending.settleByHost(first.domain, result, 0);
    return { kind: 'closed', result };
  }
  try {
    return await checkAll(run, session, first.domain);
  } finally {
    await session.close();
  }
}

/** Checks mailboxes until the session stops, beginning with the domain that has a permit. */
async function checkAll(run: Run, session: ProbeSession, first: PendingDomain): Promise<SessionEnd> {
  // The control needs room as well: it belongs to the same session as the mailbox that requires it.
  let stop = session.hasRoomFor(roomFor(first)) ? await checkNext(run, session, first) : session.end();
  while (stop === null) {
    run.signal.throwIfAborted();
    const next = run.pending.next();
    if (next.kind !== 'domain') return next;
    if (!session.hasRoomFor(roomFor(next.domain))) return session.end();
    if (await permitNext(run, next.domain)) stop = await checkNext(run, session, next.domain);
  }
  return stop;
}

/** Checks the next mailbox of a domain. Returns the reason when the session stops. */
async function checkNext(
  run: Run,
  session: ProbeSession,
  domain: PendingDomain,
): Promise<SessionStop | null> {
  const { pending, signal } = run;
  const mailbox = domain.mailboxes.at(-1)?.mailbox;
  if (mailbox === undefined) return null;
  const checked = await session.check(mailbox, domain.control, () => permitControl(run, domain));
  // A connection that the signal cut says nothing about the host.
  signal.throwIfAborted();
  const { result, control, stop } = checked;
  if (result !== null) pending.settle(domain, result, control);
  else if (stop?.kind === 'closed' && isSenderRefusal(stop.result.finding))
    pending.settleByHost(domain, stop.result, 0);
  if (stop?.kind !== 'domain_closed') return stop;
  await closeDomain(run, domain, stop.finding);
  return null;
}

/** Settles the rest with the result of the host; a rejection of the sender pauses the provider instead. */
async function closeHosts({ limiter, provider, pending }: Run, result: HostResult): Promise<void> {
  const { finding } = result;
  if (!isSenderRefusal(finding)) return pending.settleAllByHost(result);
  const retryAt = await limiter.pause({ provider, domain: null, finding });
  pending.skipAll({ reason: 'provider_paused', retryAt });
}

async function closeDomain(
  { limiter, provider, pending }: Run,
  domain: PendingDomain,
  finding: SenderRefusal,
): Promise<void> {
  const retryAt = await limiter.pause({ provider, domain: domain.domain, finding });
  while (domain.mailboxes.length > 0) pending.skip(domain, { reason: 'domain_paused', retryAt });
}

function postpone({ pending }: Run, untilMs: number): void {
  pending.skipAll({ reason: 'probe_budget_exhausted', retryAt: new Date(untilMs) });
}

/** The next domain, with a permit for its next mailbox. */
async function nextPermitted(run: Run): Promise<NextDomain> {
  for (;;) {
    run.signal.throwIfAborted();
    const next = run.pending.next();
    if (next.kind !== 'domain' || (await permitNext(run, next.domain))) return next;
  }
}

/** True when the next mailbox of a domain may be checked; if not, its domain waits or the mailbox is skipped. */
async function permitNext(run: Run, domain: PendingDomain): Promise<boolean> {
  const { limiter, provider, pending } = run;
  const next = domain.mailboxes.at(-1);
  if (next?.isWanted() !== true) {
    pending.skip(domain, { reason: 'mailbox_not_probed', retryAt: null });
    return false;
  }
  const { digest } = next.mailbox;
  const permit = await acquire(run, () =>
    limiter.acquireRecipient({ provider, domain: domain.domain, digest, room: roomFor(domain) }),
  );
  if (permit.kind === 'wait') domain.notBeforeMs = permit.untilMs;
  if (permit.kind === 'refused') pending.skip(domain, permit);
  return permit.kind === 'granted';
}

async function permitControl(run: Run, { domain }: PendingDomain): Promise<boolean> {
  const { limiter, provider } = run;
  const permit = await acquire(run, () =>
    limiter.acquireRecipient({ provider, domain, digest: null, room: 1 }),
  );
  return permit.kind === 'granted';
}

/** Number of recipients that the next check of a domain may need. */
function roomFor({ control }: PendingDomain): 1 | 2 {
  return isControlDue(control) ? 2 : 1;
}

/** Waits for a permit as long as that is short; `wait` stands for a longer time. */
async function acquire<Granted extends { readonly kind: 'granted' }>(
  { permitWaitMsMax = 2_000, nowMs, signal }: Run,
  request: () => Promise<Granted | Denied>,
): Promise<Granted | Denied> {
  const lastMs = nowMs() + permitWaitMsMax;
  for (;;) {
    signal.throwIfAborted();
    const permit = await request();
    if (permit.kind !== 'wait' || permit.untilMs > lastMs) return permit;
    await sleep(Math.max(1, permit.untilMs - nowMs()), signal);
  }
}
