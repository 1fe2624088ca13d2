import { startApi } from '../../../api/start-api.ts';
import type { App } from '../../../app/app.ts';
import type { User } from '../../../core/accounts/user-store.ts';
import { Misconfigured } from '../../../core/errors.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { showDrain } from '../../process/drain.ts';
import { missingMailWarning, showActivity } from '../../process/show-activity.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { startText } from './start-text.ts';
import { runWorkers } from '../../process/run-workers.ts';
import { createFirstLink, findFirstUser } from '../accounts/sign-in-link.ts';
import { openInBrowser } from '../../process/open-in-browser.ts';
import { untilAborted } from '../../process/until-aborted.ts';

interface UpOptions {
  /** Opens the console in the browser, signed in as the first user of a private server. */
  readonly open?: boolean;
}

/** Starts the API, the dispatcher and the workers in one process. */
export const up: Command<[], UpOptions> = async (context, { open = false }) => {
  const app = await context.app();
  await app.sources.registry.prepare();
  const running = await runWorkers(app);
  const api = await startApi(app).catch(async (error: unknown) => {
    await running.close();
    throw error;
  });
  const user = await findFirstUser(app);
  const opened = open ? await openConsole(app, api.url, user) : false;
  context.output.note(
    startText([
      ['Console', api.url],
      ['Sign in', opened ? 'in your browser' : await signInText(app, api.url, { user, ...context.output })],
      ['API docs', `${api.url}/docs`],
      ['Sources', await sourcesText(app)],
    ]),
  );
  if (open && !opened) context.output.note('No browser could be opened.');
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

/** Opens the console in the browser, signed in as the first user. Returns false where there is no browser. */
async function openConsole(app: App, consoleUrl: string, user: User | null): Promise<boolean> {
  return openInBrowser(user === null ? consoleUrl : await createFirstLink(app, user, consoleUrl));
}

async function warnOfMail({ output }: CommandContext, { events: { activity } }: App): Promise<void> {
  const warning = missingMailWarning(await activity.countMailWebhooks());
  if (warning !== null) output.note(warning);
}

/**
 * Returns the one-time sign-in link of the first user, or the command that prints a link. A link is a secret: it is shown on a terminal only,
 * never in a log or a pipe.
 */
async function signInText(
  app: App,
  consoleUrl: string,
  { user, isTerminal }: { readonly user: User | null; readonly isTerminal: boolean },
): Promise<string> {
  if (user === null) return 'with a password, or with a link from `nightshift users link LOGIN`';
  if (!isTerminal) return `nightshift users link ${user.login}`;
  return `${await createFirstLink(app, user, consoleUrl)}  (once, within a day)`;
}

/** Returns the names of the default sources. */
async function sourcesText({ sources: { registry } }: App): Promise<string> {
  try {
    const names = await registry.defaultNames();
    return names.map((name) => (name === 'sample' ? 'sample (generated data)' : name)).join(', ');
  } catch (error) {
    if (error instanceof Misconfigured) return 'none; `nightshift sources` shows how to set one up';
    throw error;
  }
}
