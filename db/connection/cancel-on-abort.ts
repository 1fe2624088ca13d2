import type pg from 'pg';
import { queryCancel } from '../../src/core/work/retry-policies.ts';

/**
 * Runs `work` on this connection, and cancels its statements when the signal aborts, including those that wait for a lock. What
 * `work` finished before remains.
 *
 * @throws the signal's reason when `work` fails after it aborted.
 */
export async function cancelOnAbort<T>(
  pool: pg.Pool,
  client: pg.PoolClient,
  { signal, work }: { readonly signal: AbortSignal | undefined; readonly work: () => Promise<T> },
): Promise<T> {
  if (signal === undefined) return work();
  signal.throwIfAborted();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const pid = rows[0]?.pid;
  // Awaited at the end, because the pool may be closed right after.
  let cancelling: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const cancel = () => {
    cancelling = cancelling.then(() =>
      pool.query('SELECT pg_cancel_backend($1)', [pid]).catch(() => undefined),
    );
  };
  const begin = () => {
    cancel();
    timer = setInterval(cancel, queryCancel.delayMs);
  };
  signal.addEventListener('abort', begin, { once: true });
  if (signal.aborted) begin();
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', begin);
    clearInterval(timer);
    await cancelling;
  }
}
