import type { Writable } from 'node:stream';
import { Command, Option } from 'commander';
import { scopes } from '../core/accounts/api-key.ts';
import { roles } from '../core/accounts/roles.ts';
import { advertiserRoles } from '../core/companies/company-mapping.ts';
import { noticeEvents } from '../core/events/event.ts';
import { deliveryStates } from '../core/events/webhook-store.ts';
import { packageVersion } from '../package-root.ts';
import { purgeKinds } from '../core/purge/purge-kinds.ts';
import { sourceNames } from '../config/source-names.ts';
import { reportFormats } from '../reporter/formats/report-format.ts';
import {
  accountOption,
  jsonOption,
  readingOptions,
  runs,
  type RunCommand,
} from './context/command-options.ts';
import { addScheduleCommands } from './commands/schedules/schedule-program.ts';

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
    .version(packageVersion, '-V, --version', 'print the version')
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
  addScheduleCommands(program, run);
  addOperatorCommands(program, run);
  return program;
}

const exitCodeHelp = `
Exit codes: 0 done; 1 finished, some lookups failed (or findings); 2 wrong usage
or configuration; 3 out of credits, or the budget of calls to a source is spent;
4 key missing or refused; 5 database or queue unreachable; 130 interrupted.`;

function addListCommands(program: Command, run: RunCommand): void {
  const enrich = listOptions(
    program.command('enrich').argument('<file>', 'CSV of companies; - for standard input'),
  )
    .summary('look up a list and write the result, in one go')
    .description('Load, work and export in one go. Ctrl-C keeps the work; the same command goes on with it.')
    .option('-o, --output <file>', 'where to write; - for stdout (default: <file>-enriched.csv)');
  exportOptions(searchOptions(againOption(boundsOptions(enrich)))).action(
    runs(run, async () => (await import('./commands/batches/enrich.ts')).enrich),
  );

  listOptions(program.command('check').argument('<file>', 'CSV of companies; - for standard input'))
    .summary('what a file holds and what it costs at most; offline')
    .description(
      'Columns, bad rows, duplicates and the cost, before anything is loaded. Exit 0 clean, 1 findings, 2 unreadable.',
    )
    .action(runs(run, async () => (await import('./commands/batches/check.ts')).check));

  const load = listOptions(
    program.command('load').argument('<file>', 'CSV of companies; - for standard input'),
  )
    .summary('store a list as a batch and print its id')
    .description('Store a list as a batch; `up` and `work` do the work. Prints only the batch id on stdout.');
  searchOptions(againOption(boundsOptions(load))).action(
    runs(run, async () => (await import('./commands/batches/load.ts')).load),
  );

  jsonOption(program.command('demo'))
    .description('The main job on the bundled sample list and generated sample ads; nothing else needed.')
    .action(runs(run, async () => (await import('./commands/server/demo.ts')).demo));
}

function addBatchCommands(program: Command, run: RunCommand): void {
  jsonOption(program.command('status').argument('[batch]', 'a batch id; without one the newest batches'))
    .description('How far a batch is, or the newest batches.')
    .action(runs(run, async () => (await import('./commands/batches/status.ts')).status));

  jsonOption(program.command('watch').argument('<batch>'))
    .description('Follow a batch until it is finished or waits for something.')
    .action(runs(run, async () => (await import('./commands/batches/watch.ts')).watch));

  exportOptions(jsonOption(program.command('export').argument('<batch>')))
    .description('Write a batch to a file: one line per input row, per ad or per variant.')
    .option('-o, --output <file>', 'where to write; - for stdout', '-')
    .action(runs(run, async () => (await import('./commands/batches/export.ts')).exportCommand));

  addReportCommand(program, run);
  addControlCommands(program, run);

  jsonOption(program.command('up'))
    .description(
      'Everything in one process: the API, the dispatcher and the workers. Goes on until it is stopped.',
    )
    .action(runs(run, async () => (await import('./commands/server/up.ts')).up));
  jsonOption(program.command('serve'))
    .description('The API alone, on HOST and PORT.')
    .action(runs(run, async () => (await import('./commands/server/serve.ts')).serve));
  jsonOption(program.command('work'))
    .description('A worker. Run as many as you like, on as many hosts, against one Postgres and one Redis.')
    .action(runs(run, async () => (await import('./commands/server/work.ts')).work));
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
    .action(runs(run, async () => (await import('./commands/batches/report.ts')).report));
}

