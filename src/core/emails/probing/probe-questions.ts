import { createBatcher } from '../../async/batcher.ts';
import { settleAll } from '../../async/under-way.ts';
import { catchAllExpiry, controlExpiry, mailboxExpiry } from './mailbox-lifetime.ts';
import type { MailboxProbe, ProbeAddress, ProbeBatch, ProbeGate } from './mailbox-probe.ts';
import { unprobed, type MailboxQuestion } from './mailbox-question.ts';
import type { KeptMailbox, KnownControl, MailboxStore } from './mailbox-store.ts';
import type { MailboxEvidence } from './mailbox.ts';

export interface QuestionProbeOptions {
  /** Makes the probe that asks mail servers, under this gate. */
  readonly openProbe: (gate: ProbeGate) => MailboxProbe;
  readonly gate: ProbeGate;
  readonly store: MailboxStore;
  /** Aborts when the process ends: sessions are cut. */
  readonly signal: AbortSignal;
}

/** Asks questions to the same hosts, which belong to a group, and settles them all. Does not throw. */
export type QuestionProbe = (group: string, questions: readonly MailboxQuestion[]) => Promise<void>;

/** The most answers that are kept in one trip to the store. */
const storeBatchMax = 500;

/** Every answer is kept before whoever waits hears of it: a process that dies afterwards asks nobody again. */
export function createQuestionProbe({ openProbe, gate, store, signal }: QuestionProbeOptions): QuestionProbe {
  const byAddress = new WeakMap<ProbeAddress, MailboxQuestion>();
  const probe = openProbe(forThoseWhoWait(gate, (address) => byAddress.get(address)));
  const keep = createBatcher<KeptMailbox, true>(storeBatchMax, async (found) => {
    await store.writeMailboxes(found);
    return found.map(() => true as const);
  });

  async function askTogether(group: string, questions: readonly MailboxQuestion[]): Promise<void> {
    try {
      await run(group, questions);
    } catch (error) {
      for (const question of questions) question.reject(error);
    }
  }

  async function run(group: string, questions: readonly MailboxQuestion[]): Promise<void> {
    const [first] = questions;
    if (first === undefined) return;
    signal.throwIfAborted();
    const { hosts, hostNames } = first;
    const domains = [...new Set(questions.map(({ domain }) => domain))];
    const states = new Map(await store.readDomains(domains, hostNames));
    const batch = { group, hosts, domains: toDomains(questions, states, byAddress) };
    const settled: Promise<void>[] = [];
    const postponed = await probe.probe(
      batch,
      (address, { domain, catchAll, control }, evidence) => {
        const question = byAddress.get(address);
        if (question === undefined) return;
        const before = states.get(domain) ?? nothingKnown;
        states.set(domain, { catchAll, control });
        settled.push(settle(question, evidence, newsOf(before, { catchAll, control })));
      },
      signal,
    );
    for (const address of postponed?.domains.flatMap(({ addresses }) => addresses) ?? []) {
      const retryAt = new Date(postponed?.untilMs ?? 0);
      byAddress.get(address)?.resolve(unprobed('probe_budget_exhausted', retryAt));
    }
    await settleAll(settled);
  }

  async function settle(
    question: MailboxQuestion,
    evidence: MailboxEvidence,
    news: Partial<KnownControl>,
  ): Promise<void> {
    try {
      if (evidence.kind === 'probed') {
        await keep({ digest: question.digest, evidence, expiresAt: mailboxExpiry(evidence) });
        await keepNews(question, news, evidence.checkedAt);
      }
      question.resolve(evidence);
    } catch (error) {
      question.reject(error);
    }
  }

  async function keepNews(
    { domain, hostNames: hosts }: MailboxQuestion,
    { catchAll, control }: Partial<KnownControl>,
    checkedAt: Date,
  ): Promise<void> {
    if (catchAll !== undefined)
      await store.writeCatchAll({ domain, hosts }, catchAll, catchAllExpiry(catchAll, checkedAt));
    if (control === undefined) return;
    const open = control === null ? null : { localPart: control, expiresAt: controlExpiry(checkedAt) };
    await store.writeControl({ domain, hosts }, open);
  }

  return askTogether;
}

const nothingKnown: KnownControl = { catchAll: 'not_run', control: null };

/** Fields that are known now and were not before. */
function newsOf(before: KnownControl, { catchAll, control }: KnownControl): Partial<KnownControl> {
  return {
    ...(catchAll === before.catchAll ? {} : { catchAll }),
    ...(control === before.control ? {} : { control }),
  };
}

function toDomains(
  questions: readonly MailboxQuestion[],
  states: ReadonlyMap<string, KnownControl>,
  byAddress: WeakMap<ProbeAddress, MailboxQuestion>,
): ProbeBatch['domains'] {
  const addresses = new Map<string, ProbeAddress[]>();
  for (const question of questions) {
    const { domain, localPart, digest, attempts } = question;
    const address: ProbeAddress = { localPart, digest, attempts, isFirstContact: attempts === 0 };
    byAddress.set(address, question);
    const those = addresses.get(domain) ?? [];
    addresses.set(domain, those);
    those.push(address);
  }
  return [...addresses].map(([domain, those]) => ({
    domain,
    ...(states.get(domain) ?? nothingKnown),
    addresses: those,
  }));
}

/** Leaves alone whom nobody waits for any more: their batch was paused or cancelled, or their caller has gone. */
function forThoseWhoWait(
  gate: ProbeGate,
  questionOf: (address: ProbeAddress) => MailboxQuestion | undefined,
): ProbeGate {
  return {
    takeSession: (group) => gate.takeSession(group),
    pause: (refused) => gate.pause(refused),
    takeRecipient: async (recipient) =>
      recipient.address !== null && questionOf(recipient.address)?.waiting === 0
        ? { kind: 'refused', reason: 'mailbox_not_probed', retryAt: null }
        : gate.takeRecipient(recipient),
  };
}
