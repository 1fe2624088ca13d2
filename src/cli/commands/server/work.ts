import type { App } from '../../../app/app.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { showDrain } from '../../process/drain.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { runWorkers } from '../../process/run-workers.ts';
import { untilAborted } from '../../process/until-aborted.ts';

/** Works on whatever there is until it is told to stop: dispatcher and workers in one process. */
export const work: Command<[], object> = async (context) => {
  const app = await context.app();
  await app.sources.registry.prepare();
  await serveOperations(context, app);
  const running = await runWorkers(app);
  context.output.note(
    `Working. Stop with Ctrl-C; what is under way then finishes within ${app.config.graceMs / 1000} s.`,
  );
  await untilAborted(context.signal);
  context.output.note('Stopping.');
  await showDrain(context, app, () => running.close());
  return exitCodes.done;
};

/** A request that is still under way when all work has ended is not waited for longer than this. */
const lastRequestsMs = 1000;

/** On its own port where one is set; until the very end, so that whoever watches sees the stop as well. */
async function serveOperations({ output, signal, onEnd }: CommandContext, app: App): Promise<void> {
  const { metricsPort } = app.config;
  if (metricsPort === null) return;
  // Loaded where it is asked for alone: it is a tenth of what a worker has to load before it can begin.
  const { startOperations } = await import('../../../api/operations/start-operations.ts');
  const server = await startOperations(app, { port: metricsPort, stopping: signal });
  onEnd(() => server.close(lastRequestsMs));
  output.note(`Serving /livez, /readyz and /metrics on ${server.url}.`);
}
