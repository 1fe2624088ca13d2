import type { Command } from 'commander';
import { accountOption, jsonOption, runs, type RunCommand } from '../../context/command-options.ts';

/** Adds `credits`, `prices` and `audit`. */
export function addCreditsCommands(program: Command, run: RunCommand): void {
  program.commandsGroup('Credits:');
  const credits = accountOption(jsonOption(program.command('credits')))
    .description('The balance of the account.')
    .action(runs(run, async () => (await import('./credits.ts')).credits));

  accountOption(jsonOption(credits.command('grant').argument('<amount>', 'credits, such as 25 or 0.2')))
    .description('Add credits to the account.')
    .requiredOption('--reason <text>', 'why, for the ledger')
    .action(runs(run, async () => (await import('./credits.ts')).grantCredits));

  accountOption(jsonOption(credits.command('low').argument('[amount]', 'credits; 0: never')))
    .description('Below how many credits the account is told that it runs low, or set that.')
    .action(runs(run, async () => (await import('./credits.ts')).lowCredits));

  const prices = jsonOption(program.command('prices'))
    .description('The price books: what an answer costs here, and what the sources charge.')
    .action(runs(run, async () => (await import('./prices.ts')).prices));

  jsonOption(prices.command('source').argument('<source>').argument('<amount>', "in the source's own money"))
    .description('What a unit costs at a source from now on, for the bill and `audit`.')
    .option('--currency <name>', 'its money, such as USD or credits (default: as before)')
    .option('--unit <words>', 'what a unit is (default: as before)')
    .option('--note <text>', 'a remark')
    .action(runs(run, async () => (await import('./prices.ts')).setSourcePrice));

  jsonOption(program.command('audit'))
    .summary('the bill of the sources')
    .description(
      'What the sources charged, beside what their price book says, and which calls may have been charged without an answer. Exit 1 ' +
        'when the two differ.',
    )
    .option('--since <time>', 'only calls of the last 30m, 12h, 7d … (default: all)')
    .action(runs(run, async () => (await import('./audit.ts')).audit));
}
