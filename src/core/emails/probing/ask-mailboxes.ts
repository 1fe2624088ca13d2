import { createBatcher } from '../../async/batcher.ts';
import { registrableDomainOf } from '../../companies/domain.ts';
import { createUnderWay } from '../../async/under-way.ts';
import { raceAbort } from '../../async/race-abort.ts';
import type { EmailAddress } from '../syntax/address.ts';
import type { MailDomain, MailHost } from '../domains/mail-domain.ts';
import { mailboxExpiry } from './mailbox-lifetime.ts';
import { openQuestion, unprobed, type MailboxQuestion } from './mailbox-question.ts';
import type { MailboxEvidence, ProbedMailbox, UnprobedMailbox } from './mailbox.ts';
import type { MailLists } from '../domains/mail-lists.ts';
import { createProbeLine, type ProbeLine } from './provider-queue.ts';
import { createQuestionProbe, type QuestionProbeOptions } from './probe-questions.ts';
import type { MailboxAsker } from './mailbox-question.ts';

export interface MailboxAskerOptions extends QuestionProbeOptions {
  readonly lists: Pick<MailLists, 'mxProvider' | 'isSilentHost'>;
  /** Null when servers may be asked from here; else why not. Called for every address. */
  readonly unavailableReason: () => Promise<UnprobedMailbox | null>;
  readonly nowMs: () => number;
}

/** An asker whose sessions and answers are waited for once its signal has aborted. */
export interface ClosableMailboxAsker extends MailboxAsker {
  /** Resolves when no session is open and no answer on its way into the store. */
  settled(): Promise<void>;
}

/** The most mailboxes of one trip to the store. */
const storeBatchMax = 500;

/**
 * Asks mail servers about mailboxes, each at most once until its answer expires, however many want to know.
 *
 * Addresses whose mail goes to the same hosts share sessions, and a group of hosts is asked in one session at a time. Who would have to
 * wait longer than a moment is told when to come back.
 */
export function createMailboxAsker(options: MailboxAskerOptions): ClosableMailboxAsker {
  const { store, lists, unavailableReason, nowMs, signal: ended } = options;
  const underWay = createUnderWay();
  const open = new Map<string, MailboxQuestion>();
  const lines = new Map<string, ProbeLine>();
  const askTogether = createQuestionProbe(options);
  const recall = createBatcher<string, ProbedMailbox | null>(storeBatchMax, async (digests) => {
    const found = await store.readMailboxes(digests);
    return digests.map((digest) => found.get(digest) ?? null);
  });

  async function ask(
    address: EmailAddress,
    domain: MailDomain,
    signal: AbortSignal,
  ): Promise<MailboxEvidence> {
    const asked = openQuestion(address, domain);
    if (asked.hosts.some(({ name }) => lists.isSilentHost(name))) return unprobed('provider_not_probed');
    const hindrance = await unavailableReason();
    if (hindrance !== null) return hindrance;
    ended.throwIfAborted();
    const question = open.get(asked.digest) ?? begin(asked);
    question.waiting += 1;
    try {
      return await raceAbort(question.answer, signal);
    } finally {
      question.waiting -= 1;
    }
  }

  function begin(question: MailboxQuestion): MailboxQuestion {
    open.set(question.digest, question);
    const leave = () => void open.delete(question.digest);
    question.answer.then(leave, leave);
    underWay.add(answer(question)).catch(question.reject);
    return question;
  }

  /** From what is known, or by putting it in line. */
  async function answer(question: MailboxQuestion): Promise<void> {
    const earlier = await recall(question.digest);
    // Of a domain that has moved since, nothing is known.
    const counts = earlier !== null && question.hosts.some(({ name }) => name === earlier.host);
    if (counts && mailboxExpiry(earlier).getTime() > nowMs()) {
      question.resolve(earlier);
      return;
    }
    question.attempts = counts && earlier.retryAt !== null ? earlier.attempts : 0;
    lineOf(groupOf(question.hosts)).add(question);
  }

  function lineOf(group: string): ProbeLine {
    const line =
      lines.get(group) ??
      createProbeLine(
        (questions) => underWay.add(askTogether(group, questions)),
        () => lines.delete(group),
      );
    lines.set(group, line);
    return line;
  }

  /** Group of mail hosts that share limits: that of the provider if known, else of the owner of the host. */
  function groupOf(hosts: readonly MailHost[]): string {
    const host = hosts[0]?.name ?? '';
    return lists.mxProvider(host)?.id ?? registrableDomainOf(host) ?? host;
  }

  return { ask, settled: underWay.settled };
}
