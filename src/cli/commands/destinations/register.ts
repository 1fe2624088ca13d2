import { Option, type Command } from 'commander';
import { destinationFormats, destinationLayouts } from '../../../core/destinations/destination.ts';
import { landingStates } from '../../../core/destinations/landing.ts';
import { accountOption, jsonOption, creates, runs, type RunCommand } from '../../context/command-options.ts';

/** Adds `destination` with its subcommands. */
export function addDestinationCommands(program: Command, run: RunCommand): void {
  program.commandsGroup('Destinations:');
  const commands = () => import('./destinations.ts');
  const destination = accountOption(jsonOption(program.command('destination')))
    .summary('Manage the places in which finished batches land')
    .description(
      'Manage the places in which finished batches land: folders, S3 buckets, SFTP servers and tables in Postgres. Without a subcommand, lists ' +
        'them.',
    )
    .action(runs(run, async () => (await commands()).listDestinations));
  const command = (name: string, summary: string, details?: string) =>
    accountOption(jsonOption(destination.command(name)))
      .summary(summary)
      .description(details === undefined ? summary : `${summary}. ${details}`);
  formatOptions(
    command(
      'add',
      'Add a destination',
      'Opens the location at once: writes a small file and removes it, or creates a table and rolls back. It takes every batch of the ' +
        'account that finishes from now on, or those of one schedule, or one batch.',
    )
      .argument('<name>')
      .argument(
        '<location>',
        '/folder, s3://bucket/prefix, sftp://user@host/folder or postgres://user@host/database',
      )
      .option('--schedule <name>', 'take the batches of this schedule only')
      .option('--batch <batch>', 'take this batch only: its id, the name of its file, or latest')
      .option('--endpoint <url>', 'S3: origin of the service (default: Amazon)')
      .option('--s3-region <name>', 'S3: region (default: us-east-1)')
      .option('--host-key <key>', 'SFTP: key of the server, SHA256:… (default: the one that it shows now)'),
  ).action(creates(run, async () => (await commands()).addDestination));
  command('list', 'List destinations with their state and their open landings').action(
    runs(run, async () => (await commands()).listDestinations),
  );
  command('show', 'Show a destination')
    .argument('<name>')
    .action(runs(run, async () => (await commands()).showDestination));
  command('landings', 'List landings of a destination, newest first, with their errors')
    .argument('<name>')
    .addOption(new Option('--state <state>', 'state of the landings').choices(landingStates))
    .option('--batch <batch>', 'landings of this batch only')
    .option('--limit <number>', 'maximum number of landings, up to 1000', '20')
    .action(runs(run, async () => (await commands()).listLandings));
  command('replay', 'Land batches again', 'Every file is written again. Choose the batches with one option.')
    .argument('<name>')
    .option('--batch <batch>', 'one finished or cancelled batch, landed or not')
    .option('--dead', 'all batches whose landing was abandoned')
    .option('--since <time>', 'all batches of the last 30m, 12h, 7d … that have not landed')
    .action(runs(run, async () => (await commands()).replayDestination));
  command('test', 'Write a small file and remove it, or create a table and roll back')
    .argument('<name>')
    .action(runs(run, async () => (await commands()).testDestination));
  formatOptions(
    command(
      'edit',
      'Change a destination',
      'Batches that land afterwards have the new form. The location stays: add another destination for another place.',
    )
      .argument('<name>')
      .option('--name <name>', 'new name'),
  ).action(runs(run, async () => (await commands()).editDestination));
  command('enable', 'Enable a destination', 'Its pending batches land.')
    .argument('<name>')
    .action(runs(run, async () => (await commands()).enableDestination));
  command('disable', 'Disable a destination', 'Batches wait until it is enabled.')
    .argument('<name>')
    .action(runs(run, async () => (await commands()).disableDestination));
  command('remove', 'Remove a destination', 'Its credentials are deleted. What landed stays.')
    .argument('<name>')
    .action(runs(run, async () => (await commands()).removeDestination));
}

function formatOptions(command: Command): Command {
  return command
    .option(
      '--credentials <file>',
      'JSON file with the secrets of the location, or - for standard input (default: AWS_ACCESS_KEY_ID …, PGPASSWORD)',
    )
    .addOption(
      new Option(
        '--format <format>',
        'format of what lands (default: parquet, and table for Postgres)',
      ).choices(destinationFormats),
    )
    .option('--shape <names>', 'rows, ads or variants; several separated by commas (default: rows)')
    .addOption(
      new Option(
        '--layout <layout>',
        'flat: files in one folder. partitioned: folders by day and batch (default: partitioned for parquet)',
      ).choices(destinationLayouts),
    )
    .option('--gzip', 'compress CSV, NDJSON and JSON')
    .option('--raw', 'CSV: keep cells unchanged, including formulas')
    .option('--table <name>', 'Postgres: table, as schema.name')
    .option(
      '--key <columns>',
      'Postgres: columns that identify a row (default: the rows of a batch are replaced)',
    );
}
