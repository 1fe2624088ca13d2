import { listNames, readList, type MailList } from '../../../adapters/mail/lists/list-file.ts';
import { disposableListUrl } from '../../../adapters/mail/lists/refresh-list.ts';
import { wikidataUrl } from '../../../adapters/families/refresh-families.ts';
import { counted } from '../../../core/events/messages/text.ts';
import { listFolders, refreshLists as refresh } from '../../../app/email-service.ts';
import { refreshFamilies } from '../../../app/families.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { formatTable } from '../../terminal/format-table.ts';

/** Shows the lists for e-mail validation, with their size, origin, date and licence. */
export const lists: Command<[], object> = async (context) => {
  const folders = listFolders(context.config());
  const found = listNames.map((name) => readList(name, folders));
  context.output.result({ ownFolder: folders.own, lists: found.map(listJson) }, () =>
    formatTable(
      [
        'list',
        'entries',
        { title: 'own', hide: 2 },
        'date',
        { title: 'licence', hide: 3 },
        { title: 'origin', hide: 1 },
      ],
      found.map((list) => [
        list.name,
        list.entries.size,
        ownText(list),
        list.date,
        list.licence,
        shorten(list.origin ?? ''),
      ]),
      context.output.tableColumns(),
    ),
  );
  return exitCodes.done;
};

/** Options of `lists refresh`. */
export interface RefreshListsOptions {
  readonly from?: string;
  readonly companies?: boolean;
}

/** Updates the list of disposable domains, or the families of companies. An implausible download leaves the old list in place. */
export const refreshLists: Command<[], RefreshListsOptions> = async (context, { from, companies }) => {
  const { signal, output } = context;
  if (companies === true) {
    const found = await refreshFamilies(context.config(), { from: from ?? wikidataUrl, signal });
    output.result(
      found,
      () =>
        `companies: ${found.families.toLocaleString('en')} families with ${counted(found.parts, 'brand or subsidiary', 'brands and subsidiaries')}. Processes started from now on use them.`,
    );
    return exitCodes.done;
  }
  const refreshed = await refresh(context.config(), { from: from ?? disposableListUrl, signal });
  output.result(
    refreshed,
    () =>
      `disposable: ${counted(refreshed.entries, 'domain')}, ${refreshed.added.toLocaleString('en')} added, ${refreshed.removed.toLocaleString('en')} removed. Processes started from now on use it.`,
  );
  return exitCodes.done;
};

function listJson({ name, entries, added, removed, date, licence, origin, file }: MailList) {
  return { name, entries: entries.size, added, removed, date, licence, origin, file };
}

function ownText({ added, removed }: MailList): string {
  return added + removed === 0 ? '' : `+${added} -${removed}`;
}

/** Shortens a text for the table; `--json` has the whole text. */
function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
