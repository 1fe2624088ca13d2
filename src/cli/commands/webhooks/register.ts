import { Option, type Command } from 'commander';
import { eventTypes } from '../../../core/events/event.ts';
import { deliveryStates } from '../../../core/events/webhook-store.ts';
import { accountOption, jsonOption, creates, runs, type RunCommand } from '../../context/command-options.ts';

/** Adds `webhook` with its subcommands. */
export function addWebhooksCommands(program: Command, run: RunCommand): void {
  program.commandsGroup('Webhooks:');
  addWebhookCommands(program, run);
}

function addWebhookCommands(program: Command, run: RunCommand): void {
  const commands = () => import('./webhooks.ts');
  const webhook = accountOption(jsonOption(program.command('webhook')))
    .summary('Manage notifications of the account')
    .description(
      'Manage notifications of the account: webhooks, Slack and e-mail receive events of scans, batches and credits. Without a subcommand, ' +
        'lists them.',
    )
    .action(runs(run, async () => (await commands()).listWebhooks));
  const command = (name: string, summary: string, details?: string) =>
    accountOption(jsonOption(webhook.command(name)))
      .summary(summary)
      .description(details === undefined ? summary : `${summary}. ${details}`);
  command('add', 'Add a webhook', 'Its signing secret is shown once.')
    .argument('<name>')
    .option('--url <url>', 'HTTPS URL for requests, signed as in Standard Webhooks')
    .option('--slack <url>', 'URL of an incoming webhook of Slack')
    .option('--email <address>', 'e-mail address')
    .option('--events <names>', `events, separated by commas: ${eventTypes.join(', ')} (default: all)`)
    .action(creates(run, async () => (await commands()).addWebhook));
  command('list', 'List webhooks with their state and their open deliveries').action(
    runs(run, async () => (await commands()).listWebhooks),
  );
  command('test', 'Send a test event now and show the result')
    .argument('<name>')
    .action(runs(run, async () => (await commands()).testWebhook));
  command('deliveries', 'List deliveries of a webhook, newest first, with their errors')
    .argument('<name>')
    .addOption(new Option('--state <state>', 'state of the deliveries').choices(deliveryStates))
    .option('--limit <number>', 'maximum number of deliveries, up to 1000', '20')
    .action(runs(run, async () => (await commands()).webhookDeliveries));
  command('replay', 'Send events again', 'They keep their ids. Choose the events with one option.')
    .argument('<name>')
    .option('--event <id>', 'one event, delivered or not')
    .option('--dead', 'all events whose delivery was abandoned')
    .option('--since <time>', 'all undelivered events of the last 30m, 12h, 7d …')
    .action(runs(run, async () => (await commands()).replayWebhook));
  command(
    'rotate',
    'Replace the signing secret',
    'The new secret is shown once. For a day, requests are signed with the old secret as well.',
  )
    .argument('<name>')
    .action(runs(run, async () => (await commands()).rotateWebhook));
  command('enable', 'Enable a webhook', 'Its pending events are sent.')
    .argument('<name>')
    .action(runs(run, async () => (await commands()).enableWebhook));
  command(
    'disable',
    'Disable a webhook',
    'Pending events wait; events that occur while it is disabled are not stored for it.',
  )
    .argument('<name>')
    .action(runs(run, async () => (await commands()).disableWebhook));
  command('remove', 'Remove a webhook')
    .argument('<name>')
    .action(runs(run, async () => (await commands()).removeWebhook));
}
