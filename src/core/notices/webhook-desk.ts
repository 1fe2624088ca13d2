import type { Actor } from '../access/key-store.ts';
import { ValidationError } from '../errors.ts';
import type { KeptAnswer } from '../idempotency.ts';
import { newId } from '../ids.ts';
import { noticeEvents, type NoticeEvent } from './event.ts';
import type { Attempt, NoticeChannel, WebhookKind } from './notice.ts';
import { createWebhookSecret } from './webhook-secret.ts';
import type { CreatedWebhook, Webhook, WebhookChanges, WebhookStore } from './webhook-store.ts';

/** How long the secret before a rotation still signs: a receiver has a day to change over. Our choice. */
const overlapMs = 24 * 60 * 60 * 1000;

/** A webhook as somebody asks for it. */
export interface WantedWebhook {
  readonly name: string;
  readonly kind: WebhookKind;
  readonly target: string;
  /** Default: all there are. */
  readonly events?: readonly NoticeEvent[];
}

export interface WebhookDeskOptions {
  readonly store: WebhookStore;
  /** Loaded with its first use. */
  readonly channel: NoticeChannel;
  /** The address as it is kept. @throws ValidationError when notices cannot go there. */
  readonly readTarget: (kind: WebhookKind, target: string) => Promise<string>;
  readonly now: () => Date;
}

/** What accounts do with their webhooks; see `WebhookStore` for what is thrown. */
export interface WebhookDesk extends Pick<
  WebhookStore,
  'list' | 'find' | 'remove' | 'listDeliveries' | 'replay'
> {
  /** @throws ValidationError for a name or an address that cannot be. */
  create(
    accountId: number,
    wanted: WantedWebhook,
    by: Actor,
    kept?: KeptAnswer<CreatedWebhook> | null,
  ): Promise<CreatedWebhook>;
  /** @throws ValidationError for a name or an address that cannot be. */
  change(accountId: number, name: string, changes: WebhookChanges, by: Actor): Promise<Webhook>;
  /** A new secret. The old one signs too for a day. */
  rotate(
    accountId: number,
    name: string,
    by: Actor,
    kept?: KeptAnswer<CreatedWebhook> | null,
  ): Promise<CreatedWebhook>;
  /** Sends a notice of the event `test` at once, also to a webhook that is switched off, and tells what became of it. Nothing is kept of it. */
  test(accountId: number, name: string, signal: AbortSignal): Promise<TestedWebhook>;
}

export interface TestedWebhook {
  readonly noticeId: string;
  readonly attempt: Attempt;
}

/** Checks what people ask for, and makes the secrets. */
export function createWebhookDesk({ store, channel, readTarget, now }: WebhookDeskOptions): WebhookDesk {
  return {
    list: store.list,
    find: store.find,
    remove: store.remove,
    listDeliveries: store.listDeliveries,
    replay: store.replay,
    create: async (accountId, { name, kind, target, events = noticeEvents }, by, kept) => {
      const webhook = {
        name: readName(name),
        kind,
        target: await readTarget(kind, target),
        secret: kind === 'webhook' ? createWebhookSecret() : null,
        events: inOrder(events),
      };
      return store.create(accountId, webhook, by, kept);
    },
    change: async (accountId, name, { target, ...changes }, by) => {
      if (changes.name !== undefined) readName(changes.name);
      const { kind, webhookId } = await store.find(accountId, name);
      const readable = target === undefined ? {} : { target: await readTarget(kind, target) };
      const events = changes.events === undefined ? {} : { events: inOrder(changes.events) };
      return store.change(accountId, webhookId, { ...changes, ...readable, ...events }, by);
    },
    rotate: (accountId, name, by, kept) =>
      store.rotate(accountId, name, { secret: createWebhookSecret(), overlapMs }, by, kept),
    test: async (accountId, name, signal) => {
      const { name: webhook, ...destination } = await store.findDestination(accountId, name);
      const createdAt = now();
      const noticeId = newId('evt', createdAt.getTime());
      const notice = { noticeId, event: 'test', createdAt, about: { webhook }, timeZone: null };
      return { noticeId, attempt: await channel.send(notice, destination, signal) };
    },
  };
}

/** A name is said on a command line and stands in tables; one that looks like an id could be taken for another webhook's. */
function readName(name: string): string {
  if (/^(?!whk_)[^\p{Cc}\p{Cs}]{1,100}$/u.test(name) && name.trim() === name) return name;
  throw new ValidationError('A webhook needs a name of 1 to 100 characters that does not begin with whk_.', {
    where: 'name',
  });
}

function inOrder(events: readonly NoticeEvent[]): readonly NoticeEvent[] {
  return noticeEvents.filter((event) => events.includes(event));
}
