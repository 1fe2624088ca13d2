import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { Command, Option } from 'commander';
import { scopes } from '../core/access/api-key.ts';
import { packageRoot } from '../package-root.ts';
import type { Command as Handler, CommandContext } from './command-context.ts';

/** Runs a command in its context; `isJson` is its `--json`. */
export type RunCommand = (
  isJson: boolean,
  run: (context: CommandContext) => Promise<number>,
) => Promise<void>;

/** Where help goes, and what is wrong with the arguments. */
export interface ProgramStreams {
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/**
 * The commands with their arguments and options. Each loads its code when it is called, so that `--help` is quick.
 */
export function createProgram({ stdout, stderr }: ProgramStreams, run: RunCommand): Command {
  const program = new Command('nightshift')
    .description(
      'Hand over a list of companies in the evening; query the ads they run, in SQL, in the morning.',
    )
    .version(readVersion(), '-V, --version', 'print the version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
    })
    .showHelpAfterError('Run it with --help to see what it takes.')
    .addHelpText('after', exitCodeHelp);
  addListCommands(program, run);
  addBatchCommands(program, run);
  addLookupCommands(program, run);
  addOperatorCommands(program, run);
  return program;
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}

const exitCodeHelp = `
Exit codes: 0 done; 1 finished, some lookups failed (or findings); 2 wrong usage or configuration; 3 out of credits;
4 key missing or refused; 5 database or queue unreachable; 130 interrupted.`;

function addListCommands(program: Command, run: RunCommand): void {
  const enrich = listOptions(
    program.command('enrich').argument('<file>', 'CSV of companies; - for standard input'),
  )
    .summary('look up a list and write the result, in one go')
    .description('Load, work and export in one go. Ctrl-C keeps the work; the same command goes on with it.')
    .option('-o, --output <file>', 'where to write; - for stdout (default: <file>-enriched.csv)');
  exportOptions(sourceOption(againOption(boundsOptions(enrich)))).action(
    runs(run, async () => (await import('./commands/enrich.ts')).enrich),
  );

  listOptions(program.command('check').argument('<file>', 'CSV of companies; - for standard input'))
    .summary('what a file holds and what it costs at most; offline')
    .description(
      'Columns, bad rows, duplicates and the cost, before anything is loaded. Exit 0 clean, 1 findings, 2 unreadable.',
    )
    .action(runs(run, async () => (await import('./commands/check.ts')).check));

  const load = listOptions(
    program.command('load').argument('<file>', 'CSV of companies; - for standard input'),
  )
    .summary('store a list as a batch and print its id')
    .description('Store a list as a batch; `up` and `work` do the work. Prints only the batch id on stdout.');
  sourceOption(againOption(boundsOptions(load))).action(
    runs(run, async () => (await import('./commands/load.ts')).load),
  );

  jsonOption(program.command('demo'))
    .description('The main job on the bundled sample list and generated sample ads; nothing else needed.')
    .action(runs(run, async () => (await import('./commands/demo.ts')).demo));
}

function addBatchCommands(program: Command, run: RunCommand): void {
  jsonOption(program.command('status').argument('[batch]', 'a batch id; without one the newest batches'))
    .description('How far a batch is, or the newest batches.')
    .action(runs(run, async () => (await import('./commands/status.ts')).status));

  jsonOption(program.command('watch').argument('<batch>'))
    .description('Follow a batch until it is finished or waits for something.')
    .action(runs(run, async () => (await import('./commands/watch.ts')).watch));

  exportOptions(jsonOption(program.command('export').argument('<batch>')))
    .description('Write a batch to a file: one line per input row, per ad or per variant.')
    .option('-o, --output <file>', 'where to write; - for stdout', '-')
    .action(runs(run, async () => (await import('./commands/export.ts')).exportCommand));

  addControlCommands(program, run);

  jsonOption(program.command('up'))
    .description(
      'Everything in one process: the API, the dispatcher and the workers. Goes on until it is stopped.',
    )
    .action(runs(run, async () => (await import('./commands/up.ts')).up));
  jsonOption(program.command('serve'))
    .description('The API alone, on HOST and PORT.')
    .action(runs(run, async () => (await import('./commands/serve.ts')).serve));
  jsonOption(program.command('work'))
    .description('A worker. Run as many as you like, on as many hosts, against one Postgres and one Redis.')
    .action(runs(run, async () => (await import('./commands/work.ts')).work));
}

