import { createCoalescer } from '../coalesce.ts';
import { settleAll } from '../under-way.ts';
import { catchAllExpiry, mailboxExpiry } from './mailbox-lifetime.ts';
import type { MailboxProbe, ProbeAddress, ProbeBatch, ProbeGate } from './mailbox-probe.ts';
import { unprobed, type MailboxQuestion } from './mailbox-question.ts';
import type { KeptMailbox, MailboxStore } from './mailbox-store.ts';
import type { CatchAll, MailboxEvidence } from './mailbox.ts';

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
  const keep = createCoalescer<KeptMailbox, true>(storeBatchMax, async (found) => {
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
    const states = new Map(await store.readCatchAlls(domains, hostNames));
    const batch = { group, hosts, domains: toDomains(questions, states, byAddress) };
    const settled: Promise<void>[] = [];
    const postponed = await probe.probe(
      batch,
      (address, { domain }, evidence) => {
        const question = byAddress.get(address);
        if (question === undefined) return;
        const isNews = evidence.kind === 'probed' && evidence.catchAll !== (states.get(domain) ?? 'not_run');
        if (isNews) states.set(domain, evidence.catchAll);
        settled.push(settle(question, evidence, isNews));
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
    isNews: boolean,
  ): Promise<void> {
    try {
      if (evidence.kind === 'probed') {
        const { catchAll, checkedAt } = evidence;
        await keep({ digest: question.digest, evidence, expiresAt: mailboxExpiry(evidence) });
        if (isNews) {
          const { domain, hostNames: hosts } = question;
          await store.writeCatchAll({ domain, hosts }, catchAll, catchAllExpiry(catchAll, checkedAt));
        }
      }
      question.resolve(evidence);
    } catch (error) {
      question.reject(error);
    }
  }

  return askTogether;
}

function toDomains(
  questions: readonly MailboxQuestion[],
  states: ReadonlyMap<string, CatchAll>,
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
    catchAll: states.get(domain) ?? 'not_run',
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
    noteSenderRefusal: (group, finding) => gate.noteSenderRefusal(group, finding),
    takeRecipient: async (recipient) =>
      recipient.address !== null && questionOf(recipient.address)?.waiting === 0
        ? { kind: 'refused', reason: 'mailbox_not_probed' }
        : gate.takeRecipient(recipient),
  };
}
