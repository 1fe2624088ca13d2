import { startWorkers } from '../../../workers/start-workers.ts';
import type { App } from '../../app/app.ts';
import { createClosers } from '../../closers.ts';
import { boundHeap } from './bound-heap.ts';

/**
 * Starts a dispatcher, the workers, the landings and the delivery of events in this process; `close` stops them gracefully. Landings stop
 * after the work that finishes batches, and delivery stops last, because all others emit events until they have stopped.
 */
export async function runWorkers(app: App): Promise<{ close: () => Promise<void> }> {
  boundHeap();
  const closers = createClosers();
  const { connection } = await app.work.queue();
  closers.add(app.events.startDelivering(), (deliverer) => deliverer.close(app.config.graceMs));
  closers.add(app.destinations.startLanding(), (landings) => landings.close(app.config.graceMs));
  closers.add(await app.work.startDispatcher(), (dispatcher) => dispatcher.close());
  closers.add(
    await startWorkers({
      connection,
      chunkWork: app.work.chunkWork,
      recheckWork: app.work.recheckWork,
      tick: app.schedules.fire,
      pollInbox: app.inboxes.poll,
      graceMs: app.config.graceMs,
      onError: (error) => app.log.warn({ err: error }, 'job failed; will retry'),
    }),
    (workers) => workers.close(),
  );
  const startedAtMs = performance.now();
  app.log.info({ queue: connection.kind, concurrency: app.config.concurrency }, 'Workers started');
  return {
    close: async () => {
      await closers.close();
      app.log.info({ durationMs: Math.round(performance.now() - startedAtMs) }, 'Workers stopped');
    },
  };
}
