import { sleep } from '../async/wait.ts';
import { DatabaseUnavailable } from '../errors.ts';
import { databaseOutage } from './postgres-retries.ts';
import { backoffMs } from './retry-policies.ts';

/**
 * Repeats `work` while the database is unavailable, until `signal` aborts; without a signal, it runs once. It must be safe to repeat: it may have
 * taken effect although the connection broke.
 *
 * @throws the error of the last run
 */
export async function repeatWhileAway<T>(
  work: () => Promise<T>,
  signal: AbortSignal = AbortSignal.abort(),
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || signal.aborted) throw error;
      await sleep(backoffMs(databaseOutage, failures), signal).catch(() => {
        throw error;
      });
    }
  }
}
