import type { Destination, EventEnvelope } from './event-envelope.ts';

/** An event on its way to one webhook, claimed by this process. */
export interface DueDelivery {
  readonly eventKey: bigint;
  readonly webhookKey: number;
  /** Number of the attempt, from 1. It also tells this claim from any later one. */
  readonly attempt: number;
  readonly envelope: EventEnvelope;
  readonly destination: Destination;
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
  /** Given up, until somebody asks for it again. */
  | { readonly kind: 'dead'; readonly status: number | null; readonly error: string }
  /** The webhook is switched off, and all that is on its way to it is given up. */
  | { readonly kind: 'gone'; readonly status: number; readonly error: string };

/** Port: the deliveries that are due. All of it goes by the database's clock. */
export interface DeliveryStore {
  /**
   * Claims up to so many deliveries for `leaseMs`, the oldest of each webhook that is on and has none under way: a webhook is told one
   * thing at a time, in order as long as nothing fails. Who loses its lease loses its claim.
   */
  claim(limit: number, leaseMs: number): Promise<readonly DueDelivery[]>;
  /** Writes down what became of a claimed one. A failure of a claim that was lost changes nothing. */
  end(delivery: DueDelivery, end: DeliveryEnd): Promise<void>;
  /** Gives a claimed one back as if it had never been claimed. */
  release(delivery: DueDelivery): Promise<void>;
}
