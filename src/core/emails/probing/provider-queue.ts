import type { MailboxQuestion } from './mailbox-question.ts';

/** The questions to one group of mail hosts: they are asked in turn, and those to the same hosts together. */
export interface ProbeLine {
  add(question: MailboxQuestion): void;
}

/**
 * While `work` is under way, the questions that arrive wait. There is no timer: those of the same turn of the event loop go together.
 *
 * `work` settles every question it is given and must not throw. `onEmpty` is called when nobody is in line any more.
 */
export function createProbeLine(
  work: (questions: readonly MailboxQuestion[]) => Promise<void>,
  onEmpty: () => void,
): ProbeLine {
  const waiting = new Map<string, MailboxQuestion[]>();
  let busy = false;

  async function drain(): Promise<void> {
    busy = true;
    await Promise.resolve();
    for (let [first] = waiting; first !== undefined; [first] = waiting) {
      const [hostNames, together] = first;
      waiting.delete(hostNames);
      await work(together);
    }
    busy = false;
    onEmpty();
  }

  return {
    add(question) {
      const together = waiting.get(question.hostNames);
      if (together === undefined) waiting.set(question.hostNames, [question]);
      else together.push(question);
      if (!busy) void drain();
    },
  };
}
