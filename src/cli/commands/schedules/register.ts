import { Option, type Command } from 'commander';
import { sourceIds } from '../../../sources/registry.ts';
import { changeKinds } from '../../../core/changes/ad-change.ts';
import {
  catchUpPolicies,
  missesToEndBounds,
  overlapPolicies,
  staleDaysBounds,
} from '../../../core/schedules/schedule.ts';
import {
  accountOption,
  jsonOption,
  readingOptions,
  runs,
  type RunCommand,
} from '../../context/command-options.ts';

/** `schedule` and what can be done to one. */
export function addScheduleCommands(program: Command, run: RunCommand): void {
  program.commandsGroup('Schedules:');
  const schedule = accountOption(jsonOption(program.command('schedule')))
    .summary('scan a list of companies again and again')
    .description(
      'Lists of companies that are scanned by a cron pattern and the clock of a time zone; any `up` or `work` does it. By itself it ' +
        'lists them.',
    )
    .action(runs(run, async () => (await import('./schedule.ts')).listSchedules));
  addMakers(schedule, run);
  addViews(schedule, run);
  addMoves(schedule, run);
  addChangesCommand(program, run);
}

function addChangesCommand(program: Command, run: RunCommand): void {
  accountOption(
    jsonOption(program.command('changes').argument('[schedule]', 'its name, or its id (default: all)')),
  )
    .summary('what scans found new, ended or changed')
    .description(
      'What the scans of schedules found out, the newest scan first: ads that are new, came back, ended or look otherwise. What the ' +
        'first scan of a company found is no news, and shown with --all.',
    )
    .option('--since <time>', 'found out in the last 12h, 7d …, or since a day (default: all)')
    .option('--kind <names>', `only some, separated by commas: ${changeKinds.join(', ')}`)
    .option('--company <company>', 'a domain, or the name where the list has no domain')
    .option('--all', 'also what is no news: the kind baseline')
    .option('-n, --limit <number>', 'how many at most, up to 1000', '50')
    .option('--after <next>', 'go on after an earlier answer: what that said as next')
    .action(runs(run, async () => (await import('./changes.ts')).changes));
}

const named = ['<name>', 'its name, or its id'] as const;

function addMakers(schedule: Command, run: RunCommand): void {
  const add = accountOption(readingOptions(schedule.command('add').argument('<name>'), mapWhat))
    .description(
      'Add a schedule. Its list is kept: a change of the file comes in with `schedule edit NAME --companies FILE`.',
    )
    .requiredOption('--companies <file>', 'CSV of companies; - for standard input')
    .requiredOption('--cron <pattern>', 'minute, hour, day, month and weekday, such as "0 2 * * 1-5"');
  termOptions(add).action(runs(run, async () => (await import('./schedule-edit.ts')).addSchedule));

  const edit = accountOption(readingOptions(schedule.command('edit').argument(...named), mapWhat))
    .description('Change what is named; everything else stays. A scan that has begun goes on as it began.')
    .option('--name <name>', 'call it so from now on')
    .option('--companies <file>', 'a new list; options of how it is read belong beside it')
    .option('--cron <pattern>', 'minute, hour, day, month and weekday, such as "0 2 * * 1-5"');
  termOptions(edit).action(runs(run, async () => (await import('./schedule-edit.ts')).editSchedule));
}

function addViews(schedule: Command, run: RunCommand): void {
  const load = () => import('./schedule.ts');
  accountOption(jsonOption(schedule.command('list')))
    .description(
      'All schedules, in words, with the next five times of each in its own zone, and its last scan.',
    )
    .action(runs(run, async () => (await load()).listSchedules));
  accountOption(jsonOption(schedule.command('show').argument(...named)))
    .description('One schedule, with all that is set of it.')
    .action(runs(run, async () => (await load()).showSchedule));
  accountOption(jsonOption(schedule.command('next').argument(...named)))
    .description('When it runs next.')
    .option('--count <number>', 'how many times, at most 1000', '5')
    .option(
      '--from <time>',
      'after this time, UTC unless it says otherwise, such as 2026-03-28T12:00:00Z (default: now)',
    )
    .action(runs(run, async () => (await load()).nextTimes));
  accountOption(jsonOption(schedule.command('scans').argument(...named)))
    .description('Its last scans, the newest first, and why there was none where there was none.')
    .option('--count <number>', 'how many, at most 1000', '20')
    .action(runs(run, async () => (await load()).listScans));
}

function addMoves(schedule: Command, run: RunCommand): void {
  const load = () => import('./schedule-moves.ts');
  accountOption(jsonOption(schedule.command('run').argument(...named)))
    .description('Begin a scan now, beside those of its times.')
    .action(runs(run, async () => (await load()).runSchedule));
  accountOption(jsonOption(schedule.command('pause').argument(...named)))
    .description('Begin no more scans. A scan that runs goes on: `cancel` its batch to end it.')
    .action(runs(run, async () => (await load()).pauseSchedule));
  accountOption(jsonOption(schedule.command('resume').argument(...named)))
    .description('Begin scans again, from now on.')
    .action(runs(run, async () => (await load()).resumeSchedule));
  accountOption(jsonOption(schedule.command('remove').argument(...named)))
    .description('Remove it for good. Its scans and what they found stay.')
    .action(runs(run, async () => (await load()).removeSchedule));
}

const mapWhat = 'which column holds company_domain or company_name';

/** Adds the terms of a schedule; without defaults, because `edit` keeps what is not given. */
function termOptions(command: Command): Command {
  return command
    .option(
      '--tz <zone>',
      'whose clock the pattern goes by, such as Europe/Berlin (default: that of this machine)',
    )
    .option('--source <names>', `where ads come from, in order: ${sourceIds.join(', ')}`)
    .addOption(new Option('--sources <names>', 'the same').hideHelp())
    .option('--region <code>', 'only ads shown in this country, such as DE (sources that know regions)')
    .option('--max-ads <number>', 'at most so many ads of a company')
    .option('--own-only', 'leave out ads of agencies, resellers and other third parties')
    .option('--max-credits <credits>', 'what a scan may cost; then it ends. none: no bound')
    .option('--max-credits-per-day <credits>', 'what the scans of a day may cost together. none: no bound')
    .addOption(
      new Option(
        '--overlap <policy>',
        'what becomes of a time while a scan still runs (default: skip)',
      ).choices(overlapPolicies),
    )
    .addOption(
      new Option(
        '--catch-up <policy>',
        'scans for times that were missed: none, or once for all (default: once)',
      ).choices(catchUpPolicies),
    )
    .option(
      '--misses-to-end <number>',
      `complete scans in a row that must miss an ad to end it (default: ${missesToEndBounds.standard})`,
    )
    .option(
      '--stale-after <days>',
      `an ad that its source last saw so long ago has ended (default: ${staleDaysBounds.standard}d)`,
    )
    .option(
      '--notify <names>',
      'webhooks that are told of its scans, separated by commas, or none (default: all)',
    );
}