function addControlCommands(program: Command, run: RunCommand): void {
  jsonOption(program.command('pause').argument('<batch>'))
    .description('Stop a batch for now. Once this returns, no call of it is under way and none begins.')
    .action(runs(run, async () => (await import('./commands/batches/control.ts')).pause));
  boundsOptions(jsonOption(program.command('resume').argument('<batch>')))
    .description('Let a batch that is paused or waits go on. A limit that is reached is lifted.')
    .action(runs(run, async () => (await import('./commands/batches/control.ts')).resume));
  jsonOption(program.command('cancel').argument('<batch>'))
    .description('End a batch for good. What is done stays; the open companies end as cancelled, free.')
    .action(runs(run, async () => (await import('./commands/batches/control.ts')).cancel));
  jsonOption(program.command('retry').argument('<batch>'))
    .description('Look the failed companies of a finished batch up again.')
    .option('--in-doubt', 'also those whose call was cut off and may have been charged at the source')
    .action(runs(run, async () => (await import('./commands/batches/control.ts')).retry));
  jsonOption(program.command('reparse').argument('<batch>'))
    .description(
      'Read replies of a finished batch again that could not be read, after an update. No source is asked or paid.',
    )
    .action(runs(run, async () => (await import('./commands/batches/control.ts')).reparse));
}

function addLookupCommands(program: Command, run: RunCommand): void {
  searchOptions(jsonOption(program.command('search')))
    .description('The ads of one company. --json prints the response body of the service contract.')
    .option('--domain <domain>', 'website domain of the company (the better input)')
    .option('--name <name>', 'name of the company')
    .action(runs(run, async () => (await import('./commands/sources/search.ts')).searchOne));

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
    .action(runs(run, async () => (await import('./commands/emails/validate.ts')).validate));

  jsonOption(program.command('forget').argument('<address>', 'an e-mail address'))
    .description(
      'Forget a person: the address goes from all lists, lookups and verdicts, and is never asked about again. The ledger stays.',
    )
    .action(runs(run, async () => (await import('./commands/emails/erase.ts')).forget));

  jsonOption(program.command('sql').argument('[query]'))
    .description('A read-only query over the views of the schema reports.')
    .addOption(new Option('--format <format>', 'how to print the answer').choices(['table', 'csv', 'json']))
    .option('--url', 'print the reader login as a connection string, for psql and others')
    .action(runs(run, async () => (await import('./commands/sql/sql.ts')).sql));

  const snapshot = program.command('snapshot').description('The local snapshot of ads.');
  jsonOption(snapshot.command('load').argument('[files...]', 'NDJSON or CSV exports, gzipped or not'))
    .description('Load exports of the public dataset google_ads_transparency_center.creative_stats.')
    .option('--sample', 'load the bundled, generated sample instead')
    .action(runs(run, async () => (await import('./commands/sources/snapshot-load.ts')).snapshotLoad));
}

