import type { Command } from 'commander';
import { accountOption, jsonOption, creates, runs, type RunCommand } from '../../context/command-options.ts';

/** Adds `credits`, `prices` and `audit`. */
export function addCreditsCommands(program: Command, run: RunCommand): void {
  program.commandsGroup('Credits:');
  const credits = accountOption(jsonOption(program.command('credits')))
    .description('Show the balance of the account')
    .action(runs(run, async () => (await import('./credits.ts')).credits));

  accountOption(jsonOption(credits.command('grant').argument('<amount>', 'credits, such as 25 or 0.2')))
    .description('Grant credits to the account')
    .requiredOption('--reason <text>', 'reason, for the ledger')
    .action(creates(run, async () => (await import('./credits.ts')).grantCredits));

  accountOption(jsonOption(credits.command('low').argument('[amount]', 'credits; 0 sends no event')))
    .summary('Show or set the threshold for low credits')
    .description(
      'Show or set the threshold for low credits. Below it, the webhooks of the account receive an event.',
    )
    .action(creates(run, async () => (await import('./credits.ts')).lowCredits));

  const prices = jsonOption(program.command('prices'))
    .description('List prices of answers and sources')
    .action(runs(run, async () => (await import('./prices.ts')).prices));

  jsonOption(
    prices
      .command('source')
      .argument('<source>')
      .argument('<amount>', 'amount in the currency of the source'),
  )
    .summary('Set the unit price of a source')
    .description('Set the unit price of a source from now on, for its bill and for `audit`')
    .option('--currency <name>', 'currency, such as USD or credits (default: unchanged)')
    .option('--unit <name>', 'unit of the price, such as call (default: unchanged)')
    .option('--note <text>', 'comment')
    .action(creates(run, async () => (await import('./prices.ts')).setSourcePrice));

  jsonOption(program.command('audit'))
    .summary('Compare charges of sources with prices')
    .description(
      'Compare charges of sources with prices, and list calls that may have been charged without an answer.',
    )
    .option('--since <time>', 'maximum age of the calls: 30m, 12h, 7d … (default: all)')
    .action(runs(run, async () => (await import('./audit.ts')).audit));
}
