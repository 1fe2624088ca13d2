import type { InboxFileState } from '../../../core/inboxes/inbox.ts';
import { chooseAccount, type AccountOptions } from '../../context/choose-account.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { shellWord } from '../../process/own-command.ts';
import { parseWhole } from '../schedules/schedule-terms.ts';
import { fileJson, filesText, inboxDetails, inboxesText, inboxJson } from './inbox-view.ts';

/** Maximum number of inboxes in the output. An account has dozens; the API lists them in pages. */
const inboxesListed = 1000;
const countBounds = { min: 1, max: 1000 };

/** Options of `inbox files`. */
export interface FilesOptions extends AccountOptions {
  readonly count: string;
  readonly state?: InboxFileState;
}

/** Lists all inboxes of an account, newest first. */
export const listInboxes: Command<[], AccountOptions> = async (context, options) => {
  const { inboxes } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const list = await inboxes.store.list(accountId, inboxesListed);
  context.output.result({ inboxes: list.map(inboxJson) }, () => context.output.commands(inboxesText(list)));
  return exitCodes.done;
};

/** Shows one inbox with all its settings. */
export const showInbox: Command<[string], AccountOptions> = async (context, options, name) => {
  const { inboxes } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const inbox = await inboxes.store.read(accountId, name);
  context.output.result(inboxJson(inbox), () => inboxDetails(inbox));
  return exitCodes.done;
};

/** Lists the files of an inbox. */
export const listFiles: Command<[string], FilesOptions> = async (context, options, name) => {
  const limit = parseWhole(options.count, '--count', countBounds);
  const { inboxes } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const { publicId, timeZone } = await inboxes.store.read(accountId, name);
  const { state } = options;
  const files = await inboxes.store.listFiles(accountId, publicId, {
    limit,
    ...(state === undefined ? {} : { state }),
  });
  context.output.result({ files: files.map(fileJson) }, () =>
    files.length === 0
      ? context.output.commands(noFilesText(name, state))
      : filesText(files, timeZone, context.output.tableColumns()),
  );
  return exitCodes.done;
};

function noFilesText(name: string, state: string | undefined): string {
  return state === undefined
    ? `No files yet. Look for some with: nightshift inbox look ${shellWord(name)}`
    : `No file matches. List all with: nightshift inbox files ${shellWord(name)}`;
}
