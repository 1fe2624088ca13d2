import { StorageUnavailable } from '../../core/errors.ts';
import { withinTime, type Timed } from './time-limits.ts';

/** Operations in folders that have not returned by their deadlines, such as on a network disk that is away. */
const overdue = new Set<{ readonly root: string }>();

/**
 * Runs an operation in a folder until its deadline. While an earlier one has not returned, another one is rejected at once: each would hold one of
 * the four threads in which Node.js waits for files, and then no file, name of a host or compressed byte of the process would be read.
 *
 * @param root the folder.
 * @throws StorageUnavailable when the time is up, or an earlier operation has not returned.
 */
export async function withinFolderTime<T>(
  root: string,
  { signal, deadlineMs }: Pick<Timed, 'signal' | 'deadlineMs'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const where = `The folder ${root}`;
  if ([...overdue].some((operation) => operation.root === root))
    throw new StorageUnavailable(`${where} gives no answer.`);
  let running: Promise<unknown> | null = null;
  try {
    return await withinTime({ signal, deadlineMs, where }, async (inner) => {
      const worked = work(inner);
      running = worked;
      try {
        return await worked;
      } finally {
        running = null;
      }
    });
  } catch (error) {
    if (running !== null && !signal.aborted) noteOverdue(root, running);
    throw error;
  }
}

function noteOverdue(root: string, running: Promise<unknown>): void {
  const operation = { root };
  overdue.add(operation);
  const returned = () => void overdue.delete(operation);
  running.then(returned, returned);
}
