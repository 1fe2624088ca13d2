import { Option, type Command } from 'commander';
import { advertiserRoles } from '../../../core/companies/company-mapping.ts';
import {
  accountOption,
  jsonOption,
  readingOptions,
  runs,
  searchOptions,
  type RunCommand,
} from '../../context/command-options.ts';

/** Adds `search`, `sources`, `snapshot` and `companies`. */
export function addSourcesCommands(program: Command, run: RunCommand): void {
  program.commandsGroup('Ad sources:');
  searchOptions(jsonOption(program.command('search')))
    .description('The ads of one company. --json prints the response body of the service contract.')
    .option('--domain <domain>', 'website domain of the company (the better input)')
    .option('--name <name>', 'name of the company')
    .action(runs(run, async () => (await import('./search.ts')).searchOne));

  const sources = jsonOption(program.command('sources'))
    .summary('where ads can come from')
    .description(
      'Every source: whether it is set up, whether its adapter was checked against the recorded shape of its replies, and when it was ' +
        'last checked live.',
    )
    .action(runs(run, async () => (await import('./sources.ts')).sources));

  jsonOption(sources.command('smoke').argument('<source>'))
    .summary('ask a source one real question')
    .description(
      'Ask a source about one company, one page, and say how its reply differs in shape from the recorded one. It may cost what one ' +
        'call costs there, and ads that are found are charged to the account default as in every search: without credits nothing is asked.',
    )
    .option('--domain <domain>', 'the company to ask about', 'nike.com')
    .option('--name <name>', 'its name, for a source that knows no domains')
    .action(runs(run, async () => (await import('./sources-smoke.ts')).smokeSource));

  const snapshot = program.command('snapshot').description('The local snapshot of ads.');

  jsonOption(snapshot.command('load').argument('[files...]', 'NDJSON or CSV exports, gzipped or not'))
    .description('Load exports of the public dataset google_ads_transparency_center.creative_stats.')
    .option('--sample', 'load the bundled, generated sample instead')
    .action(runs(run, async () => (await import('./snapshot-load.ts')).snapshotLoad));

  addCompaniesCommands(program, run);
}

function addCompaniesCommands(program: Command, run: RunCommand): void {
  const company = ['<company>', 'a domain, or the name where a list has no domain'] as const;
  const companies = accountOption(jsonOption(program.command('companies')))
    .summary('which advertisers belong to a company')
    .description(
      'Your own mapping of companies to their advertisers. It comes before every other way to tell whose ads are whose. A company is ' +
        'known by its domain, and by its name where a list gives none: map what your lists have. By itself it lists the mapping of all.',
    )
    .action(runs(run, async () => (await import('./companies.ts')).listCompanies));
  accountOption(jsonOption(companies.command('list').argument('[company]', company[1])))
    .description('The advertisers that one company, or every company, is mapped to.')
    .action(runs(run, async () => (await import('./companies.ts')).listCompanies));
  accountOption(jsonOption(companies.command('map').argument(...company)))
    .argument('<advertiser-ids...>', 'as the source has them, such as AR and 20 digits')
    .description('Map a company to advertisers, or change what they are to it.')
    .addOption(
      new Option('--role <role>', 'allow: its own; agency: advertises for it; deny: not this company')
        .choices(advertiserRoles)
        .default('allow'),
    )
    .option('--note <text>', 'a remark; without it one that is there stays')
    .action(runs(run, async () => (await import('./companies.ts')).mapCompany));
  accountOption(jsonOption(companies.command('remove').argument(...company)))
    .argument('[advertiser-ids...]', 'those alone (default: all of the company)')
    .description('Take advertisers from the mapping of a company.')
    .action(runs(run, async () => (await import('./companies.ts')).removeCompany));
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
    .action(runs(run, async () => (await import('./companies.ts')).importCompanies));
}
