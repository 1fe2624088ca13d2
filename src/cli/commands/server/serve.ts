import { startApi } from '../../../api/start-api.ts';
import type { Command } from '../../context/command-context.ts';
import { showDrain } from '../../process/drain.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { startText } from './start-text.ts';
import { untilAborted } from '../../process/until-aborted.ts';

/** Starts the API only; other processes run the lookups. */
export const serve: Command<[], object> = async (context) => {
  const { output, signal } = context;
  const app = await context.app();
  await app.sources.registry.prepare();
  const api = await startApi(app);
  output.note(
    startText([
      ['Console', api.url],
      ['API docs', `${api.url}/docs`],
    ]),
  );
  await untilAborted(signal);
  output.note('Stopping.');
  await showDrain(context, app, () => api.close());
  return exitCodes.done;
};
