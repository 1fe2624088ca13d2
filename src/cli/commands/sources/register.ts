import { Option, type Command } from 'commander';
import { advertiserRoles } from '../../../core/companies/company-mapping.ts';
import {
  accountOption,
  jsonOption,
  readingOptions,
  creates,
  runs,
  searchOptions,
  type RunCommand,
} from '../../context/command-options.ts';

/** Adds `search`, `sources`, `snapshot` and `companies`. */
export function addSourcesCommands(program: Command, run: RunCommand): void {
  program.commandsGroup('Ad sources:');
  accountOption(searchOptions(jsonOption(program.command('search'))))
    .summary('Search the ads of one company')
    .description(
      'Search the ads of one company. With --json, prints the response body of the service contract.',
    )
    .option('--domain <domain>', 'website domain of the company; preferred to --name')
    .option('--name <name>', 'name of the company')
    .action(creates(run, async () => (await import('./search.ts')).searchOne));

  const sources = jsonOption(program.command('sources'))
    .summary('List ad sources')
    .description(
      'List ad sources: whether each is configured, whether its adapter was tested against recorded responses, and when it was last ' +
        'checked live.',
    )
    .action(runs(run, async () => (await import('./sources.ts')).sources));

  accountOption(jsonOption(sources.command('smoke').argument('<source>')))
    .summary('Send one live request to a source')
    .description(
      'Send one live request to a source and compare the shape of the response with the recorded one. The source may charge for the call. ' +
        'Ads that are found are charged to the account, as in every search; without credits no request is sent.',
    )
    .option('--domain <domain>', 'domain of the company to search', 'nike.com')
    .option('--name <name>', 'name of the company, for sources that search by name')
    .action(creates(run, async () => (await import('./sources-smoke.ts')).testSource));

  const snapshot = program.command('snapshot').description('Manage the local snapshot of ads');

  jsonOption(
    snapshot
      .command('load')
      .argument(
        '[files...]',
        'exports as NDJSON, JSON array, CSV, Avro or Parquet, plain or gzipped; * and ? may be quoted',
      ),
  )
    .summary('Load exports of the public dataset')
    .description(
      'Load exports of the tables creative_stats and removed_creative_stats of the public dataset google_ads_transparency_center',
    )
    .option('--as-of <day>', 'day of the export, such as 2026-03-31; default: today')
    .option('--sample', 'load the generated sample of today instead')
    .action(creates(run, async () => (await import('./snapshot-load.ts')).snapshotLoad));

  addCompaniesCommands(program, run);
}

function addCompaniesCommands(program: Command, run: RunCommand): void {
  const company = ['<company>', 'domain, or name if the file has no domain'] as const;
  const companies = accountOption(jsonOption(program.command('companies')))
    .summary('Map companies to their advertisers')
    .description(
      'Map companies to their advertisers. Your own mapping takes precedence over every other way to match ads to a company. A company is ' +
        'identified by its domain, or by its name if the file has no domain. Without a subcommand, lists the whole mapping.',
    )
    .action(runs(run, async () => (await import('./companies.ts')).listCompanies));
  accountOption(jsonOption(companies.command('list').argument('[company]', company[1])))
    .description('List the advertisers of one company, or of all companies')
    .action(runs(run, async () => (await import('./companies.ts')).listCompanies));
  accountOption(jsonOption(companies.command('map').argument(...company)))
    .argument('<ids...>', 'advertiser ids of the source, such as AR and 20 digits')
    .description('Map a company to advertisers, or change their role')
    .addOption(
      new Option('--role <role>', 'allow: its own ads; agency: advertises for it; deny: another company')
        .choices(advertiserRoles)
        .default('allow'),
    )
    .option('--note <text>', 'comment (default: the existing one)')
    .action(creates(run, async () => (await import('./companies.ts')).mapCompany));
  accountOption(jsonOption(companies.command('remove').argument(...company)))
    .argument('[ids...]', 'advertisers to remove; without any, all of the company')
    .description('Remove advertisers from the mapping of a company')
    .action(runs(run, async () => (await import('./companies.ts')).removeCompany));
  accountOption(jsonOption(companies.command('dismiss').argument(...company)))
    .summary('Dismiss a company that no known advertiser is')
    .description(
      'Dismiss a company that was not identified and that no known advertiser is: it no longer waits for a decision. Lookups are not ' +
        'affected, and mapping the company takes it back.',
    )
    .option('--undo', 'take the dismissal back')
    .action(creates(run, async () => (await import('./companies.ts')).dismissCompany));
  accountOption(
    readingOptions(
      companies
        .command('import')
        .argument('<file>', 'file of a mapping: CSV, Excel, ODS, Parquet or JSON; - for standard input'),
      'column for company_domain, company_name, advertiser_id, role or note',
    ),
  )
    .summary('Import a mapping from a file')
    .description(
      'Import a mapping from a file with a column for the company and the columns advertiser_id, role and note; role and note are ' +
        'optional. Lines that cannot be used are listed, and the others are mapped.',
    )
    .action(creates(run, async () => (await import('./companies.ts')).importCompanies));
  accountOption(jsonOption(companies.command('review')))
    .summary('Decide on uncertain advertisers')
    .description(
      'Decide on advertisers that may belong to a company and may not: accept them as its own, as an agency, or deny them. On a terminal, ' +
        'asks for one after the other and stores each decision in the mapping. Elsewhere, and with --json, lists them; decide with ' +
        '`nightshift companies map`.',
    )
    .option('--company <company>', 'only the advertisers of this company: its domain, or its name')
    .option('--limit <number>', 'maximum number of advertisers (default: all on a terminal, else 100)')
    .action(runs(run, async () => (await import('./review-companies.ts')).reviewCompanies));
  jsonOption(companies.command('match'))
    .summary('Evaluate who advertisers are to companies')
    .description(
      "Evaluate whether advertisers are a company's own, by their names and what else is known: offline, nothing is stored or charged. " +
        'Reads lines such as {"company_name": "Acme", "company_domain": "acme.com", "advertiser_name": "Acme Europe B.V.", ' +
        '"found_by": "domain"} from standard input and writes the relation, the confidence and the reasons of each, in order.',
    )
    .option('--ndjson', 'read pairs from standard input, one JSON object per line')
    .action(runs(run, async () => (await import('./match-companies.ts')).matchCompanies));
}
