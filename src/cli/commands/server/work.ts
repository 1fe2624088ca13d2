import type { App } from '../../../app/app.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { showDrain } from '../../process/drain.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { runWorkers } from '../../process/run-workers.ts';
import { untilAborted } from '../../process/until-aborted.ts';

/** Starts the dispatcher and the workers in one process, and runs until it is stopped. */
export const work: Command<[], object> = async (context) => {
  const app = await context.app();
  await app.sources.registry.prepare();
  await serveOperations(context, app);
  const running = await runWorkers(app);
  context.output.note(
    `Workers are running. Press Ctrl-C to stop; running work finishes within ${app.config.graceMs / 1000} s.`,
  );
  await untilAborted(context.signal);
  context.output.note('Stopping.');
  await showDrain(context, app, () => running.close());
  return exitCodes.done;
};

/** Time for open requests to finish when all work has ended. */
const lastRequestsMs = 1000;

/** Serves probes and metrics on the metrics port, if one is set. The server stops last, so that monitoring sees the shutdown. */
async function serveOperations({ output, signal, onEnd }: CommandContext, app: App): Promise<void> {
  const { metricsPort } = app.config;
  if (metricsPort === null) return;
  // Loaded only when needed: it is a tenth of the code that a worker loads at its start.
  const { startOperations } = await import('../../../api/operations/start-operations.ts');
  const server = await startOperations(app, { port: metricsPort, stopping: signal });
  onEnd(() => server.close(lastRequestsMs));
  output.note(`Serving /livez, /readyz and /metrics on ${server.url}.`);
}
