import { ValidationError } from '../../../core/errors.ts';
import { timeText } from '../../../core/events/messages/text.ts';
import { parseCron } from '../../../core/schedules/cron.ts';
import type { Schedule } from '../../../core/schedules/schedule.ts';
import { nextTicks } from '../../../core/schedules/ticks.ts';
import { parseTimeZone } from '../../../core/time/time-zone.ts';
import { chooseAccount, type AccountOptions } from '../../context/choose-account.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { shellWord } from '../../process/own-command.ts';
import { parseWhole } from './schedule-terms.ts';
import { scanJson, scansText, scheduleDetails, scheduleJson, schedulesText } from './schedule-view.ts';

/** Maximum number of schedules in the output. An account has dozens; the API lists them in pages. */
const schedulesListed = 1000;
const countBounds = { min: 1, max: 1000 };

/** Options of `schedule next`. */
export interface NextOptions extends AccountOptions {
  readonly count: string;
  readonly from?: string;
}

/** Options of `schedule scans`. */
export interface ScansOptions extends AccountOptions {
  readonly count: string;
}

/** Lists all schedules of an account, newest first. */
export const listSchedules: Command<[], AccountOptions> = async (context, options) => {
  const {
    schedules: { store: schedules },
  } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const list = await schedules.list(accountId, schedulesListed);
  context.output.result({ schedules: list.map(scheduleJson) }, () =>
    context.output.commands(schedulesText(list)),
  );
  return exitCodes.done;
};

/** Shows one schedule with all its settings. */
export const showSchedule: Command<[string], AccountOptions> = async (context, options, name) => {
  const schedule = await readSchedule(context, options, name);
  context.output.result(scheduleJson(schedule), () => scheduleDetails(schedule));
  return exitCodes.done;
};

/** Shows the next runs of a schedule, even of a paused one. */
export const nextTimes: Command<[string], NextOptions> = async (context, options, name) => {
  const count = parseWhole(options.count, '--count', countBounds);
  const from = options.from === undefined ? undefined : parseTime(options.from);
  const { cron, timeZone, readAt } = await readSchedule(context, options, name);
  const zone = parseTimeZone(timeZone, 'time zone');
  const next = nextTicks(parseCron(cron, 'cron'), zone, from ?? readAt, count);
  context.output.result({ next }, () =>
    next.map((time) => `${time.toISOString()}  ${timeText(time, timeZone)}`).join('\n'),
  );
  return exitCodes.done;
};

/** Lists the scans of a schedule. */
export const listScans: Command<[string], ScansOptions> = async (context, options, name) => {
  const count = parseWhole(options.count, '--count', countBounds);
  const { publicId, timeZone } = await readSchedule(context, options, name);
  const {
    schedules: { store: schedules },
  } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const scans = await schedules.listScans(accountId, publicId, count);
  context.output.result({ scans: scans.map(scanJson) }, () =>
    scans.length === 0
      ? context.output.commands(`No scans yet. Start one with: nightshift schedule run ${shellWord(name)}`)
      : scansText(scans, timeZone, context.output.tableColumns()),
  );
  return exitCodes.done;
};

async function readSchedule(
  context: CommandContext,
  options: AccountOptions,
  name: string,
): Promise<Schedule> {
  const {
    schedules: { store: schedules },
  } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  return schedules.read(accountId, name);
}

const timeForm = /^(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** Parses a day, or a time with an offset; without an offset it is UTC. */
function parseTime(text: string): Date {
  const [, day, offset] = timeForm.exec(text) ?? [];
  const time = new Date(offset === undefined && text.length > 10 ? `${text}Z` : text);
  if (day !== undefined && !Number.isNaN(time.getTime()) && isDay(day)) return time;
  throw new ValidationError(
    `--from ${text}: must be a day or a time, such as 2026-03-28, 2026-03-28T12:00:00Z or 2026-03-28T12:00:00+01:00.`,
  );
}

/** Checks that the day exists: JavaScript parses 31 February as 3 March. */
function isDay(day: string): boolean {
  return new Date(day).toISOString().startsWith(day);
}
