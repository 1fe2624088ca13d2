import { anySearch, type SearchOptions } from '../../../core/ads/ads-answer.ts';
import { creditsNumber } from '../../../core/credits/credits.ts';
import { readPrices } from '../../../core/credits/price-book.ts';
import { counted } from '../../../core/events/messages/text.ts';
import { Conflict, NotFound, ValidationError } from '../../../core/errors.ts';
import {
  readScheduleName,
  standardTerms,
  type Schedule,
  type ScheduleTerms,
} from '../../../core/schedules/schedule.ts';
import { machineZone } from '../../../core/time/time-zone.ts';
import { readFileLimits } from '../../../producer/load/account-limits.ts';
import { readScheduleFile, type CheckedScheduleFile } from '../../../producer/preview/read-schedule-file.ts';
import { chooseBatch } from '../../context/choose-batch.ts';
import { chooseAccount, type AccountOptions } from '../../context/choose-account.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { chooseSources } from '../batches/load-file.ts';
import { shellWord } from '../../process/own-command.ts';
import { creditsText } from '../../terminal/credits-text.ts';
import { openFile, type FileOptions } from '../batches/open-file.ts';
import { parseTerms, type TermOptions } from './schedule-terms.ts';
import { scheduleDetails, scheduleJson } from './schedule-view.ts';

/** Options of `schedule add` and `schedule edit`. */
export type ScheduleOptions = AccountOptions & Omit<FileOptions, 'operations'> & TermOptions;

/** Options of `schedule add`: one of the two names the companies. */
type AddOptions = ScheduleOptions & { readonly companies?: string; readonly fromBatch?: string };

/** Adds a schedule. Reads and checks its file, or the rows of a batch, and stores a copy. */
export const addSchedule: Command<[string], AddOptions> = async (context, options, text) => {
  const name = readScheduleName(text, 'name');
  // Before anything is opened. The search options of a batch are not known yet.
  parseTerms(options, context.config().catalog);
  rejectCompanies(options);
  const app = await context.app();
  const { accountId } = await chooseAccount(context, options);
  await rejectTakenName(context, accountId, name);
  const { before, read } = await chooseCompanies(context, options);
  const given = parseTerms(options, app.config.catalog, before.search);
  const sources = given.sources ?? before.sources ?? (await chooseDefaultSources(context));
  const terms = {
    cron: '',
    ...standardTerms,
    search: before.search,
    ...given,
    ...zoneOf(context, given),
    sources,
    name,
  };
  await rejectSources(context, terms);
  const checked = await read(accountId);
  const schedule = await app.schedules.store.add(accountId, terms, checked.file);
  show(context, schedule, checked);
  return exitCodes.done;
};

/** Companies of a new schedule. */
interface Companies {
  /** Search options, and sources if they are known, where the options name none. */
  readonly before: { readonly search: SearchOptions; readonly sources?: readonly string[] };
  readonly read: (accountId: number) => Promise<CheckedScheduleFile>;
}

/** Rejects options that do not name exactly one of a file and a batch, and reading options with a batch. @throws ValidationError */
function rejectCompanies(options: AddOptions): void {
  const { companies, fromBatch } = options;
  if ((companies === undefined) === (fromBatch === undefined))
    throw new ValidationError('Name the companies with one option: --companies FILE or --from-batch BATCH.');
  if (companies === undefined) rejectReading(options);
}

async function chooseCompanies(context: CommandContext, options: AddOptions): Promise<Companies> {
  const { companies, fromBatch = '' } = options;
  if (companies !== undefined)
    return {
      before: { search: anySearch },
      read: (accountId) => readCompanyFile(context, companies, { ...options, accountId }),
    };
  const { accountId, publicId } = await chooseBatch(context, options, fromBatch);
  const { batches, credits } = await context.app();
  const batch = await batches.submitted.read(accountId, publicId);
  return {
    before: batch,
    read: async () => batches.submitted.toScheduleFile(accountId, batch, await readPrices(credits.prices)),
  };
}

/** @throws Conflict that names the command to change the existing schedule. */
async function rejectTakenName({ app }: CommandContext, accountId: number, name: string): Promise<void> {
  const {
    schedules: { store: schedules },
  } = await app();
  const existing = await schedules.read(accountId, name).catch((error: unknown) => {
    if (error instanceof NotFound) return null;
    throw error;
  });
  if (existing === null) return;
  throw new Conflict(
    `There is a schedule "${name}" already. Choose another name. To change it: nightshift schedule edit ${shellWord(name)}`,
  );
}

