import { createClosers, type Closers } from '../../src/closers.ts';
import { say } from './say.ts';

/**
 * Runs `work` and then closes what it opened, newest first: also after a failure, and on Ctrl-C or SIGTERM, which end the process
 * with 130. Nothing of a benchmark outlives it.
 */
export async function withClosers<T>(work: (closers: Closers) => Promise<T>): Promise<T> {
  const closers = createClosers();
  const interrupted = new AbortController();
  const stop = () => {
    interrupted.abort();
    void endInterrupted(closers);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    return await work(closers);
  } catch (error) {
    // Errors during an interrupt are irrelevant, because the process is about to end.
    if (interrupted.signal.aborted) return await new Promise<never>(() => undefined);
    throw error;
  } finally {
    if (!interrupted.signal.aborted) await closers.close();
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

async function endInterrupted(closers: Closers): Promise<void> {
  say('\nInterrupted: stopping the server and removing its data …');
  await closers.close().catch((error: unknown) => say(String(error)));
  process.exit(130);
}
