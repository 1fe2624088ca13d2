import type { Receiver, EventEnvelope, WebhookKind } from './event-envelope.ts';

/** An event to deliver to one webhook, claimed by this process. */
export interface DueDelivery {
  readonly eventKey: bigint;
  readonly webhookKey: number;
  /** Number of the attempt, from 1. It also distinguishes this claim from later claims. */
  readonly attempt: number;
  readonly envelope: EventEnvelope;
  readonly receiver: Receiver;
}

/** Stored result of an attempt. */
export type DeliveryEnd =
  | { readonly kind: 'delivered'; readonly status: number }
  | {
      readonly kind: 'retry';
      readonly status: number | null;
      readonly error: string;
      readonly waitMs: number;
    }
  /** Abandoned, until a replay is requested. */
  | { readonly kind: 'dead'; readonly status: number | null; readonly error: string }
  /** The webhook is disabled, and all its pending deliveries are abandoned. */
  | { readonly kind: 'gone'; readonly status: number; readonly error: string };

/** Port: due deliveries. All times are those of the database's clock. */
export interface DeliveryStore {
  /**
   * Claims deliveries to webhooks of these kinds for `leaseMs`: of each active webhook without a claimed delivery, the oldest. So a webhook receives one
   * event at a time, in order unless deliveries fail. An expired lease ends the claim.
   */
  claim(kinds: readonly WebhookKind[], limit: number, leaseMs: number): Promise<readonly DueDelivery[]>;
  /** Records the result of a claimed delivery. A failure after the claim was lost changes nothing. */
  end(delivery: DueDelivery, end: DeliveryEnd): Promise<void>;
  /** Releases a claimed delivery as if it had never been claimed. */
  release(delivery: DueDelivery): Promise<void>;
}
