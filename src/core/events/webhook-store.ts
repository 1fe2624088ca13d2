import { randomBytes } from 'node:crypto';
import type { Actor } from '../accounts/key-store.ts';
import type { StoredResponse } from '../accounts/stored-response.ts';
import type { EventType } from './event.ts';
import type { Destination, WebhookKind } from './event-envelope.ts';

/** Webhook as people see it: without secrets, with the public part of the address. */
export interface Webhook {
  readonly webhookId: string;
  readonly name: string;
  readonly kind: WebhookKind;
  /** The address, without what is secret in it. */
  readonly target: string;
  readonly events: readonly EventType[];
  /**
   * `unconfirmed`: nothing is sent until whoever reads the address has agreed. `disabled`: nothing is sent until it is switched on again.
   */
  readonly state: 'unconfirmed' | 'active' | 'disabled' | 'removed';
  /** Why it was switched off, in plain words. */
  readonly stateReason: string | null;
  readonly createdAt: Date;
  /** Until when bodies are signed with the secret before the last rotation too; null when they are not. */
  readonly secretBeforeUntil: Date | null;
  /** Events on their way to it, and those that were given up. */
  readonly pending: number;
  readonly dead: number;
  readonly lastDeliveredAt: Date | null;
}

/** A webhook, and the only moment at which anybody sees its secret; null for kinds that have none. */
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

/** The changes, and who has to confirm them first; null: whoever asks for them stands for the address. */
export interface ConfirmedChanges extends WebhookChanges {
  readonly confirmation?: Confirmation | null;
}

/** One event on its way to a webhook, or there. */
export interface Delivery {
  readonly eventId: string;
  readonly event: string;
  readonly state: 'pending' | 'delivered' | 'dead';
  readonly attempts: number;
  /** When it is tried next; null unless it is pending. */
  readonly nextAt: Date | null;
  readonly triedAt: Date | null;
  /** The HTTP status or SMTP code of the last attempt, and what went wrong. */
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly deliveredAt: Date | null;
  readonly createdAt: Date;
}

export const deliveryStates = ['pending', 'delivered', 'dead'] as const;

/** Filter of deliveries: those older than an event; in one state, or in all. */
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
 * Port: the webhooks of accounts. A webhook is named by its id, or by its name as its account has it. Every change is one transaction
 * with its entry in the audit log.
 *
 * All but `create` and `list` throw NotFound when there is no such webhook, or when it was removed.
 */
export interface WebhookStore {
  /** @throws Conflict when the name is taken, or the account has as many as it may have. */
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
  findDestination(accountId: number, name: string): Promise<Destination & { readonly name: string }>;
  /**
   * Changes a webhook. Deliveries of a disabled webhook wait, and continue when it is enabled. With a confirmation they wait for that.
   *
   * @throws Conflict when the name is taken, or when a webhook that waits for its confirmation is enabled or disabled.
   */
  change(accountId: number, name: string, changes: ConfirmedChanges, by: Actor): Promise<Webhook>;
  /** Switches on the webhook that waits for this confirmation; answers its address. Null: none does, or it waited too long. */
  confirm(digest: Buffer, from: string): Promise<string | null>;
  /** Removes a webhook and abandons its deliveries. */
  remove(accountId: number, name: string, by: Actor): Promise<Webhook>;
  /** A new secret; the old one signs too for `overlapMs`. @throws Conflict when it is of a kind without. */
  rotate(
    accountId: number,
    name: string,
    rotation: { readonly secret: string; readonly overlapMs: number },
    by: Actor,
    kept?: StoredResponse<CreatedWebhook> | null,
  ): Promise<CreatedWebhook>;
  /** The newest events first. Null when `before` is no event of the account. */
  listDeliveries(accountId: number, name: string, page: DeliveryPage): Promise<readonly Delivery[] | null>;
  /** Sends again, at once and with all attempts anew; answers how many. @throws NotFound when there is no such event. */
  replay(accountId: number, name: string, replay: Replay): Promise<number>;
}

/** Webhooks that an account may have. Our choice: more would be a way to have us call others. */
export const webhooksMax = 50;

/** Displays a target without secrets: the path of an incoming webhook of Slack is its secret, and a query often holds a key. */
export function shownTarget(kind: WebhookKind, target: string): string {
  if (kind === 'email') return target;
  const { origin, pathname, search } = new URL(target);
  if (kind === 'slack') return `${origin}/…`;
  return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}

/** Standard Webhooks 1.0 asks for 24 to 64 bytes. */
const secretBytes = 32;

/** A new secret to sign bodies with, as Standard Webhooks writes it: `whsec_` and 32 random bytes in base64. */
export function createWebhookSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`;
}
