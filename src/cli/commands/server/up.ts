import { startApi } from '../../../api/start-api.ts';
import type { App } from '../../../app/app.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { showDrain } from '../../process/drain.ts';
import { missingMailWarning, showActivity } from '../../process/show-activity.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { runWorkers } from '../../process/run-workers.ts';
import { createFirstLink, findFirstUser } from '../accounts/sign-in-link.ts';
import { untilAborted } from '../../process/until-aborted.ts';

/** Starts the API, the dispatcher and the workers in one process. */
export const up: Command<[], object> = async (context) => {
  const app = await context.app();
  await app.sources.registry.prepare();
  const running = await runWorkers(app);
  const api = await startApi(app).catch(async (error: unknown) => {
    await running.close();
    throw error;
  });
  context.output.note(
    `The API listens on ${api.url}; its documentation is at ${api.url}/docs. Workers are running.\n` +
      `Press Ctrl-C to stop; running work finishes within ${app.config.graceMs / 1000} s.`,
  );
  context.output.note(await consoleText(app, api.url, context.output.isInteractive));
  if (app.config.mail === null) await warnOfMail(context, app);
  const activity = showActivity(context, app);
  await untilAborted(context.signal);
  context.output.note('Stopping.');
  // In parallel: open requests may wait for work that the workers still finish.
  await showDrain(context, app, async () => {
    await Promise.all([api.close(), running.close()]);
    await activity.close();
  });
  return exitCodes.done;
};

async function warnOfMail({ output }: CommandContext, { events: { activity } }: App): Promise<void> {
  const warning = missingMailWarning(await activity.countMailWebhooks());
  if (warning !== null) output.note(warning);
}

/** Formats the address of the console. A sign-in link is a secret: it is shown on a terminal only, and never logged. */
async function consoleText(app: App, consoleUrl: string, isTerminal: boolean): Promise<string> {
  const firstUser = await findFirstUser(app);
  if (firstUser === null) return `Console: ${consoleUrl}`;
  if (!isTerminal)
    return `Console: ${consoleUrl}\nNo user has signed in yet. Create a sign-in link with: nightshift users link ${firstUser.login}`;
  const link = await createFirstLink(app, firstUser, consoleUrl);
  return `Console (this link signs you in once, within a day):\n${link}`;
}
