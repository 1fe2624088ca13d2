import type { Command } from 'commander';
import { purgeKinds } from '../../../core/purge/purge-kinds.ts';
import { jsonOption, runs, type RunCommand } from '../../context/command-options.ts';

/** Adds `up`, `serve`, `work`, and the commands for the machine and the database. */
export function addServerCommands(program: Command, run: RunCommand): void {
  program.commandsGroup('Server:');
  jsonOption(program.command('demo'))
    .description('The main job on the bundled sample list and generated sample ads; nothing else needed.')
    .action(runs(run, async () => (await import('./demo.ts')).demo));

  jsonOption(program.command('up'))
    .description(
      'Everything in one process: the API, the dispatcher and the workers. Goes on until it is stopped.',
    )
    .action(runs(run, async () => (await import('./up.ts')).up));

  jsonOption(program.command('serve'))
    .description('The API alone, on HOST and PORT.')
    .action(runs(run, async () => (await import('./serve.ts')).serve));

  jsonOption(program.command('work'))
    .description('A worker. Run as many as you like, on as many hosts, against one Postgres and one Redis.')
    .action(runs(run, async () => (await import('./work.ts')).work));

  jsonOption(program.command('purge'))
    .summary('take away what is old enough')
    .description(
      'Take away data that is older than it may become: the rows of finished lists and what was found for them, addresses, scans, the ' +
        'record of calls, events (docs/guides/retention.md). The ledger stays, whole. It asks nothing: see with --dry-run what would go.',
    )
    .option('--older-than <time>', 'what ended longer ago than 365d, 30d … (default: what the settings say)')
    .option('--kind <names>', `only these, separated by commas: ${purgeKinds.join(', ')}`)
    .option('--account <name>', 'only of this account (default: of all)')
    .option('--dry-run', 'say what would go, and change nothing')
    .action(runs(run, async () => (await import('./purge.ts')).purgeCommand));

  jsonOption(program.command('verify'))
    .description('Check every invariant and say how much was checked. Exit 1 when one is broken.')
    .action(runs(run, async () => (await import('./verify.ts')).verify));

  jsonOption(program.command('doctor'))
    .description('Check what a night depends on, and say how to mend what is wrong. Exit 1 with a problem.')
    .action(runs(run, async () => (await import('./doctor.ts')).doctor));

  jsonOption(program.command('migrate'))
    .description('Bring the database schema up to date.')
    .option('--logins', 'also make the logins of DATABASE_URL and of the readers, with their passwords')
    .action(runs(run, async () => (await import('./migrate.ts')).migrateCommand));

  jsonOption(program.command('config'))
    .description('Every setting, its value, and where the value comes from.')
    .action(runs(run, async () => (await import('./config.ts')).configCommand));

  jsonOption(program.command('stop'))
    .description('Stop the private Postgres server. Its data stay.')
    .option('--force', 'also while others are connected')
    .action(runs(run, async () => (await import('./stop.ts')).stop));
}