function addOperatorCommands(program: Command, run: RunCommand): void {
  addAccessCommands(program, run);
  addUserCommands(program, run);
  addCompaniesCommands(program, run);
  addListsCommands(program, run);
  addOptOutCommands(program, run);
  addWebhookCommands(program, run);
  const credits = accountOption(jsonOption(program.command('credits')))
    .description('The balance of the account.')
    .action(runs(run, async () => (await import('./commands/credits/credits.ts')).credits));
  accountOption(jsonOption(credits.command('grant').argument('<amount>', 'credits, such as 25 or 0.2')))
    .description('Add credits to the account.')
    .requiredOption('--reason <text>', 'why, for the ledger')
    .action(runs(run, async () => (await import('./commands/credits/credits.ts')).grantCredits));
  accountOption(jsonOption(credits.command('low').argument('[amount]', 'credits; 0: never')))
    .description('Below how many credits the account is told that it runs low, or set that.')
    .action(runs(run, async () => (await import('./commands/credits/credits.ts')).lowCredits));

  const prices = jsonOption(program.command('prices'))
    .description('The price books: what an answer costs here, and what the sources charge.')
    .action(runs(run, async () => (await import('./commands/credits/prices.ts')).prices));
  jsonOption(prices.command('source').argument('<source>').argument('<amount>', "in the source's own money"))
    .description('What a unit costs at a source from now on, for the bill and `audit`.')
    .option('--currency <name>', 'its money, such as USD or credits (default: as before)')
    .option('--unit <words>', 'what a unit is (default: as before)')
    .option('--note <text>', 'a remark')
    .action(runs(run, async () => (await import('./commands/credits/prices.ts')).setSourcePrice));
  jsonOption(program.command('audit'))
    .summary('the bill of the sources')
    .description(
      'What the sources charged, beside what their price book says, and which calls may have been charged without an answer. Exit 1 ' +
        'when the two differ.',
    )
    .option('--since <time>', 'only calls of the last 30m, 12h, 7d … (default: all)')
    .action(runs(run, async () => (await import('./commands/credits/audit.ts')).audit));
  const sources = jsonOption(program.command('sources'))
    .summary('where ads can come from')
    .description(
      'Every source: whether it is set up, whether its adapter was checked against the recorded shape of its replies, and when it was ' +
        'last checked live.',
    )
    .action(runs(run, async () => (await import('./commands/sources/sources.ts')).sources));
  jsonOption(sources.command('smoke').argument('<source>'))
    .summary('ask a source one real question')
    .description(
      'Ask a source about one company, one page, and say how its reply differs in shape from the recorded one. It may cost what one ' +
        'call costs there, and ads that are found are charged to the account default as in every search: without credits nothing is asked.',
    )
    .option('--domain <domain>', 'the company to ask about', 'nike.com')
    .option('--name <name>', 'its name, for a source that knows no domains')
    .action(runs(run, async () => (await import('./commands/sources/sources-smoke.ts')).smokeSource));
  jsonOption(program.command('purge'))
    .summary('take away what is old enough')
    .description(
      'Take away data that is older than it may become: the rows of finished lists and what was found for them, addresses, scans, the ' +
        'record of calls, notices (docs/guides/retention.md). The ledger stays, whole. It asks nothing: see with --dry-run what would go.',
    )
    .option('--older-than <time>', 'what ended longer ago than 365d, 30d … (default: what the settings say)')
    .option('--kind <names>', `only these, separated by commas: ${purgeKinds.join(', ')}`)
    .option('--account <name>', 'only of this account (default: of all)')
    .option('--dry-run', 'say what would go, and change nothing')
    .action(runs(run, async () => (await import('./commands/server/purge.ts')).purgeCommand));
  jsonOption(program.command('verify'))
    .description('Check every invariant and say how much was checked. Exit 1 when one is broken.')
    .action(runs(run, async () => (await import('./commands/server/verify.ts')).verify));
  jsonOption(program.command('doctor'))
    .description('Check what a night depends on, and say how to mend what is wrong. Exit 1 with a problem.')
    .action(runs(run, async () => (await import('./commands/server/doctor.ts')).doctor));
  jsonOption(program.command('migrate'))
    .description('Bring the database schema up to date.')
    .option('--logins', 'also make the logins of DATABASE_URL and of the readers, with their passwords')
    .action(runs(run, async () => (await import('./commands/server/migrate.ts')).migrateCommand));
  jsonOption(program.command('config'))
    .description('Every setting, its value, and where the value comes from.')
    .action(runs(run, async () => (await import('./commands/server/config.ts')).configCommand));
  jsonOption(program.command('stop'))
    .description('Stop the private Postgres server. Its data stay.')
    .option('--force', 'also while others are connected')
    .action(runs(run, async () => (await import('./commands/server/stop.ts')).stop));
}

