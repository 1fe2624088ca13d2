import { ValidationError } from '../../../core/errors.ts';
import { counted } from '../../../core/events/messages/text.ts';
import { formatAge } from '../../../core/time/parse-age.ts';
import { readSince, type Since } from '../../../core/time/parse-since.ts';
import { changeKinds } from '../../../core/changes/ad-change.ts';
import { formatChangeCursor, parseChangeCursor } from '../../../core/changes/change-cursor.ts';
import type { ChangeFilter, ChangePlace, ListedChange } from '../../../core/changes/change-list.ts';
import { readKinds } from '../../../core/changes/parse-kinds.ts';
import { changeJson, changesText, countsText } from './change-view.ts';
import { chooseAccount, type AccountOptions } from '../../context/choose-account.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { nameCompany } from '../../context/name-company.ts';
import { parseWhole } from './schedule-terms.ts';
import { schedulesText } from './schedule-view.ts';

/** Options of `changes`. */
export interface ChangesOptions extends AccountOptions {
  readonly since?: string;
  readonly kind?: string;
  readonly company?: string;
  readonly adFormat?: string;
  readonly all?: boolean;
  readonly limit: string;
  readonly after?: string;
}

const limitBounds = { min: 1, max: 1000 };

/** Lists the changes of one schedule or of all, newest scan first. */
export const changes: Command<[string | undefined], ChangesOptions> = async (context, options, schedule) => {
  const filter = readFilter(context, options, schedule);
  const limit = parseWhole(options.limit, '-n', limitBounds);
  const after = readAfter(options.after);
  const app = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const found = await app.schedules.changes.list(accountId, filter, { limit: limit + 1, after });
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const next = found.length > limit && last !== undefined ? formatChangeCursor(last.place) : null;
  const text = await formatChanges(context, { accountId, filter, shown, next, options });
  context.output.result({ changes: shown.map(changeJson), next }, () => text);
  return exitCodes.done;
};

interface Shown {
  readonly accountId: number;
  readonly filter: ChangeFilter;
  readonly shown: readonly ListedChange[];
  readonly next: string | null;
  readonly options: ChangesOptions;
}

/** Formats changes for people, or the reason why there are none. Empty with `--json`, to save the queries. */
async function formatChanges({ app, output }: CommandContext, all: Shown): Promise<string> {
  if (output.isJson) return '';
  const { accountId, filter, shown, next, options } = all;
  const {
    schedules: { changes: list, store: schedules },
  } = await app();
  const since = sinceText(filter.since, options.since);
  if (shown.length === 0) {
    if (options.after !== undefined) return 'No more changes.';
    const any = await schedules.list(accountId, 1);
    if (any.length === 0 && filter.schedule === null) return output.commands(schedulesText([]));
    return options.all === true
      ? `No changes${since}.`
      : `No changes${since}. For the ads that first scans found, add --all.`;
  }
  const counts = countsText(await list.count(accountId, filter));
  const more = next === null ? [] : [`More changes exist. Add --after ${next}, or use a larger -n.`];
  return [`${counts}${since}.`, changesText(shown), ...more].join('\n\n');
}

/** Formats an age in words: `day`, `7 days`. */
function ageText(ageMs: number): string {
  const [, count = '', unit = ''] = /^(\d+)(.)$/.exec(formatAge(ageMs)) ?? [];
  const noun = { d: 'day', h: 'hour', m: 'minute' }[unit] ?? '';
  return count === '1' ? noun : counted(Number(count), noun);
}

function sinceText(since: Since | null, asWritten = ''): string {
  if (since === null) return '';
  if (since.kind === 'time') return ` since ${asWritten.trim()}`;
  return ` in the last ${ageText(since.ageMs)}`;
}

/** Parses the filter options. @throws ValidationError naming the option. */
function readFilter(
  { output }: CommandContext,
  { since, kind, company, adFormat, all = false }: ChangesOptions,
  schedule: string | undefined,
): ChangeFilter {
  if (kind !== undefined && all)
    throw new ValidationError(
      '--all and --kind cannot be combined: --all shows every kind. Use one of them.',
    );
  const kinds = all ? changeKinds : null;
  return {
    schedule: schedule ?? null,
    kinds: kind === undefined ? kinds : readKinds(kind, '--kind'),
    format: adFormat ?? null,
    companyKey: company === undefined ? null : nameCompany(output, company).key,
    since: since === undefined ? null : readSince(since, '--since'),
    scan: null,
    day: null,
  };
}

function readAfter(text: string | undefined): ChangePlace | null {
  if (text === undefined) return null;
  const after = parseChangeCursor(text);
  if (after === null)
    throw new ValidationError('--after: invalid cursor. Use the value of `next` in an earlier response.');
  return after;
}
