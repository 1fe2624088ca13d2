import type { Command } from '../command-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { runWorkers } from '../run-workers.ts';

/** Works on whatever there is until it is told to stop: dispatcher and workers in one process. */
export const work: Command<[], object> = async (context) => {
  const app = await context.app();
  const running = await runWorkers(app);
  context.output.note(
    `Working. Stop with Ctrl-C; what is under way then finishes within ${app.config.graceMs / 1000} s.`,
  );
  await untilAborted(context.signal);
  context.output.note('Stopping.');
  await running.close();
  return exitCodes.done;
};

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // Nothing else may be pending while a worker is idle; this keeps the process alive.
    const keepAlive = setInterval(() => undefined, 60_000);
    const end = () => {
      clearInterval(keepAlive);
      resolve();
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
