import { randomBytes } from 'node:crypto';
import type { Actor } from '../accounts/key-store.ts';
import type { StoredResponse } from '../accounts/stored-response.ts';
import type { EventType } from './event.ts';
import type { Receiver, WebhookKind } from './event-envelope.ts';

/** A webhook as it is shown to people: without secrets, with the public part of the target. */
export interface Webhook {
  readonly webhookId: string;
  readonly name: string;
  readonly kind: WebhookKind;
  /** The target without its secret parts. */
  readonly target: string;
  readonly events: readonly EventType[];
  /**
   * `unconfirmed`: nothing is sent until the reader of the mailbox confirms it. `disabled`: nothing is sent until the webhook
   * is enabled.
   */
  readonly state: 'unconfirmed' | 'active' | 'disabled' | 'removed';
  /** Reason why it was disabled, in plain words. */
  readonly stateReason: string | null;
  readonly createdAt: Date;
  /** End of the time in which the previous secret still signs too; null outside of it. */
  readonly secretBeforeUntil: Date | null;
  /** Number of pending deliveries, and of abandoned ones. */
  readonly pending: number;
  readonly dead: number;
  readonly lastDeliveredAt: Date | null;
}

/** A new webhook. Its secret is shown only once; null for kinds without one. */
export interface CreatedWebhook extends Webhook {
  readonly secret: string | null;
}

export interface NewWebhook {
  readonly name: string;
  readonly kind: WebhookKind;
  readonly target: string;
  readonly secret: string | null;
  readonly events: readonly EventType[];
  readonly confirmation: Confirmation | null;
}

/** Stored link to confirm an address: the SHA-256 of its token, and its lifetime. */
export interface Confirmation {
  readonly digest: Buffer;
  readonly days: number;
}

/** Changeable fields of a webhook. */
export interface WebhookChanges {
  readonly name?: string;
  readonly target?: string;
  readonly events?: readonly EventType[];
  readonly state?: 'active' | 'disabled';
}

/** Changes, and the confirmation that they need first; null: the author vouches for the address. */
export interface ConfirmedChanges extends WebhookChanges {
  readonly confirmation?: Confirmation | null;
}

/** Delivery of one event to a webhook. */
export interface Delivery {
  readonly eventId: string;
  readonly event: string;
  readonly state: 'pending' | 'delivered' | 'dead';
  readonly attempts: number;
  /** Time of the next attempt; null unless it is pending. */
  readonly nextAt: Date | null;
  readonly triedAt: Date | null;
  /** HTTP status or SMTP code of the last attempt, and its error. */
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly deliveredAt: Date | null;
  readonly createdAt: Date;
}

export const deliveryStates = ['pending', 'delivered', 'dead'] as const;

/** Filter of deliveries: those of events older than `before`, in one state or in all. */
export interface DeliveryPage {
  readonly limit: number;
  readonly before: string | null;
  readonly state: Delivery['state'] | null;
}

/**
 * Selection of deliveries to send again: one event, delivered or not; all that were abandoned; or all of the last so many milliseconds that
 * the webhook takes and that did not reach it, including those from before it was created.
 */
export type Replay =
  | { readonly kind: 'event'; readonly eventId: string }
  | { readonly kind: 'dead' }
  | { readonly kind: 'since'; readonly ageMs: number };

/**
 * Port: the webhooks of accounts. A webhook is named by its id or by its name in the account. Every change and its entry in the
 * audit log are one transaction.
 *
 * All operations except `create` and `list` throw NotFound when the webhook does not exist or was removed.
 */
export interface WebhookStore {
  /** @throws Conflict when the name is taken or the account has the maximum number of webhooks. */
  create(
    accountId: number,
    webhook: NewWebhook,
    by: Actor,
    kept?: StoredResponse<CreatedWebhook> | null,
  ): Promise<CreatedWebhook>;
  /** Oldest first, without removed ones. */
  list(accountId: number): Promise<readonly Webhook[]>;
  find(accountId: number, name: string): Promise<Webhook>;
  /** Finds the target of a webhook, secrets included. For sending only. */
  findReceiver(accountId: number, name: string): Promise<Receiver & { readonly name: string }>;
  /**
   * Changes a webhook. Deliveries of a disabled webhook wait, and continue when it is enabled. With a confirmation they wait for that.
   *
   * @throws Conflict when the name is taken, or when a webhook that waits for its confirmation is enabled or disabled.
   */
  change(accountId: number, name: string, changes: ConfirmedChanges, by: Actor): Promise<Webhook>;
  /** Enables the webhook that waits for this confirmation and returns its address. Null for an unknown or expired confirmation. */
  confirm(digest: Buffer, from: string): Promise<string | null>;
  /** Removes a webhook and abandons its deliveries. */
  remove(accountId: number, name: string, by: Actor): Promise<Webhook>;
  /** Creates a new secret; the old one still signs for `overlapMs`. @throws Conflict for a kind without secrets. */
  rotate(
    accountId: number,
    name: string,
    rotation: { readonly secret: string; readonly overlapMs: number },
    by: Actor,
    kept?: StoredResponse<CreatedWebhook> | null,
  ): Promise<CreatedWebhook>;
  /** Newest events first. Null when `before` is not an event of the account. */
  listDeliveries(accountId: number, name: string, page: DeliveryPage): Promise<readonly Delivery[] | null>;
  /** Sends events again at once, with all attempts, and returns their number. @throws NotFound when there is no such event. */
  replay(accountId: number, name: string, replay: Replay): Promise<number>;
}

/** Maximum number of webhooks of an account. Our choice: more would let an account use the service to call third parties. */
export const webhooksMax = 50;

/** Formats a target without secrets: the path of a Slack webhook is its secret, and a query often holds a key. */
export function shownTarget(kind: WebhookKind, target: string): string {
  if (kind === 'email') return target;
  const { origin, pathname, search } = new URL(target);
  if (kind === 'slack') return `${origin}/…`;
  return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}

/** Standard Webhooks 1.0 asks for 24 to 64 bytes. */
const secretBytes = 32;

/** Creates a signing secret in the format of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export function createWebhookSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`;
}