/** Returns the default sources, with a note, because the schedule keeps them. */
async function chooseDefaultSources(context: CommandContext): Promise<readonly string[]> {
  const sources = await chooseSources(context, undefined);
  const which = sources.length === 1 ? 'the default source' : 'the default sources';
  context.output.note(`Using ${which}, ${sources.join(', ')}. Choose others with --source.`);
  return sources;
}

/** Changes the given settings of a schedule. */
export const editSchedule: Command<[string], ScheduleOptions & { readonly companies?: string }> = async (
  context,
  options,
  name,
) => {
  const app = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const before = await app.schedules.store.read(accountId, name);
  const changes = parseTerms(options, app.config.catalog, before.search);
  const { companies } = options;
  const read =
    companies === undefined ? null : await readCompanyFile(context, companies, { ...options, accountId });
  if (read === null) rejectReading(options);
  if (read === null && Object.keys(changes).length === 0)
    throw new ValidationError('No changes given. See: nightshift schedule edit --help');
  await rejectSources(context, { ...before, ...changes });
  const schedule = await app.schedules.store.edit(accountId, before.publicId, changes, read?.file);
  show(context, schedule, read);
  return exitCodes.done;
};

/** Returns the given time zone, or that of the machine with a note, because it may not be the intended one. */
function zoneOf(
  { output }: CommandContext,
  { timeZone }: Partial<ScheduleTerms>,
): { readonly timeZone: string } {
  if (timeZone !== undefined) return { timeZone };
  const zone = machineZone();
  output.note(`Using the time zone of this machine, ${zone}. Set another with --tz.`);
  return { timeZone: zone };
}

async function rejectSources(
  { app }: CommandContext,
  { sources, search }: Pick<ScheduleTerms, 'sources' | 'search'>,
): Promise<void> {
  const registry = (await app()).sources.registry;
  await registry.check(sources, search);
  await registry.named(sources);
}

/** Reads and checks a file of companies for a schedule. @throws ValidationError for a file without companies. */
export async function readCompanyFile(
  context: CommandContext,
  file: string,
  { accountId, ...options }: FileOptions & { readonly accountId: number },
): Promise<CheckedScheduleFile> {
  const { open, reading } = await openFile(context, file, options);
  const { credits, accounts } = await context.app();
  const limits = await readFileLimits(accounts.limits, accountId);
  return readScheduleFile(open(), { ...reading, limits }, await readPrices(credits.prices));
}

/** Rejects reading options without a file. Commander always sets `header`. */
function rejectReading({ header, map, columns, encoding, ...form }: FileOptions): void {
  const { delimiter, quote, escape, sheet, skipLines, strict } = form;
  const given = [map, columns, encoding, delimiter, quote, escape, sheet, skipLines, strict];
  const isGiven = given.some((each) => each !== undefined) || header === false;
  if (!isGiven) return;
  throw new ValidationError(
    'Reading options are stored with the file. Name the file as well: --companies FILE.',
  );
}

function show({ output }: CommandContext, schedule: Schedule, read: CheckedScheduleFile | null): void {
  const ceilingMicro = read?.check.costMicro.ceiling ?? null;
  const rejected = read?.check.rows.rejected ?? 0;
  const json = {
    ...scheduleJson(schedule),
    ...(ceilingMicro === null ? {} : { scanCeiling: creditsNumber(ceilingMicro), rejected }),
  };
  for (const finding of read?.notes ?? []) output.note(`Finding: ${finding}.`);
  output.result(json, () =>
    output.commands(
      [
        scheduleDetails(schedule),
        ...(ceilingMicro === null
          ? []
          : [`A scan costs at most ${creditsText(ceilingMicro)}: only companies with ads are charged.`]),
        ...(rejected === 0
          ? []
          : [
              `${counted(rejected, 'row names', 'rows name')} no company that can be searched. \`nightshift check\` lists the reasons.`,
            ]),
        'Scans start only while `nightshift up` or `nightshift work` is running.',
      ].join('\n'),
    ),
  );
}