function addCompaniesCommands(program: Command, run: RunCommand): void {
  const company = ['<company>', 'a domain, or the name where a list has no domain'] as const;
  const companies = accountOption(jsonOption(program.command('companies')))
    .summary('which advertisers belong to a company')
    .description(
      'Your own mapping of companies to their advertisers. It comes before every other way to tell whose ads are whose. A company is ' +
        'known by its domain, and by its name where a list gives none: map what your lists have. By itself it lists the mapping of all.',
    )
    .action(runs(run, async () => (await import('./commands/sources/companies.ts')).listCompanies));
  accountOption(jsonOption(companies.command('list').argument('[company]', company[1])))
    .description('The advertisers that one company, or every company, is mapped to.')
    .action(runs(run, async () => (await import('./commands/sources/companies.ts')).listCompanies));
  accountOption(jsonOption(companies.command('map').argument(...company)))
    .argument('<advertiser-ids...>', 'as the source has them, such as AR and 20 digits')
    .description('Map a company to advertisers, or change what they are to it.')
    .addOption(
      new Option('--role <role>', 'allow: its own; agency: advertises for it; deny: not this company')
        .choices(advertiserRoles)
        .default('allow'),
    )
    .option('--note <text>', 'a remark; without it one that is there stays')
    .action(runs(run, async () => (await import('./commands/sources/companies.ts')).mapCompany));
  accountOption(jsonOption(companies.command('remove').argument(...company)))
    .argument('[advertiser-ids...]', 'those alone (default: all of the company)')
    .description('Take advertisers from the mapping of a company.')
    .action(runs(run, async () => (await import('./commands/sources/companies.ts')).removeCompany));
  accountOption(
    readingOptions(
      companies.command('import').argument('<file>', 'CSV of a mapping; - for standard input'),
      'which column holds company_domain, company_name, advertiser_id, role or note',
    ),
  )
    .summary('map the companies of a file')
    .description(
      'A CSV with a column for the company, as a list has it, and the columns advertiser_id, role and note; the last two may be ' +
        'missing. Lines that cannot be read are named, and the others are mapped. Exit 0 all mapped, 1 findings, 2 unreadable.',
    )
    .action(runs(run, async () => (await import('./commands/sources/companies.ts')).importCompanies));
}

function addListsCommands(program: Command, run: RunCommand): void {
  const lists = jsonOption(program.command('lists'))
    .summary('the lists that e-mail addresses are judged by')
    .description(
      'The lists that e-mail addresses are judged by: how much they hold, from where and from when.',
    )
    .action(runs(run, async () => (await import('./commands/emails/lists.ts')).lists));
  jsonOption(lists.command('refresh'))
    .description(
      'Fetch the list of throw-away domains anew. One that looks wrong is refused and changes nothing.',
    )
    .option('--from <url>', 'an https address with one domain a line (default: where the list is made)')
    .action(runs(run, async () => (await import('./commands/emails/lists.ts')).refreshLists));
}

function addOptOutCommands(program: Command, run: RunCommand): void {
  const optOuts = jsonOption(program.command('opt-outs'))
    .summary('who is never asked about')
    .description('The domains and persons that want to be left alone: nobody is asked about their addresses.')
    .action(runs(run, async () => (await import('./commands/emails/opt-outs.ts')).optOuts));
  jsonOption(optOuts.command('add').argument('<names...>', 'domains or e-mail addresses'))
    .description('Leave them alone. Of an address a digest is kept; a domain covers those under it.')
    .action(runs(run, async () => (await import('./commands/emails/opt-outs.ts')).addOptOuts));
  jsonOption(optOuts.command('remove').argument('<names...>', 'domains or e-mail addresses'))
    .description('Ask about them again.')
    .action(runs(run, async () => (await import('./commands/emails/opt-outs.ts')).removeOptOuts));
}

