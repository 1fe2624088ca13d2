import { readAge } from '../../../core/time/parse-age.ts';
import { ValidationError } from '../../../core/errors.ts';
import { parseEventTypes } from '../../../core/events/event.ts';
import { counted } from '../../../core/events/messages/text.ts';
import type { WebhookService } from '../../../core/events/webhook-service.ts';
import type { WebhookKind } from '../../../core/events/event-envelope.ts';
import type {
  CreatedWebhook,
  Delivery,
  Replay,
  Webhook,
  WebhookChanges,
} from '../../../core/events/webhook-store.ts';
import { chooseAccount, type AccountOptions } from '../../context/choose-account.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { shellWord } from '../../process/own-command.ts';
import { deliveryJson, deliveryTable, stateText, webhookJson, webhooksText } from './webhook-view.ts';

/** Options of `webhook add`. */
export interface AddWebhookOptions extends AccountOptions {
  readonly url?: string;
  readonly slack?: string;
  readonly email?: string;
  readonly events?: string;
}

/** Options of `webhook deliveries`. */
export interface DeliveriesOptions extends AccountOptions {
  readonly state?: Delivery['state'];
  readonly limit: string;
}

/** Options of `webhook replay`. */
export interface ReplayOptions extends AccountOptions {
  readonly event?: string;
  readonly dead?: boolean;
  readonly since?: string;
}

const fromHere = { actor: 'cli', address: null };

/** Lists the webhooks of the account. */
export const listWebhooks: Command<[], AccountOptions> = async (context, options) => {
  const {
    events: { webhooks },
  } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const listed = await webhooks.list(accountId);
  const found = await Promise.all(
    listed.map(async (webhook) => ({
      ...webhook,
      lastError: await readLastError(webhooks, accountId, webhook),
    })),
  );
  context.output.result(
    found.map((webhook) => ({ ...webhookJson(webhook), lastError: webhook.lastError })),
    () => context.output.commands(webhooksText(found, context.output.tableColumns())),
  );
  return exitCodes.done;
};

/** Reads the error of the newest delivery that failed and was not delivered since. Dead deliveries come first. */
async function readLastError(
  webhooks: WebhookService,
  accountId: number,
  { webhookId, pending, dead }: Webhook,
): Promise<string | null> {
  const state = dead > 0 ? 'dead' : 'pending';
  if (pending + dead === 0) return null;
  const newest = await webhooks.listDeliveries(accountId, webhookId, {
    limit: deliveriesRead,
    before: null,
    state,
  });
  return newest?.find(({ lastError }) => lastError !== null)?.lastError ?? null;
}

/** Number of newest deliveries in which the last error is searched. */
const deliveriesRead = 100;

/** Adds a webhook and shows its secret once. */
export const addWebhook: Command<[string], AddWebhookOptions> = async (context, options, name) => {
  const events = options.events === undefined ? {} : { events: parseEventTypes(options.events) };
  const webhook = { name, ...parseTarget(options), ...events };
  const {
    events: { webhooks },
  } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const created = await webhooks.create(accountId, webhook, fromHere);
  context.output.note(`Test it with: nightshift webhook test ${shellWord(created.name)}`);
  return showSecret(context, created);
};

/** Replaces the signing secret and shows the new one once. */
export const rotateWebhook: Command<[string], AccountOptions> = async (context, options, name) => {
  const {
    events: { webhooks },
  } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const rotated = await webhooks.rotate(accountId, name, fromHere);
  const until = rotated.secretBeforeUntil?.toISOString() ?? '';
  context.output.note(`The previous secret also signs until ${until}.`);
  return showSecret(context, rotated);
};

/** Sends a test event and shows the result. */
export const testWebhook: Command<[string], AccountOptions> = async (context, options, name) => {
  const {
    events: { webhooks },
  } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const { eventId, attempt } = await webhooks.test(accountId, name, context.signal);
  const isDelivered = attempt.kind === 'delivered';
  const error = isDelivered ? null : attempt.error;
  const result = { eventId, delivered: isDelivered, status: attempt.status, error };
  context.output.result(result, () =>
    isDelivered ? `Delivered: the receiver answered ${attempt.status}.` : `Not delivered: ${attempt.error}.`,
  );
  return isDelivered ? exitCodes.done : exitCodes.someFailed;
};

