import { Option, type Command } from 'commander';
import { eventTypes } from '../../../core/events/event.ts';
import { deliveryStates } from '../../../core/events/webhook-store.ts';
import { accountOption, jsonOption, runs, type RunCommand } from '../../context/command-options.ts';

/** Adds `webhooks`. */
export function addWebhooksCommands(program: Command, run: RunCommand): void {
  program.commandsGroup('Webhooks:');
  addWebhookCommands(program, run);
}

function addWebhookCommands(program: Command, run: RunCommand): void {
  const commands = () => import('./webhooks.ts');
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
    .option('--events <names>', `separated by commas: ${eventTypes.join(', ')} (default: all)`)
    .action(runs(run, async () => (await commands()).addWebhook));
  command(
    'list',
    'The webhooks of the account: their state, what is on its way, and what was given up.',
  ).action(runs(run, async () => (await commands()).listWebhooks));
  command(
    'test',
    'Send an event of the event `test` now, and say what came of it. Exit 1 when it did not arrive.',
  )
    .argument('<name>')
    .action(runs(run, async () => (await commands()).testWebhook));
  command('deliveries', 'The events of a webhook, the newest first: what has arrived, and what went wrong.')
    .argument('<name>')
    .addOption(new Option('--state <state>', 'only those').choices(deliveryStates))
    .option('--limit <number>', 'so many at most', '20')
    .action(runs(run, async () => (await commands()).webhookDeliveries));
  command('replay', 'Send events again, at once and under their old ids. Say which:')
    .argument('<name>')
    .option('--event <id>', 'this one, whether it has arrived or not')
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