function addWebhookCommands(program: Command, run: RunCommand): void {
  const commands = () => import('./commands/webhooks/webhooks.ts');
  const webhook = accountOption(jsonOption(program.command('webhook')))
    .summary('who is told of what happens')
    .description(
      'Whom the account has told of what its scans found, and of lists and credits: webhooks, Slack and mail. By itself it lists them.',
    )
    .action(runs(run, async () => (await commands()).listWebhooks));
  const command = (name: string, about: string) =>
    accountOption(jsonOption(webhook.command(name))).description(about);
  command('add', 'Tell somebody. The secret that proves who sends is shown once and never again.')
    .argument('<name>')
    .option('--url <url>', 'an https address, for signed bodies after Standard Webhooks')
    .option('--slack <url>', 'an incoming webhook as Slack has them, for messages')
    .option('--email <address>', 'for messages by mail')
    .option('--events <names>', `separated by commas: ${noticeEvents.join(', ')} (default: all)`)
    .action(runs(run, async () => (await commands()).addWebhook));
  command(
    'list',
    'The webhooks of the account: their state, what is on its way, and what was given up.',
  ).action(runs(run, async () => (await commands()).listWebhooks));
  command(
    'test',
    'Send a notice of the event `test` now, and say what came of it. Exit 1 when it did not arrive.',
  )
    .argument('<name>')
    .action(runs(run, async () => (await commands()).testWebhook));
  command('deliveries', 'The notices of a webhook, the newest first: what has arrived, and what went wrong.')
    .argument('<name>')
    .addOption(new Option('--state <state>', 'only those').choices(deliveryStates))
    .option('--limit <number>', 'so many at most', '20')
    .action(runs(run, async () => (await commands()).webhookDeliveries));
  command('replay', 'Send notices again, at once and under their old ids. Say which:')
    .argument('<name>')
    .option('--notice <id>', 'this one, whether it has arrived or not')
    .option('--dead', 'all that were given up')
    .option('--since <time>', 'all of the last 30m, 12h, 7d … that did not arrive')
    .action(runs(run, async () => (await commands()).replayWebhook));
  command('rotate', 'A new secret, shown once. Bodies are signed with the old one too for a day.')
    .argument('<name>')
    .action(runs(run, async () => (await commands()).rotateWebhook));
  command('enable', 'Send again to one that was switched off; what waits goes out.')
    .argument('<name>')
    .action(runs(run, async () => (await commands()).enableWebhook));
  command(
    'disable',
    'Send nothing for now. What is on its way waits; what happens meanwhile is not kept for it.',
  )
    .argument('<name>')
    .action(runs(run, async () => (await commands()).disableWebhook));
  command('remove', 'Tell it nothing any more.')
    .argument('<name>')
    .action(runs(run, async () => (await commands()).removeWebhook));
}

