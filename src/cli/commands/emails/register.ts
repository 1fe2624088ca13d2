import { Option, type Command } from 'commander';
import { jsonOption, runs, type RunCommand } from '../../context/command-options.ts';

/** Adds `validate`, `forget`, `lists` and `opt-outs`. */
export function addEmailsCommands(program: Command, run: RunCommand): void {
  program.commandsGroup('E-mail addresses:');
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
    .action(runs(run, async () => (await import('./validate.ts')).validate));

  jsonOption(program.command('forget').argument('<address>', 'an e-mail address'))
    .description(
      'Forget a person: the address goes from all lists, lookups and verdicts, and is never asked about again. The ledger stays.',
    )
    .action(runs(run, async () => (await import('./erase.ts')).forget));

  addListsCommands(program, run);
  addOptOutCommands(program, run);
}

function addListsCommands(program: Command, run: RunCommand): void {
  const lists = jsonOption(program.command('lists'))
    .summary('the lists that e-mail addresses are judged by')
    .description(
      'The lists that e-mail addresses are judged by: how much they hold, from where and from when.',
    )
    .action(runs(run, async () => (await import('./lists.ts')).lists));
  jsonOption(lists.command('refresh'))
    .description(
      'Fetch the list of throw-away domains anew. One that looks wrong is refused and changes nothing.',
    )
    .option('--from <url>', 'an https address with one domain a line (default: where the list is made)')
    .action(runs(run, async () => (await import('./lists.ts')).refreshLists));
}

function addOptOutCommands(program: Command, run: RunCommand): void {
  const optOuts = jsonOption(program.command('opt-outs'))
    .summary('who is never asked about')
    .description('The domains and persons that want to be left alone: nobody is asked about their addresses.')
    .action(runs(run, async () => (await import('./opt-outs.ts')).optOuts));
  jsonOption(optOuts.command('add').argument('<names...>', 'domains or e-mail addresses'))
    .description('Leave them alone. Of an address a digest is kept; a domain covers those under it.')
    .action(runs(run, async () => (await import('./opt-outs.ts')).addOptOuts));
  jsonOption(optOuts.command('remove').argument('<names...>', 'domains or e-mail addresses'))
    .description('Ask about them again.')
    .action(runs(run, async () => (await import('./opt-outs.ts')).removeOptOuts));
}
