import type { Command } from '../command-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { runWorkers } from '../run-workers.ts';
import { untilAborted } from '../until-aborted.ts';

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