function addAccessCommands(program: Command, run: RunCommand): void {
  const accounts = jsonOption(program.command('accounts'))
    .description('The accounts, with their credits and keys.')
    .action(runs(run, async () => (await import('./commands/accounts/accounts.ts')).accounts));
  jsonOption(accounts.command('add').argument('<name>'))
    .description('A new account, without credits.')
    .action(runs(run, async () => (await import('./commands/accounts/accounts.ts')).addAccount));
  jsonOption(accounts.command('limits').argument('<name>'))
    .summary('what an account may ask for')
    .description(
      'What an account may ask for, or set that: a number, or default for what the settings say. It counts at once, in every process.',
    )
    .option('--requests-per-minute <number>', 'requests with all its keys and sessions together')
    .option('--open-lookups <number>', 'companies and addresses of its lists that may be in line at a time')
    .option('--rows-per-list <number>', 'data rows of one list')
    .action(runs(run, async () => (await import('./commands/accounts/account-access.ts')).accountLimits));
  jsonOption(accounts.command('login').argument('<name>'))
    .summary('a login to the database that reads this account alone')
    .description(
      'A login to the database for psql and other programs, which reads the views of this account alone. Its connection string is shown ' +
        'once; again, it gets a new password.',
    )
    .option('--remove', 'remove it, and end its sessions')
    .action(runs(run, async () => (await import('./commands/accounts/account-access.ts')).accountLogin));

  const keys = accountOption(jsonOption(program.command('keys')))
    .description('The API keys of the account.')
    .action(runs(run, async () => (await import('./commands/accounts/keys.ts')).keys));
  accountOption(jsonOption(keys.command('create')))
    .description('A new key. It is shown once and never again.')
    .option('--name <text>', 'what it is for', 'unnamed')
    .option(
      '--scopes <names>',
      `what it may do, separated by commas: ${scopes.join(', ')} (default: all but admin)`,
    )
    .option('--expires <days>', 'after how many days it expires (default: never)')
    .action(runs(run, async () => (await import('./commands/accounts/keys.ts')).createKey));
  accountOption(jsonOption(keys.command('regenerate').argument('<key-id>')))
    .description('A new key in place of an old one, which is refused from now on.')
    .action(runs(run, async () => (await import('./commands/accounts/keys.ts')).regenerateKey));
  accountOption(jsonOption(keys.command('revoke').argument('<key-id>')))
    .description('Refuse a key from now on.')
    .action(runs(run, async () => (await import('./commands/accounts/keys.ts')).revokeKey));
}

function addUserCommands(program: Command, run: RunCommand): void {
  const commands = () => import('./commands/accounts/users.ts');
  const users = jsonOption(program.command('users'))
    .summary('who may sign in to the console')
    .description('Who may sign in to the console: of which account, in which role, and when they last did.')
    .action(runs(run, async () => (await commands()).users));
  accountOption(
    linkMinutes(jsonOption(users.command('add').argument('<login>', 'an e-mail address or a name'))),
  )
    .description('Let somebody sign in. Prints the link by which they do so for the first time.')
    .option('--role <role>', `what they may do: ${roles.join(', ')}`, 'member')
    .action(runs(run, async () => (await commands()).addUser));
  linkMinutes(jsonOption(users.command('link').argument('<login>')))
    .description('A new link that signs in once: for who has forgotten the password, or has none.')
    .action(runs(run, async () => (await commands()).linkUser));
  jsonOption(users.command('role').argument('<login>').argument('<role>', roles.join(', ')))
    .description('Another role; it counts from the next click on.')
    .action(runs(run, async () => (await commands()).setUserRole));
  jsonOption(users.command('sign-out').argument('<login>'))
    .description('End all sessions of a user everywhere, and links that were not used.')
    .action(runs(run, async () => (await commands()).signOutUser));
  jsonOption(users.command('disable').argument('<login>'))
    .description('Sign a user out everywhere, and let them sign in no more.')
    .action(runs(run, async () => (await commands()).disableUser));
  jsonOption(users.command('enable').argument('<login>'))
    .description('Let a user sign in again.')
    .action(runs(run, async () => (await commands()).enableUser));
}

function linkMinutes(command: Command): Command {
  return command.option('--minutes <number>', 'how long the link is good for', '60');
}

/** How companies are looked up. */
function searchOptions(command: Command): Command {
  return command
    .option('--source <names>', `where ads come from, in order: ${sourceNames.join(', ')}`)
    .option('--region <code>', 'only ads shown in this country, such as DE (sources that know regions)')
    .option('--max-ads <number>', 'at most so many ads of a company')
    .option('--own-only', 'leave out ads of agencies, resellers and other third parties')
    .option('--max-age <time>', 'answer from the store, free, what was searched within 30m, 12h, 7d …');
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
