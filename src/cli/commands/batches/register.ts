import { Option, type Command } from 'commander';
import { reportFormats } from '../../../reporter/formats/report-format.ts';
import {
  accountOption,
  jsonOption,
  readingOptions,
  runs,
  searchOptions,
  type RunCommand,
} from '../../context/command-options.ts';

/** Adds `enrich`, `check`, `load` and the commands for one batch. */
export function addBatchesCommands(program: Command, run: RunCommand): void {
  program.commandsGroup('Batches:');
  const enrich = listOptions(
    program.command('enrich').argument('<file>', 'CSV of companies; - for standard input'),
  )
    .summary('look up a list and write the result, in one go')
    .description('Load, work and export in one go. Ctrl-C keeps the work; the same command goes on with it.')
    .option('-o, --output <file>', 'where to write; - for stdout (default: <file>-enriched.csv)');

  exportOptions(searchOptions(againOption(boundsOptions(enrich)))).action(
    runs(run, async () => (await import('./enrich.ts')).enrich),
  );

  listOptions(program.command('check').argument('<file>', 'CSV of companies; - for standard input'))
    .summary('what a file holds and what it costs at most; offline')
    .description(
      'Columns, bad rows, duplicates and the cost, before anything is loaded. Exit 0 clean, 1 findings, 2 unreadable.',
    )
    .action(runs(run, async () => (await import('./check.ts')).check));

  const load = listOptions(
    program.command('load').argument('<file>', 'CSV of companies; - for standard input'),
  )
    .summary('store a list as a batch and print its id')
    .description('Store a list as a batch; `up` and `work` do the work. Prints only the batch id on stdout.');

  searchOptions(againOption(boundsOptions(load))).action(
    runs(run, async () => (await import('./load.ts')).load),
  );

  jsonOption(program.command('status').argument('[batch]', 'a batch id; without one the newest batches'))
    .description('How far a batch is, or the newest batches.')
    .action(runs(run, async () => (await import('./status.ts')).status));

  jsonOption(program.command('watch').argument('<batch>'))
    .description('Follow a batch until it is finished or waits for something.')
    .action(runs(run, async () => (await import('./watch.ts')).watch));

  exportOptions(jsonOption(program.command('export').argument('<batch>')))
    .description('Write a batch to a file: one line per input row, per ad or per variant.')
    .option('-o, --output <file>', 'where to write; - for stdout', '-')
    .action(runs(run, async () => (await import('./export.ts')).exportCommand));

  addReportCommand(program, run);
  addControlCommands(program, run);
}

function addReportCommand(program: Command, run: RunCommand): void {
  accountOption(
    jsonOption(
      program
        .command('report')
        .argument('<batch|schedule>', 'the id of a batch, or the name or id of a schedule'),
    ),
  )
    .summary('a page about a batch or a schedule, for people')
    .description(
      'One HTML file with charts and tables that asks nobody for anything, or Markdown for a terminal or a pull request. Of a schedule: its ' +
        'scans, what changed, and what failed.',
    )
    .option('-o, --output <file>', 'where to write, .html or .md; - for stdout', '-')
    .addOption(
      new Option('--format <format>', 'default: by the file name; md on stdout').choices(['html', 'md']),
    )
    .option('--images', "with pictures of ads, which the browser fetches from Google's hosts; html only")
    .option('--days <number>', 'of a schedule: how many days, up to its newest scan (default: 30)')
    .action(runs(run, async () => (await import('./report.ts')).report));
}

function addControlCommands(program: Command, run: RunCommand): void {
  jsonOption(program.command('pause').argument('<batch>'))
    .description('Stop a batch for now. Once this returns, no call of it is under way and none begins.')
    .action(runs(run, async () => (await import('./control.ts')).pause));
  boundsOptions(jsonOption(program.command('resume').argument('<batch>')))
    .description('Let a batch that is paused or waits go on. A limit that is reached is lifted.')
    .action(runs(run, async () => (await import('./control.ts')).resume));
  jsonOption(program.command('cancel').argument('<batch>'))
    .description('End a batch for good. What is done stays; the open companies end as cancelled, free.')
    .action(runs(run, async () => (await import('./control.ts')).cancel));
  jsonOption(program.command('retry').argument('<batch>'))
    .description('Look the failed companies of a finished batch up again.')
    .option('--in-doubt', 'also those whose call was cut off and may have been charged at the source')
    .action(runs(run, async () => (await import('./control.ts')).retry));
  jsonOption(program.command('reparse').argument('<batch>'))
    .description(
      'Read replies of a finished batch again that could not be read, after an update. No source is asked or paid.',
    )
    .action(runs(run, async () => (await import('./control.ts')).reparse));
}

function againOption(command: Command): Command {
  return command.option('--again', 'make a new batch, even when the same file was loaded before');
}

function boundsOptions(command: Command): Command {
  return command
    .option('--limit <rows>', 'look up only the companies of the first rows; a later run goes on')
    .option('--max-credits <credits>', 'what the batch may cost in all; then it waits');
}

function listOptions(command: Command): Command {
  return readingOptions(command, 'which column holds company_domain, company_name or email').option(
    '--operations <names>',
    'ads_search, email_validation or both (default: what the columns allow)',
  );
}

function exportOptions(command: Command): Command {
  return command
    .addOption(new Option('--format <format>', 'default: by the file name').choices(reportFormats))
    .addOption(
      new Option('--shape <shape>', 'one line per …').choices(['rows', 'ads', 'variants']).default('rows'),
    )
    .option('--raw', 'CSV cells as they came, also those that a spreadsheet would run as a formula');
}
