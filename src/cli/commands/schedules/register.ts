import { Option, type Command } from 'commander';
import { sourceIds } from '../../../sources/registry.ts';
import { surfaces } from '../../../core/ads/surfaces.ts';
import { changeKinds } from '../../../core/changes/ad-change.ts';
import {
  catchUpPolicies,
  missesToEndBounds,
  overlapPolicies,
  staleDaysBounds,
} from '../../../core/schedules/schedule.ts';
import { batchArgument } from '../../context/choose-batch.ts';
import {
  accountOption,
  jsonOption,
  readingOptions,
  creates,
  runs,
  type RunCommand,
} from '../../context/command-options.ts';

/** Adds `schedule` with its subcommands, and `changes`. */
export function addScheduleCommands(program: Command, run: RunCommand): void {
  program.commandsGroup('Schedules:');
  const schedule = accountOption(jsonOption(program.command('schedule')))
    .summary('Manage schedules of regular scans')
    .description(
      'Manage schedules, which scan the companies of a file at the times of a cron pattern. Any running `up` or `work` executes them. ' +
        'Without a subcommand, lists all schedules.',
    )
    .action(runs(run, async () => (await import('./schedule.ts')).listSchedules));
  addMakers(schedule, run);
  addViews(schedule, run);
  addMoves(schedule, run);
  addChangesCommand(program, run);
}

function addChangesCommand(program: Command, run: RunCommand): void {
  accountOption(
    jsonOption(
      program
        .command('changes')
        .argument('[schedule]', 'name or id of a schedule; without one, all schedules'),
    ),
  )
    .summary('List new, ended and changed ads')
    .description(
      'List new, ended and changed ads that scans found, newest scan first. The ads of the first scan of a company are its baseline, ' +
        'shown only with --all.',
    )
    .option('--since <time>', 'age, such as 12h or 7d, or first day (default: all)')
    .option('--kind <names>', `kinds of change, separated by commas: ${changeKinds.join(', ')}`)
    .option('--company <company>', 'domain, or name if the file has no domain')
    .option('--ad-format <format>', 'format of the ad, such as Video')
    .option('--all', 'include the kind baseline')
    .option('-n, --limit <number>', 'maximum number of changes, up to 1000', '50')
    .option('--after <next>', 'cursor: the value of next in an earlier response')
    .action(runs(run, async () => (await import('./changes.ts')).changes));
}

const named = ['<name>', 'name or id of the schedule'] as const;

function addMakers(schedule: Command, run: RunCommand): void {
  const add = accountOption(readingOptions(schedule.command('add').argument('<name>'), mapText))
    .summary('Add a schedule')
    .description(
      'Add a schedule. It keeps a copy of the file, or of the rows of a batch; to replace the copy, use ' +
        '`schedule edit NAME --companies FILE`. Sources and search options that are not given are those of the batch.',
    )
    .option('--companies <file>', 'file of companies: CSV, Excel, ODS, Parquet or JSON; - for standard input')
    .option('--from-batch <batch>', `in place of a file, the rows of a ${batchArgument}`)
    .requiredOption('--cron <pattern>', cronText);
  termOptions(add).action(creates(run, async () => (await import('./schedule-edit.ts')).addSchedule));

  const edit = accountOption(readingOptions(schedule.command('edit').argument(...named), mapText))
    .summary('Change a schedule')
    .description(
      'Change a schedule. Options that are not given keep their values; a running scan is not affected.',
    )
    .option('--name <name>', 'new name')
    .option('--companies <file>', 'new file of companies, together with its reading options')
    .option('--cron <pattern>', cronText);
  termOptions(edit).action(runs(run, async () => (await import('./schedule-edit.ts')).editSchedule));
}

function addViews(schedule: Command, run: RunCommand): void {
  const load = () => import('./schedule.ts');
  accountOption(jsonOption(schedule.command('list')))
    .description('List schedules with their next five runs and their last scan')
    .action(runs(run, async () => (await load()).listSchedules));
  accountOption(jsonOption(schedule.command('show').argument(...named)))
    .description('Show a schedule with all its settings')
    .action(runs(run, async () => (await load()).showSchedule));
  accountOption(jsonOption(schedule.command('next').argument(...named)))
    .description('Show the next runs of a schedule')
    .option('--count <number>', 'number of runs, at most 1000', '5')
    .option(
      '--from <time>',
      'start time, in UTC unless it has an offset, such as 2026-03-28T12:00:00Z (default: now)',
    )
    .action(runs(run, async () => (await load()).nextTimes));
  accountOption(jsonOption(schedule.command('scans').argument(...named)))
    .description('List scans of a schedule, newest first, with the reasons of skipped ones')
    .option('--count <number>', 'number of scans, at most 1000', '20')
    .action(runs(run, async () => (await load()).listScans));
}

function addMoves(schedule: Command, run: RunCommand): void {
  const load = () => import('./schedule-moves.ts');
  accountOption(jsonOption(schedule.command('run').argument(...named)))
    .description('Start a scan now, in addition to the scheduled ones')
    .action(runs(run, async () => (await load()).runSchedule));
  accountOption(jsonOption(schedule.command('pause').argument(...named)))
    .summary('Pause a schedule')
    .description('Pause a schedule: no scan starts. A running scan continues; to end it, `cancel` its batch.')
    .action(runs(run, async () => (await load()).pauseSchedule));
  accountOption(jsonOption(schedule.command('resume').argument(...named)))
    .description('Resume a paused schedule')
    .action(runs(run, async () => (await load()).resumeSchedule));
  accountOption(jsonOption(schedule.command('remove').argument(...named)))
    .description('Remove a schedule; its scans and results are kept')
    .action(runs(run, async () => (await load()).removeSchedule));
}

const mapText = 'column for company_domain or company_name';
const cronText = 'cron pattern: minute, hour, day, month and weekday, such as "0 2 * * 1-5", or @daily';

/** Adds the options of a schedule. They have no defaults, because `edit` keeps what is not given. */
function termOptions(command: Command): Command {
  return command
    .option('--tz <zone>', 'time zone of the pattern, such as Europe/Berlin (default: that of this machine)')
    .option('--source <names>', `ad sources in order of preference: ${sourceIds.join(', ')}`)
    .addOption(new Option('--sources <names>', 'alias of --source').hideHelp())
    .option('--region <code>', 'country in which ads are shown, such as DE; not for all sources')
    .option('--surface <name>', `surface on which ads are shown: ${surfaces.join(', ')}; not for all sources`)
    .option('--max-ads <number>', 'maximum number of ads per company')
    .option('--own-only', 'exclude ads of agencies, resellers and other third parties')
    .option(
      '--max-credits <credits>',
      'budget of a scan in credits, or none; the scan ends when it is used up',
    )
    .option('--max-credits-per-day <credits>', 'budget of the scans of a day in credits, or none')
    .addOption(
      new Option(
        '--overlap <policy>',
        'action when the previous scan is still running (default: skip)',
      ).choices(overlapPolicies),
    )
    .addOption(
      new Option(
        '--catch-up <policy>',
        'scans for missed runs: none, or one for all of them (default: once)',
      ).choices(catchUpPolicies),
    )
    .option(
      '--misses-to-end <number>',
      `consecutive complete scans without an ad until it has ended (default: ${missesToEndBounds.standard})`,
    )
    .option(
      '--stale-after <days>',
      `days since the source last saw an ad until it has ended (default: ${staleDaysBounds.standard}d)`,
    )
    .option(
      '--notify <names>',
      'webhooks that receive events of its scans, separated by commas, or none (default: all)',
    );
}
