import { Option, type Command } from 'commander';
import { batchOrigins } from '../../../core/batches/batch-origin.ts';
import { batchStates } from '../../../core/batches/batch.ts';
import { reportFormats } from '../../../reporter/formats/report-format.ts';
import { batchArgument } from '../../context/choose-batch.ts';
import {
  accountOption,
  jsonOption,
  readingOptions,
  creates,
  runs,
  searchOptions,
  type RunCommand,
} from '../../context/command-options.ts';

const fileText = 'file of companies: CSV, Excel, ODS, Parquet or JSON; - for standard input';

/** Adds `enrich`, `check`, `load` and the commands for one batch. */
export function addBatchesCommands(program: Command, run: RunCommand): void {
  program.commandsGroup('Batches:');
  const enrich = accountOption(fileOptions(program.command('enrich').argument('<file>', fileText)))
    .summary('Enrich a file and write the results')
    .description(
      'Enrich a file and write the results: load it as a batch, run its lookups, export it. Ctrl-C keeps completed work; run the same ' +
        'command to continue.',
    )
    .option('-o, --output <file>', 'output file; - for stdout (default: <file>-enriched.csv)');

  exportOptions(searchOptions(labelOptions(againOption(boundsOptions(enrich))))).action(
    creates(run, async () => (await import('./enrich.ts')).enrich),
  );

  fileOptions(program.command('check').argument('<file...>', fileText))
    .summary('Check a file and show its maximum cost')
    .description(
      'Check a file and show its maximum cost: columns, rejected rows, duplicates. Works offline and loads nothing. With --strict, ' +
        'duplicates are findings too. With --parsed, takes ' +
        'several files, writes what it reads of each as NDJSON, and prints one line for each: {"file", "refused"}.',
    )
    .option('--source <names>', 'ad sources whose cost to show, by the price book; this opens the database')
    .option('--parsed <folder>', 'write the rows of each file to this folder, as NDJSON')
    .action(runs(run, async () => (await import('./check.ts')).check));

  const load = accountOption(fileOptions(program.command('load').argument('<file>', fileText)))
    .summary('Load a file and print the batch id')
    .description('Load a file and print the batch id. A running `up` or `work` processes the batch.');

  searchOptions(labelOptions(againOption(boundsOptions(load)))).action(
    creates(run, async () => (await import('./load.ts')).load),
  );

  listOptions(
    accountOption(
      jsonOption(
        program.command('status').argument('[batch]', `${batchArgument}; without one, the newest batches`),
      ),
    ),
  )
    .summary('Show a batch, or list the newest batches')
    .description(
      'Show a batch, or list the newest batches. The filters apply to the list. Archived batches are left out by default.',
    )
    .action(runs(run, async () => (await import('./status.ts')).status));

  batchCommand(program, 'watch')
    .description('Follow a batch until it finishes or waits')
    .action(runs(run, async () => (await import('./watch.ts')).watch));

  const exported = program
    .command('export')
    .argument('[batch]', `${batchArgument}; with --since, all batches by default`);
  exportOptions(accountOption(jsonOption(exported)))
    .summary('Export a batch as rows, ads or variants')
    .description(
      'Export a batch as rows, ads or variants: one line for each. With --since, export only rows that ended since then, by default of all ' +
        'batches, and print the moment to pass next time: consecutive exports have every row once.',
    )
    .option('-o, --output <file>', 'output file; - for stdout', '-')
    .option(
      '--since <when>',
      'only rows that ended since: an age such as 12h or 7d, a day, or the moment that the last export printed',
    )
    .option('--rows <rows>', 'only these rows of the batch: numbers and ranges, such as 1,5,9-20')
    .option(
      '--delimiter <character>',
      'CSV: character between cells: a comma, ;, tab or | (default: a comma)',
    )
    .option(
      '--for-excel',
      'CSV that Excel opens where it opened your file: its delimiter, a byte order mark, with ; also decimal commas',
    )
    .option('--bom', 'CSV: begin with a byte order mark, by which Excel recognizes UTF-8')
    .action(runs(run, async () => (await import('./export.ts')).exportCommand));

  addReportCommand(program, run);
  addReportLinksCommand(program, run);
  addControlCommands(program, run);
  addLabelCommands(program, run);
}

