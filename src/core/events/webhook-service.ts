import type { Actor } from '../accounts/key-store.ts';
import { createToken, digestToken } from '../accounts/token.ts';
import { ValidationError } from '../errors.ts';
import type { StoredResponse } from '../accounts/stored-response.ts';
import { newId } from '../ids.ts';
import { eventTypes, type EventType } from './event.ts';
import type { Attempt, Receiver, EventChannel, WebhookKind } from './event-envelope.ts';
import {
  createWebhookSecret,
  type Confirmation,
  type CreatedWebhook,
  type Webhook,
  type WebhookChanges,
  type WebhookStore,
} from './webhook-store.ts';

/** Time for which the previous secret still signs after a rotation: a receiver has a day to switch. Our choice. */
const overlapMs = 24 * 60 * 60 * 1000;

/** A webhook as requested. */
export interface WantedWebhook {
  readonly name: string;
  readonly kind: WebhookKind;
  readonly target: string;
  /** Default: all. */
  readonly events?: readonly EventType[];
}

export interface WebhookServiceOptions {
  readonly store: WebhookStore;
  /** Loaded on first use. */
  readonly channel: EventChannel;
  /** Normalizes an address. @throws ValidationError when events cannot be sent there. */
  readonly readTarget: (kind: WebhookKind, target: string) => Promise<string>;
  readonly now: () => Date;
}

/** Lifetime of the link to confirm an address. Our choice. */
const confirmDays = 7;

/**
 * URL of the page on which the reader of a mailbox confirms it, for the token of its link. Null: the author of the change
 * vouches for the mailbox, as an operator on the command line does.
 */
export type ConfirmAt = ((token: string) => string) | null;

/** Webhooks of accounts; see `WebhookStore` for errors. */
export interface WebhookService extends Pick<
  WebhookStore,
  'list' | 'find' | 'remove' | 'listDeliveries' | 'replay'
> {
  /**
   * Creates a webhook. With `confirmAt`, one of kind `email` sends only one mail with the link to confirm it.
   *
   * @throws ValidationError for an invalid name or address.
   */
  create(
    accountId: number,
    wanted: WantedWebhook,
    by: Actor,
    kept?: StoredResponse<CreatedWebhook> | null,
    confirmAt?: ConfirmAt,
  ): Promise<CreatedWebhook>;
  /**
   * Changes a webhook. Another mailbox has to be confirmed like the first one.
   *
   * @throws ValidationError for an invalid name or address.
   */
  change(
    accountId: number,
    name: string,
    changes: WebhookChanges,
    by: Actor,
    confirmAt?: ConfirmAt,
  ): Promise<Webhook>;
  /** Confirms an address by the token of the link; returns the address. Null: the link is invalid or has expired. */
  confirm(token: string, from: string): Promise<string | null>;
  /** Creates a new secret. The old one still signs for a day. */
  rotate(
    accountId: number,
    name: string,
    by: Actor,
    kept?: StoredResponse<CreatedWebhook> | null,
  ): Promise<CreatedWebhook>;
  /**
   * Sends a `test` event at once, also to a disabled webhook, and returns the result. Nothing is stored. An unconfirmed webhook
   * gets the link again instead.
   */
  test(accountId: number, name: string, signal: AbortSignal, confirmAt?: ConfirmAt): Promise<TestedWebhook>;
}

export interface TestedWebhook {
  readonly eventId: string;
  readonly attempt: Attempt;
}

/** Validates requests and creates secrets. */
export function createWebhookService({
  store,
  channel,
  readTarget,
  now,
}: WebhookServiceOptions): WebhookService {
  async function send(
    event: 'test' | 'confirm',
    payload: object,
    receiver: Receiver,
    signal: AbortSignal,
  ): Promise<TestedWebhook> {
    const createdAt = now();
    const eventId = newId('evt', createdAt.getTime());
    const envelope = { eventId, event, createdAt, payload, timeZone: null };
    return { eventId, attempt: await channel.send(envelope, receiver, signal) };
  }

  /** Sends the request for confirmation. A failure to send it shows in a test, which sends it again. */
  async function ask(
    target: string,
    { url }: Asking,
    signal = new AbortController().signal,
  ): Promise<TestedWebhook> {
    return send('confirm', { url }, { kind: 'email', target, secrets: [] }, signal);
  }

  return {
    list: store.list,
    find: store.find,
    remove: store.remove,
    listDeliveries: store.listDeliveries,
    replay: store.replay,
    confirm: (token, from) => store.confirm(digestToken(token), from),
    create: async (accountId, { name, kind, target, events = eventTypes }, by, kept, confirmAt = null) => {
      const asking = kind === 'email' ? askingBy(confirmAt) : null;
      const webhook = {
        name: readName(name),
        kind,
        target: await readTarget(kind, target),
        secret: kind === 'webhook' ? createWebhookSecret() : null,
        events: inOrder(events),
        confirmation: asking?.confirmation ?? null,
      };
      const created = await store.create(accountId, webhook, by, kept);
      if (asking !== null) await ask(webhook.target, asking);
      return created;
    },
    change: async (accountId, name, { target, ...changes }, by, confirmAt = null) => {
      if (changes.name !== undefined) readName(changes.name);
      const { kind, webhookId } = await store.find(accountId, name);
      const readable = target === undefined ? {} : { target: await readTarget(kind, target) };
      const events = changes.events === undefined ? {} : { events: inOrder(changes.events) };
      const asking = kind === 'email' && target !== undefined ? askingBy(confirmAt) : null;
      // An author who vouches for the mailbox needs no confirmation.
      const confirmation =
        confirmAt === null || asking !== null ? { confirmation: asking?.confirmation ?? null } : {};
      const wanted = { ...changes, ...readable, ...events, ...confirmation };
      const changed = await store.change(accountId, webhookId, wanted, by);
      if (asking !== null && readable.target !== undefined) await ask(readable.target, asking);
      return changed;
    },
    rotate: (accountId, name, by, kept) =>
      store.rotate(accountId, name, { secret: createWebhookSecret(), overlapMs }, by, kept),
    test: async (accountId, name, signal, confirmAt = null) => {
      const { name: webhook, ...receiver } = await store.findReceiver(accountId, name);
      const { state, webhookId } = await store.find(accountId, name);
      const asking = state === 'unconfirmed' ? askingBy(confirmAt) : null;
      if (asking === null) return send('test', { webhook }, receiver, signal);
      await store.change(accountId, webhookId, { confirmation: asking.confirmation }, bySystem);
      return ask(receiver.target, asking, signal);
    },
  };
}

/** A link to send, and the part of it that is stored. */
interface Asking {
  readonly url: string;
  readonly confirmation: Confirmation;
}

function askingBy(confirmAt: ConfirmAt): Asking | null {
  if (confirmAt === null) return null;
  const token = createToken();
  return { url: confirmAt(token), confirmation: { digest: digestToken(token), days: confirmDays } };
}

const bySystem: Actor = { actor: 'test', address: null };

/** Names occur on command lines and in tables; a name that looks like an id could be taken for another webhook. */
function readName(name: string): string {
  if (/^(?!whk_)[^\p{Cc}\p{Cs}]{1,100}$/u.test(name) && name.trim() === name) return name;
  throw new ValidationError('A webhook needs a name of 1 to 100 characters that does not begin with whk_.', {
    where: 'name',
  });
}

function inOrder(events: readonly EventType[]): readonly EventType[] {
  return eventTypes.filter((event) => events.includes(event));
}
