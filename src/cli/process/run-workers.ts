import { startWorkers } from '../../../workers/start-workers.ts';
import type { App } from '../../app/app.ts';
import { createClosers } from '../../closers.ts';

/**
 * Starts a dispatcher, the workers and the delivery of events in this process; `close` stops them gracefully. The delivery comes last: it
 * tells of what the others finish until the end.
 */
export async function runWorkers(app: App): Promise<{ close: () => Promise<void> }> {
  const closers = createClosers();
  const { connection } = await app.work.queue();
  closers.add(app.events.startDelivering(), (deliverer) => deliverer.close(app.config.graceMs));
  closers.add(await app.work.startDispatcher(), (dispatcher) => dispatcher.close());
  closers.add(
    await startWorkers({
      connection,
      chunkWork: app.work.chunkWork,
      recheckWork: app.work.recheckWork,
      tick: app.schedules.fire,
      graceMs: app.config.graceMs,
      onError: (error) => app.log.warn({ err: error }, 'A job met an error; it will run again.'),
    }),
    (workers) => workers.close(),
  );
  return closers;
}
