import { Option, type Command } from 'commander';
import { accountOption, creates, jsonOption, runs, type RunCommand } from '../../context/command-options.ts';

/** Adds `validate`, `erase`, `lists` and `opt-outs`. */
export function addEmailsCommands(program: Command, run: RunCommand): void {
  program.commandsGroup('E-mail addresses:');
  accountOption(jsonOption(program.command('validate').argument('[addresses...]', 'e-mail addresses')))
    .summary('Validate e-mail addresses')
    .description(
      'Validate e-mail addresses: their syntax, whether their domains accept mail, and more. With --ndjson, reads lines such as ' +
        '{"id": 1, "email": "jane@example.com"} from standard input and writes one verdict per line, in order.',
    )
    .option('--ndjson', 'read addresses from standard input, one JSON object per line')
    .option('--syntax-only', 'check the syntax only: offline, nothing is stored or charged')
    .addOption(
      new Option('--profile <profile>', 'syntax profile; requires --syntax-only').choices([
        'deliverable',
        'rfc5321',
      ]),
    )
    .action(creates(run, async () => (await import('./validate.ts')).validate));

  jsonOption(program.command('erase').alias('forget').argument('<address>', 'e-mail address'))
    .summary('Erase a person from all stored data')
    .description(
      'Erase a person from all stored data: rows, lookups, verdicts and webhooks. The address is never looked up again. The ledger is kept.',
    )
    .action(runs(run, async () => (await import('./erase.ts')).erase));

  addListsCommands(program, run);
  addOptOutCommands(program, run);
}

function addListsCommands(program: Command, run: RunCommand): void {
  const lists = jsonOption(program.command('lists'))
    .summary('Show the lists for e-mail validation')
    .description('Show the lists for e-mail validation, with their size, origin and date')
    .action(runs(run, async () => (await import('./lists.ts')).lists));
  jsonOption(lists.command('refresh'))
    .summary('Update the list of disposable domains, or the families of companies')
    .description(
      'Update the list of disposable domains, or with --companies the families of companies. An implausible download is rejected and changes nothing.',
    )
    .option('--companies', 'families of companies for evaluating advertisers, from Wikidata')
    .option(
      '--from <url>',
      'HTTPS URL with one domain per line, or of a query service (default: the origin of the list)',
    )
    .action(runs(run, async () => (await import('./lists.ts')).refreshLists));
}

function addOptOutCommands(program: Command, run: RunCommand): void {
  const optOuts = jsonOption(program.command('opt-outs'))
    .summary('Manage opt-outs from e-mail validation')
    .description(
      'Manage opt-outs from e-mail validation: domains and people whose addresses are never looked up. Without a subcommand, lists them.',
    )
    .action(runs(run, async () => (await import('./opt-outs.ts')).optOuts));
  jsonOption(optOuts.command('add').argument('<names...>', 'domains or e-mail addresses'))
    .summary('Add opt-outs')
    .description('Add opt-outs. Of an address only a digest is stored; a domain includes its subdomains.')
    .action(creates(run, async () => (await import('./opt-outs.ts')).addOptOuts));
  jsonOption(optOuts.command('remove').argument('<names...>', 'domains or e-mail addresses'))
    .description('Remove opt-outs')
    .action(runs(run, async () => (await import('./opt-outs.ts')).removeOptOuts));
}