function addControlCommands(program: Command, run: RunCommand): void {
  jsonOption(program.command('pause').argument('<batch>'))
    .description('Stop a batch for now. Once this returns, no call of it is under way and none begins.')
    .action(runs(run, async () => (await import('./commands/control.ts')).pause));
  boundsOptions(jsonOption(program.command('resume').argument('<batch>')))
    .description('Let a batch that is paused or waits go on. A limit that is reached is lifted.')
    .action(runs(run, async () => (await import('./commands/control.ts')).resume));
  jsonOption(program.command('cancel').argument('<batch>'))
    .description('End a batch for good. What is done stays; the open companies end as cancelled, free.')
    .action(runs(run, async () => (await import('./commands/control.ts')).cancel));
  jsonOption(program.command('retry').argument('<batch>'))
    .description('Look the failed companies of a finished batch up again.')
    .option('--in-doubt', 'also those whose call was cut off and may have been charged at the source')
    .action(runs(run, async () => (await import('./commands/control.ts')).retry));
}

function addLookupCommands(program: Command, run: RunCommand): void {
  sourceOption(jsonOption(program.command('search')))
    .description('The ads of one company. --json prints the response body of the service contract.')
    .option('--domain <domain>', 'website domain of the company (the better input)')
    .option('--name <name>', 'name of the company')
    .action(runs(run, async () => (await import('./commands/search.ts')).search));

  jsonOption(program.command('validate').argument('[addresses...]', 'e-mail addresses'))
    .summary('the verdict on e-mail addresses')
    .description(
      'What is known of addresses: whether they are well formed, whether their domains take mail, and more. With --ndjson it ' +
        'reads lines such as {"id": 1, "email": "jane@example.com"} from standard input and writes a verdict a line, in order.',
    )
    .option('--ndjson', 'read addresses from standard input, a JSON object a line')
    .option('--syntax-only', 'look at the text alone: offline, nothing is stored or charged')
    .addOption(
      new Option('--profile <profile>', 'what counts as an address; with --syntax-only').choices([
        'deliverable',
        'rfc5321',
      ]),
    )
    .action(runs(run, async () => (await import('./commands/validate.ts')).validate));

  jsonOption(program.command('forget').argument('<address>', 'an e-mail address'))
    .description(
      'Forget a person: the address goes from all lists, lookups and verdicts, and is never asked about again. The ledger stays.',
    )
    .action(runs(run, async () => (await import('./commands/forget.ts')).forget));

  jsonOption(program.command('sql').argument('[query]'))
    .description('A read-only query over the views of the schema reports.')
    .addOption(new Option('--format <format>', 'how to print the answer').choices(['table', 'csv', 'json']))
    .option('--url', 'print the reader login as a connection string, for psql and others')
    .action(runs(run, async () => (await import('./commands/sql.ts')).sql));

  const snapshot = program.command('snapshot').description('The local snapshot of ads.');
  jsonOption(snapshot.command('load').argument('[files...]', 'NDJSON or CSV exports, gzipped or not'))
    .description('Load exports of the public dataset google_ads_transparency_center.creative_stats.')
    .option('--sample', 'load the bundled, generated sample instead')
    .action(runs(run, async () => (await import('./commands/snapshot-load.ts')).snapshotLoad));
}

function addOperatorCommands(program: Command, run: RunCommand): void {
  addAccessCommands(program, run);
  addListsCommands(program, run);
  addOptOutCommands(program, run);
  const credits = accountOption(jsonOption(program.command('credits')))
    .description('The balance of the account.')
    .action(runs(run, async () => (await import('./commands/credits.ts')).credits));
  accountOption(jsonOption(credits.command('grant').argument('<amount>', 'credits, such as 25 or 0.2')))
    .description('Add credits to the account.')
    .requiredOption('--reason <text>', 'why, for the ledger')
    .action(runs(run, async () => (await import('./commands/credits.ts')).grantCredits));

  jsonOption(program.command('prices'))
    .description('The price book.')
    .action(runs(run, async () => (await import('./commands/prices.ts')).prices));
  jsonOption(program.command('verify'))
    .description('Check every invariant and say how much was checked. Exit 1 when one is broken.')
    .action(runs(run, async () => (await import('./commands/verify.ts')).verify));
  jsonOption(program.command('doctor'))
    .description('Check what a night depends on, and say how to mend what is wrong. Exit 1 with a problem.')
    .action(runs(run, async () => (await import('./commands/doctor.ts')).doctor));
  jsonOption(program.command('migrate'))
    .description('Bring the database schema up to date.')
    .action(runs(run, async () => (await import('./commands/migrate.ts')).migrateCommand));
  jsonOption(program.command('config'))
    .description('Every setting, its value, and where the value comes from.')
    .action(runs(run, async () => (await import('./commands/config.ts')).configCommand));
  jsonOption(program.command('stop'))
    .description('Stop the private Postgres server. Its data stay.')
    .option('--force', 'also while others are connected')
    .action(runs(run, async () => (await import('./commands/stop.ts')).stop));
}