/** Lists the deliveries of a webhook. */
export const webhookDeliveries: Command<[string], DeliveriesOptions> = async (context, options, name) => {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000) {
    throw new ValidationError(`--limit ${options.limit}: must be an integer from 1 to 1000.`);
  }
  const {
    events: { webhooks },
  } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const page = { limit, before: null, state: options.state ?? null };
  const found = (await webhooks.listDeliveries(accountId, name, page)) ?? [];
  context.output.result(found.map(deliveryJson), () =>
    found.length === 0
      ? context.output.commands(noDeliveriesText(name, page.state))
      : deliveryTable(found, context.output.tableColumns()),
  );
  return exitCodes.done;
};

function noDeliveriesText(name: string, state: string | null): string {
  return state === null
    ? `No deliveries yet. Send one with: nightshift webhook test ${shellWord(name)}`
    : `No delivery matches. List all with: nightshift webhook deliveries ${shellWord(name)}`;
}

/** Sends events again. */
export const replayWebhook: Command<[string], ReplayOptions> = async (context, options, name) => {
  const replay = parseReplay(options);
  const {
    events: { webhooks },
  } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const replayed = await webhooks.replay(accountId, name, replay);
  const { state } = await webhooks.find(accountId, name);
  context.output.result({ replayed }, () => context.output.commands(replayText(replay, replayed, state)));
  return exitCodes.done;
};

function replayText(replay: Replay, replayed: number, state: Webhook['state']): string {
  if (replayed === 0) {
    return replay.kind === 'dead'
      ? 'Nothing to resend. For a pending event use --event evt_….'
      : 'Nothing to resend.';
  }
  const when =
    state === 'active'
      ? 'They are sent while `nightshift up` or `nightshift work` is running'
      : 'Enable the webhook to send them';
  return `${counted(replayed, 'event')} queued to be sent again. ${when}.`;
}

/** Enables a webhook. */
export const enableWebhook: Command<[string], AccountOptions> = (context, options, name) =>
  change(context, options, name, { state: 'active' });

/** Disables a webhook. */
export const disableWebhook: Command<[string], AccountOptions> = (context, options, name) =>
  change(context, options, name, { state: 'disabled' });

/** Removes a webhook. */
export const removeWebhook: Command<[string], AccountOptions> = async (context, options, name) => {
  const {
    events: { webhooks },
  } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const removed = await webhooks.remove(accountId, name, fromHere);
  context.output.result(webhookJson(removed), () => `${removed.name} removed.`);
  return exitCodes.done;
};

async function change(
  context: CommandContext,
  options: AccountOptions,
  name: string,
  changes: WebhookChanges,
): Promise<number> {
  const {
    events: { webhooks },
  } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const changed = await webhooks.change(accountId, name, changes, fromHere);
  context.output.result(webhookJson(changed), () => `${changed.name} is ${stateText(changed)}.`);
  return exitCodes.done;
}

function showSecret({ output }: CommandContext, created: CreatedWebhook): number {
  const { secret } = created;
  if (secret !== null) output.note('The secret is shown only once. Store it securely.');
  output.result(
    { ...webhookJson(created), ...(secret === null ? {} : { secret }) },
    () => secret ?? created.webhookId,
  );
  return exitCodes.done;
}

function parseTarget({ url, slack, email }: AddWebhookOptions): {
  readonly kind: WebhookKind;
  readonly target: string;
} {
  const given = [
    ...(url === undefined ? [] : [{ kind: 'webhook', target: url } as const]),
    ...(slack === undefined ? [] : [{ kind: 'slack', target: slack } as const]),
    ...(email === undefined ? [] : [{ kind: 'email', target: email } as const]),
  ];
  const [only] = given;
  if (only !== undefined && given.length === 1) return only;
  throw new ValidationError('Choose one target: --url, --slack or --email.');
}

function parseReplay({ event, dead, since }: ReplayOptions): Replay {
  const given: readonly Replay[] = [
    ...(event === undefined ? [] : [{ kind: 'event', eventId: event } as const]),
    ...(dead === true ? [{ kind: 'dead' } as const] : []),
    ...(since === undefined ? [] : [{ kind: 'since', ageMs: readAge(since, '--since') } as const]),
  ];
  const [only] = given;
  if (only !== undefined && given.length === 1) return only;
  throw new ValidationError('Choose what to send again: --event, --dead or --since.');
}
