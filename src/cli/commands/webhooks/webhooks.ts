import { readAge } from '../../../core/time/parse-age.ts';
import { ValidationError } from '../../../core/errors.ts';
import { parseEventTypes } from '../../../core/events/event.ts';
import type { WebhookKind } from '../../../core/events/event-envelope.ts';
import type { CreatedWebhook, Delivery, Replay, WebhookChanges } from '../../../core/events/webhook-store.ts';
import { chooseAccount, type AccountOptions } from '../../context/choose-account.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { deliveryJson, deliveryTable, stateText, webhookJson, webhookTable } from './webhook-view.ts';

export interface AddWebhookOptions extends AccountOptions {
  readonly url?: string;
  readonly slack?: string;
  readonly email?: string;
  readonly events?: string;
}

export interface DeliveriesOptions extends AccountOptions {
  readonly state?: Delivery['state'];
  readonly limit: string;
}

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
  const found = await webhooks.list(accountId);
  context.output.result(found.map(webhookJson), () => webhookTable(found));
  return exitCodes.done;
};

/** Tells somebody more; shows the secret, once. */
export const addWebhook: Command<[string], AddWebhookOptions> = async (context, options, name) => {
  const events = options.events === undefined ? {} : { events: parseEventTypes(options.events) };
  const wanted = { name, ...readTarget(options), ...events };
  const {
    events: { webhooks },
  } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const created = await webhooks.create(accountId, wanted, fromHere);
  context.output.note(`Try it with: nightshift webhook test ${created.webhookId}`);
  return showSecret(context, created);
};

/** A new secret, shown once. */
export const rotateWebhook: Command<[string], AccountOptions> = async (context, options, name) => {
  const {
    events: { webhooks },
  } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const rotated = await webhooks.rotate(accountId, name, fromHere);
  const until = rotated.secretBeforeUntil?.toISOString() ?? '';
  context.output.note(`The secret before signs too until ${until}.`);
  return showSecret(context, rotated);
};

/** Sends a test, and tells what came of it. */
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
    isDelivered ? `It arrived: the answer was ${attempt.status}.` : `It did not arrive: ${attempt.error}.`,
  );
  return isDelivered ? exitCodes.done : exitCodes.someFailed;
};

/** Lists the deliveries of a webhook. */
export const webhookDeliveries: Command<[string], DeliveriesOptions> = async (context, options, name) => {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000) {
    throw new ValidationError(`--limit ${options.limit}: write a whole number from 1 to 1000.`);
  }
  const {
    events: { webhooks },
  } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const page = { limit, before: null, state: options.state ?? null };
  const found = (await webhooks.listDeliveries(accountId, name, page)) ?? [];
  context.output.result(found.map(deliveryJson), () => deliveryTable(found));
  return exitCodes.done;
};

/** Sends again. */
export const replayWebhook: Command<[string], ReplayOptions> = async (context, options, name) => {
  const replay = readReplay(options);
  const {
    events: { webhooks },
  } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const replayed = await webhooks.replay(accountId, name, replay);
  const { state } = await webhooks.find(accountId, name);
  context.output.result({ replayed }, () => {
    const when = state === 'active' ? 'at once, by a process of `up` or `work`' : 'once it is enabled';
    return `${replayed} to be sent again, ${when}.`;
  });
  return exitCodes.done;
};

/** Switches one on that was switched off. */
export const enableWebhook: Command<[string], AccountOptions> = (context, options, name) =>
  change(context, options, name, { state: 'active' });

/** Switches one off for now. */
export const disableWebhook: Command<[string], AccountOptions> = (context, options, name) =>
  change(context, options, name, { state: 'disabled' });

/** Tells somebody nothing any more. */
export const removeWebhook: Command<[string], AccountOptions> = async (context, options, name) => {
  const {
    events: { webhooks },
  } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const removed = await webhooks.remove(accountId, name, fromHere);
  context.output.result(webhookJson(removed), () => `${removed.name} is told nothing any more.`);
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
  if (secret !== null) output.note('The secret is shown this once: keep it where secrets are kept.');
  output.result(
    { ...webhookJson(created), ...(secret === null ? {} : { secret }) },
    () => secret ?? created.webhookId,
  );
  return exitCodes.done;
}

function readTarget({ url, slack, email }: AddWebhookOptions): {
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
  throw new ValidationError('Say where to: one of --url, --slack and --email.');
}

function readReplay({ event, dead, since }: ReplayOptions): Replay {
  const given: readonly Replay[] = [
    ...(event === undefined ? [] : [{ kind: 'event', eventId: event } as const]),
    ...(dead === true ? [{ kind: 'dead' } as const] : []),
    ...(since === undefined ? [] : [{ kind: 'since', ageMs: readAge(since, '--since') } as const]),
  ];
  const [only] = given;
  if (only !== undefined && given.length === 1) return only;
  throw new ValidationError('Say what to send again: one of --event, --dead and --since.');
}
