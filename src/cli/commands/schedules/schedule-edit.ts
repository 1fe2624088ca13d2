import { formatCredits, creditsNumber } from '../../../core/credits/credits.ts';
import { ValidationError } from '../../../core/errors.ts';
import {
  readScheduleName,
  standardTerms,
  type Schedule,
  type ScheduleTerms,
} from '../../../core/schedules/schedule.ts';
import { machineZone } from '../../../core/time/time-zone.ts';
import { readFileLimits } from '../../../producer/load/account-limits.ts';
import { readScheduleList, type ReadList } from '../../../producer/preview/read-schedule-list.ts';
import { chooseAccount, type AccountOptions } from '../../context/choose-account.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { chooseSources } from '../batches/load-file.ts';
import { openList, type ListOptions } from '../batches/open-file.ts';
import { parseTerms, type TermOptions } from './schedule-terms.ts';
import { scheduleDetails, scheduleJson } from './schedule-view.ts';

export type ScheduleOptions = AccountOptions & Omit<ListOptions, 'operations'> & TermOptions;

/** Adds a schedule; its list is read, checked and kept. */
export const addSchedule: Command<[string], ScheduleOptions & { readonly companies: string }> = async (
  context,
  options,
  text,
) => {
  const name = readScheduleName(text, 'name');
  const given = parseTerms(options);
  const app = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const sources = given.sources ?? (await chooseSources(context, undefined));
  const terms = { cron: '', ...standardTerms, ...given, ...zoneOf(context, given), sources, name };
  await rejectSources(context, terms);
  const read = await readList(context, options.companies, { ...options, accountId });
  const schedule = await app.schedules.store.add(accountId, terms, read.list);
  show(context, schedule, read);
  return exitCodes.done;
};

/** Changes what is named. */
export const editSchedule: Command<[string], ScheduleOptions & { readonly companies?: string }> = async (
  context,
  options,
  name,
) => {
  const app = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const before = await app.schedules.store.read(accountId, name);
  const changes = parseTerms(options, before.search);
  const { companies } = options;
  const read = companies === undefined ? null : await readList(context, companies, { ...options, accountId });
  if (read === null) rejectReading(options);
  if (read === null && Object.keys(changes).length === 0)
    throw new ValidationError('Nothing is named that is to change: see nightshift schedule edit --help.');
  await rejectSources(context, { ...before, ...changes });
  const schedule = await app.schedules.store.edit(accountId, before.publicId, changes, read?.list);
  show(context, schedule, read);
  return exitCodes.done;
};

/** A pattern means nothing without a clock: which one is said aloud where nobody named it. */
function zoneOf(
  { output }: CommandContext,
  { timeZone }: Partial<ScheduleTerms>,
): { readonly timeZone: string } {
  if (timeZone !== undefined) return { timeZone };
  const own = machineZone();
  output.note(`Its times are by the clock of this machine, ${own}; --tz names another.`);
  return { timeZone: own };
}

async function rejectSources(
  { app }: CommandContext,
  { sources, search }: Pick<ScheduleTerms, 'sources' | 'search'>,
): Promise<void> {
  const registry = (await app()).sources.registry;
  await registry.check(sources, search);
  await registry.named(sources);
}

async function readList(
  context: CommandContext,
  file: string,
  { accountId, ...options }: ListOptions & { readonly accountId: number },
): Promise<ReadList> {
  const { open, reading } = await openList(context, file, options);
  const {
    credits: { prices },
    accounts: { limits: accountLimits },
  } = await context.app();
  const limits = await readFileLimits(accountLimits, accountId);
  return readScheduleList(
    open(),
    { ...reading, limits },
    {
      ads_search: await prices.priceNow('ads_search'),
      email_validation: await prices.priceNow('email_validation'),
    },
  );
}

/** Commander sets `header` where nobody did. */
function rejectReading({ map, encoding, delimiter, columns, header }: ListOptions): void {
  const isGiven = [map, encoding, delimiter, columns].some((each) => each !== undefined) || header === false;
  if (!isGiven) return;
  throw new ValidationError(
    'How a list is read is kept with the list: name the file too, with --companies FILE.',
  );
}

function show({ output }: CommandContext, schedule: Schedule, read: ReadList | null): void {
  const ceilingMicro = read?.check.costMicro.ceiling ?? null;
  const rejected = read?.check.rows.rejected ?? 0;
  const json = {
    ...scheduleJson(schedule),
    ...(ceilingMicro === null ? {} : { scanCeiling: creditsNumber(ceilingMicro), rejected }),
  };
  output.result(json, () =>
    [
      scheduleDetails(schedule),
      ...(ceilingMicro === null
        ? []
        : [
            `A scan costs at most ${formatCredits(ceilingMicro)} credits: each company that has ads is charged.`,
          ]),
      ...(rejected === 0
        ? []
        : [`${rejected} rows name no company that can be searched; \`nightshift check\` says why.`]),
      'Any `nightshift up` or `work` begins its scans; nothing runs while none is there.',
    ].join('\n'),
  );
}
