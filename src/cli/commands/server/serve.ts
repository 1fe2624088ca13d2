import { startApi } from '../../../api/start-api.ts';
import type { Command } from '../../context/command-context.ts';
import { showDrain } from '../../process/drain.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { untilAborted } from '../../process/until-aborted.ts';

/** The API alone: others work on what it takes in. */
export const serve: Command<[], object> = async (context) => {
  const { output, signal } = context;
  const app = await context.app();
  await app.sources.registry.prepare();
  const api = await startApi(app);
  output.note(
    `The API listens on ${api.url}; ${api.url}/docs describes it. The console: ${api.url}. Stop with Ctrl-C.`,
  );
  await untilAborted(signal);
  output.note('Stopping.');
  await showDrain(context, app, () => api.close());
  return exitCodes.done;
};