function addListsCommands(program: Command, run: RunCommand): void {
  const lists = jsonOption(program.command('lists'))
    .summary('the lists that e-mail addresses are judged by')
    .description(
      'The lists that e-mail addresses are judged by: how much they hold, from where and from when.',
    )
    .action(runs(run, async () => (await import('./commands/lists.ts')).lists));
  jsonOption(lists.command('refresh'))
    .description(
      'Fetch the list of throw-away domains anew. One that looks wrong is refused and changes nothing.',
    )
    .option('--from <url>', 'an https address with one domain a line (default: where the list is made)')
    .action(runs(run, async () => (await import('./commands/lists.ts')).refreshLists));
}

function addOptOutCommands(program: Command, run: RunCommand): void {
  const optOuts = jsonOption(program.command('opt-outs'))
    .summary('who is never asked about')
    .description('The domains and persons that want to be left alone: nobody is asked about their addresses.')
    .action(runs(run, async () => (await import('./commands/opt-outs.ts')).optOuts));
  jsonOption(optOuts.command('add').argument('<names...>', 'domains or e-mail addresses'))
    .description('Leave them alone. Of an address a digest is kept; a domain covers those under it.')
    .action(runs(run, async () => (await import('./commands/opt-outs.ts')).addOptOuts));
  jsonOption(optOuts.command('remove').argument('<names...>', 'domains or e-mail addresses'))
    .description('Ask about them again.')
    .action(runs(run, async () => (await import('./commands/opt-outs.ts')).removeOptOuts));
}

function addAccessCommands(program: Command, run: RunCommand): void {
  const accounts = jsonOption(program.command('accounts'))
    .description('The accounts, with their credits and keys.')
    .action(runs(run, async () => (await import('./commands/accounts.ts')).accounts));
  jsonOption(accounts.command('add').argument('<name>'))
    .description('A new account, without credits.')
    .action(runs(run, async () => (await import('./commands/accounts.ts')).addAccount));

  const keys = accountOption(jsonOption(program.command('keys')))
    .description('The API keys of the account.')
    .action(runs(run, async () => (await import('./commands/keys.ts')).keys));
  accountOption(jsonOption(keys.command('create')))
    .description('A new key. It is shown once and never again.')
    .option('--name <text>', 'what it is for', 'unnamed')
    .option(
      '--scopes <names>',
      `what it may do, separated by commas: ${scopes.join(', ')} (default: all but admin)`,
    )
    .option('--expires <days>', 'after how many days it expires (default: never)')
    .action(runs(run, async () => (await import('./commands/keys.ts')).createKey));
  accountOption(jsonOption(keys.command('regenerate').argument('<key-id>')))
    .description('A new key in place of an old one, which is refused from now on.')
    .action(runs(run, async () => (await import('./commands/keys.ts')).regenerateKey));
  accountOption(jsonOption(keys.command('revoke').argument('<key-id>')))
    .description('Refuse a key from now on.')
    .action(runs(run, async () => (await import('./commands/keys.ts')).revokeKey));
}

/**
 * The action of a command: loads its code and runs it. Commander hands over the arguments, then the options, then the command;
 * a subcommand's `--json` may have been taken by the command above it.
 */
function runs<Arguments extends readonly unknown[], Options>(
  run: RunCommand,
  load: () => Promise<Handler<Arguments, Options>>,
) {
  return (...parameters: [...Arguments, Options, Command]): Promise<void> => {
    const command = parameters.at(-1) as Command;
    const options = parameters.at(-2) as Options;
    const args = parameters.slice(0, -2) as unknown as Arguments;
    const isJson = command.optsWithGlobals<{ json?: boolean }>().json === true;
    return run(isJson, async (context) => (await load())(context, options, ...args));
  };
}

function jsonOption(command: Command): Command {
  return command.option('--json', 'print one JSON document');
}

function accountOption(command: Command): Command {
  return command.option('--account <name>', 'whose (default: default)');
}

function sourceOption(command: Command): Command {
  return command.option('--source <names>', 'where ads come from, in order: snapshot, upstream, sample');
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
  return jsonOption(command)
    .option('--map <field=column...>', 'which column holds company_domain, company_name or email')
    .option('--encoding <name>', 'such as windows-1252 (default: found out)')
    .option('--delimiter <character>', 'a character, or tab (default: found out)')
    .option('--no-header', 'the first line is data')
    .option('--columns <names>', 'names of the columns, separated by commas')
    .option('--operations <names>', 'ads_search, email_validation or both (default: what the columns allow)');
}

function exportOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--format <format>', 'default: by the file name').choices(['csv', 'ndjson', 'json']),
    )
    .addOption(
      new Option('--shape <shape>', 'one line per …').choices(['rows', 'ads', 'variants']).default('rows'),
    )
    .option('--raw', 'CSV cells as they came, also those that a spreadsheet would run as a formula');
}
