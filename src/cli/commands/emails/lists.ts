import { listNames, readList, type MailList } from '../../../adapters/mail/lists/list-file.ts';
import { disposableListUrl } from '../../../adapters/mail/lists/refresh-list.ts';
import { listFolders, refreshLists as refresh } from '../../../app/email-service.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { formatTable } from '../../terminal/output.ts';

/** The lists that addresses are judged by: how much they hold, from where, from when, under which licence. */
export const lists: Command<[], object> = async (context) => {
  const folders = listFolders(context.config());
  const found = listNames.map((name) => readList(name, folders));
  context.output.result({ ownFolder: folders.own, lists: found.map(listJson) }, () =>
    formatTable(
      ['list', 'entries', 'own', 'date', 'licence', 'origin'],
      found.map((list) => [
        list.name,
        list.entries.size,
        ownText(list),
        list.date,
        list.licence,
        shortened(list.origin ?? ''),
      ]),
    ),
  );
  return exitCodes.done;
};

/** Fetches the list of throw-away domains anew. What is wrong with it leaves the old one in force. */
export const refreshLists: Command<[], { readonly from?: string }> = async (context, { from }) => {
  const { signal } = context;
  const refreshed = await refresh(context.config(), { from: from ?? disposableListUrl, signal });
  context.output.result(
    refreshed,
    () =>
      `disposable: ${refreshed.entries} domains, ${refreshed.added} new, ${refreshed.removed} gone. Processes that start from now on use it.`,
  );
  return exitCodes.done;
};

function listJson({ name, entries, added, removed, date, licence, origin, file }: MailList) {
  return { name, entries: entries.size, added, removed, date, licence, origin, file };
}

function ownText({ added, removed }: MailList): string {
  return added + removed === 0 ? '' : `+${added} -${removed}`;
}

/** A table has one line an entry; `--json` has the whole text. */
function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
