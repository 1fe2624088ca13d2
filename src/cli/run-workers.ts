import { startWorkers } from '../../workers/start-workers.ts';
import type { App } from '../app.ts';
import { createClosers } from '../closers.ts';

/** Starts a dispatcher and the workers in this process; `close` stops them gracefully. */
export async function runWorkers(app: App): Promise<{ close: () => Promise<void> }> {
  const closers = createClosers();
  const { connection } = await app.queue();
  closers.add(await app.startDispatcher(), (dispatcher) => dispatcher.close());
  closers.add(
    await startWorkers({
      connection,
      chunkWork: app.chunkWork,
      recheckWork: app.recheckWork,
      tick: app.tick,
      graceMs: app.config.graceMs,
      onError: (error) => app.log.warn({ err: error }, 'A job met an error; it will run again.'),
    }),
    (workers) => workers.close(),
  );
  return closers;
}
