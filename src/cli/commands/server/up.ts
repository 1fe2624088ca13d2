import { startApi } from '../../../api/start-api.ts';
import type { App } from '../../../app/app.ts';
import type { Command } from '../../context/command-context.ts';
import { showDrain } from '../../process/drain.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { runWorkers } from '../../process/run-workers.ts';
import { createFirstLink, findFirstUser } from '../accounts/sign-in-link.ts';
import { untilAborted } from '../../process/until-aborted.ts';

/** Everything in one process: the API, the dispatcher and the workers. */
export const up: Command<[], object> = async (context) => {
  const app = await context.app();
  await app.sources.registry.prepare();
  const running = await runWorkers(app);
  const api = await startApi(app).catch(async (error: unknown) => {
    await running.close();
    throw error;
  });
  context.output.note(
    `Working, and the API listens on ${api.url}; ${api.url}/docs describes it. Stop with Ctrl-C; what is under way then ` +
      `finishes within ${app.config.graceMs / 1000} s.`,
  );
  context.output.note(await sayWhereToSignIn(app, api.url, context.output.isInteractive));
  await untilAborted(context.signal);
  context.output.note('Stopping.');
  // Side by side: requests under way may wait for what the workers still finish.
  await showDrain(context, app, () => Promise.all([api.close(), running.close()]));
  return exitCodes.done;
};

/** A link is a secret: it is shown to a person at a terminal, and written into no log. */
async function sayWhereToSignIn(app: App, consoleUrl: string, isTerminal: boolean): Promise<string> {
  const waiting = await findFirstUser(app);
  if (waiting === null) return `The console: ${consoleUrl}`;
  if (!isTerminal)
    return `The console: ${consoleUrl}. Nobody has signed in yet; for a link: nightshift users link ${waiting.login}`;
  return `The console; this link signs in once, within a day: ${await createFirstLink(app, waiting, consoleUrl)}`;
}