function addReportCommand(program: Command, run: RunCommand): void {
  accountOption(
    jsonOption(
      program
        .command('report')
        .argument('<batch|schedule>', 'batch, as in export, or name or id of a schedule'),
    ),
  )
    .summary('Write a report on a batch or a schedule')
    .description(
      'Write a report on a batch or a schedule: a self-contained HTML file with charts and tables, which needs no network access, or ' +
        'Markdown for a terminal or a pull request. The report on a schedule covers its scans, changes and failures.',
    )
    .option('-o, --output <file>', 'output file, .html or .md; - for stdout', '-')
    .addOption(
      new Option('--format <format>', 'report format (default: by file name; md on stdout)').choices([
        'html',
        'md',
      ]),
    )
    .option('--images', "include ad images, which the browser loads from Google's servers; HTML only")
    .option(
      '--days <number>',
      'number of days up to the newest scan; schedules only (default: 30). With --share: days until the link expires, up to 90 (default: 7)',
    )
    .option('--share', 'print a link to the report that needs no sign-in, instead of the report')
    .action(runs(run, async () => (await import('./report.ts')).report));
}

function addReportLinksCommand(program: Command, run: RunCommand): void {
  const load = () => import('./report-links.ts');
  const links = accountOption(jsonOption(program.command('report-links')))
    .summary('Manage links to reports')
    .description(
      'Manage links to reports, which need no sign-in. `report NAME --share` creates one. Without a subcommand, lists all links of the account.',
    )
    .action(runs(run, async () => (await load()).listAllReportLinks));
  accountOption(
    jsonOption(
      links
        .command('list')
        .argument('[batch|schedule]', 'batch, as in export, or name or id of a schedule; without one, all'),
    ),
  )
    .description('List links with their creators, expiry and number of visits')
    .action(runs(run, async () => (await load()).listReportLinks));
  accountOption(jsonOption(links.command('revoke').argument('<link>', 'id of the link: rpl_…')))
    .description('Revoke a link, with immediate effect')
    .action(runs(run, async () => (await load()).revokeReportLink));
}

function addControlCommands(program: Command, run: RunCommand): void {
  batchCommand(program, 'pause')
    .summary('Pause a batch')
    .description(
      'Pause a batch. When the command returns, no call of the batch is in flight and none starts.',
    )
    .action(runs(run, async () => (await import('./control.ts')).pause));
  boundsOptions(batchCommand(program, 'resume'))
    .summary('Resume a paused or waiting batch')
    .description('Resume a paused or waiting batch. A row limit that was reached is removed.')
    .action(runs(run, async () => (await import('./control.ts')).resume));
  batchCommand(program, 'cancel')
    .summary('Cancel a batch')
    .description(
      'Cancel a batch permanently. Results are kept; open lookups end as cancelled, free of charge.',
    )
    .action(runs(run, async () => (await import('./control.ts')).cancel));
  batchCommand(program, 'retry')
    .summary('Retry failed lookups of a finished batch')
    .description(
      'Retry failed lookups of a finished batch. Other rows of the same companies and addresses get their results, too.',
    )
    .option('--in-doubt', 'include lookups whose call was cut off and may have been charged')
    .option('--mapped', 'instead, look up companies that were not identified and are mapped now')
    .option('--unidentified', 'include companies that were not identified, mapped or not')
    .option('--rows <rows>', 'only lookups of these rows: numbers and ranges, such as 1,5,9-20')
    .option('--dry-run', 'print the number of lookups and their maximum cost, and retry none')
    .action(runs(run, async () => (await import('./control.ts')).retry));
  labelOptions(boundsOptions(batchCommand(program, 'run-again')))
    .summary('Run the rows of a batch again')
    .description(
      'Run the rows of a batch again and print the id of the new batch. It has the same columns, operations, sources and search. A running ' +
        '`up` or `work` processes it. Each lookup is charged anew, unless --max-age allows an earlier answer.',
    )
    .option('--max-age <age>', 'reuse stored answers up to this age for free, such as 30m, 12h, 7d')
    .action(runs(run, async () => (await import('./run-again.ts')).runAgain));
  batchCommand(program, 'reparse')
    .summary('Parse stored responses of a batch again')
    .description(
      'Parse stored responses of a batch again, after an update: those of lookups that failed because the response could not be parsed. ' +
        'Calls no source and costs nothing.',
    )
    .action(runs(run, async () => (await import('./control.ts')).reparse));
}

function addLabelCommands(program: Command, run: RunCommand): void {
  batchCommand(program, 'rename')
    .argument('<name>')
    .description('Rename a batch; downloads are named after it')
    .action(runs(run, async () => (await import('./labels.ts')).rename));
  batchCommand(program, 'tag')
    .argument('[tags...]', 'without tags, removes all')
    .description('Replace the tags of a batch')
    .action(runs(run, async () => (await import('./labels.ts')).tag));
  batchCommand(program, 'archive')
    .summary('Archive a batch')
    .description('Archive a batch: `status` lists it only with --archived. Everything else works as before.')
    .option('--undo', 'move it back to the list')
    .action(runs(run, async () => (await import('./labels.ts')).archive));
  batchCommand(program, 'delete')
    .summary('Delete an ended batch')
    .description(
      'Delete a finished or cancelled batch. Its rows and results are purged a day after its end at the earliest; its charges stay in ' +
        'the ledger.',
    )
    .action(runs(run, async () => (await import('./labels.ts')).deleteBatch));
}

function listOptions(command: Command): Command {
  return command
    .option('--search <words>', 'only batches with these words in name, file name, id or tags')
    .option('--tag <tag>', 'only batches with this tag')
    .addOption(new Option('--state <state>', 'only batches in this state').choices(batchStates))
    .addOption(new Option('--origin <origin>', 'only batches of this origin').choices(batchOrigins))
    .option('--owner <owner>', 'only batches of this user or key (login or id), or cli')
    .option('--archived', 'only archived batches');
}

function labelOptions(command: Command): Command {
  return command
    .option('--name <name>', 'name of the new batch (default: the name of the file)')
    .option('--tag <tags...>', 'tags of the new batch');
}

/** A command for one batch. */
function batchCommand(program: Command, name: string): Command {
  return accountOption(jsonOption(program.command(name).argument('<batch>', batchArgument)));
}

function againOption(command: Command): Command {
  return command.option('--again', 'create a new batch even if the same file was loaded before');
}

function boundsOptions(command: Command): Command {
  return command
    .option('--limit <rows>', 'number of rows to look up; a later run continues')
    .option('--max-credits <credits>', 'budget of the batch in credits; the batch waits when it is used up')
    .option(
      '--max-spend <amount>',
      'maximum cost of its calls to sources, in the currency of their prices, such as 5USD; then the batch waits',
    );
}

function fileOptions(command: Command): Command {
  return readingOptions(command, 'column for company_domain, company_name or email').option(
    '--operations <names>',
    'ads_search, email_validation or both (default: as the columns allow)',
  );
}

function exportOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--format <format>', 'output format (default: by file name)').choices(reportFormats),
    )
    .addOption(
      new Option('--shape <shape>', 'content of a line').choices(['rows', 'ads', 'variants']).default('rows'),
    )
    .option('--raw', 'write CSV cells unescaped, even if a spreadsheet would run them as a formula');
}
