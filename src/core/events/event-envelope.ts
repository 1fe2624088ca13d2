/** An event as it is sent to a receiver. */
export interface EventEnvelope {
  /** The same in every delivery and attempt, so that a receiver recognizes repeats. */
  readonly eventId: string;
  /** An `EventType`, or `test` for an event that is sent by hand. */
  readonly event: string;
  readonly createdAt: Date;
  /** Payload of the event, as stored. */
  readonly payload: unknown;
  /** Time zone of the schedule; null for an event without one. */
  readonly timeZone: string | null;
}

/** Kinds of webhooks: Standard Webhooks, an incoming webhook of Slack, or e-mail. */
export const webhookKinds = ['webhook', 'slack', 'email'] as const;
export type WebhookKind = (typeof webhookKinds)[number];

/** Target of events. */
export interface Receiver {
  readonly kind: WebhookKind;
  /** A URL or an e-mail address. */
  readonly target: string;
  /** Signing secrets, newest first; two for a day after a rotation. Empty for other kinds. */
  readonly secrets: readonly string[];
}

/** Result of one attempt to deliver an event. */
export type Attempt =
  | { readonly kind: 'delivered'; readonly status: number }
  | FailedAttempt
  /** The receiver wants no more events (HTTP 410). */
  | { readonly kind: 'gone'; readonly status: number; readonly error: string };

export interface FailedAttempt {
  readonly kind: 'failed';
  /** HTTP status or SMTP code; null without an answer. */
  readonly status: number | null;
  /** In plain words, without secrets of the target. */
  readonly error: string;
  /** Delay that the receiver asks for, in milliseconds, at most an hour; null: none. */
  readonly retryAfterMs: number | null;
}

/** Port: sends events. */
export interface EventChannel {
  /**
   * Makes one attempt. Every failure of the receiver, including no answer within 20 seconds, is returned, not thrown.
   *
   * @throws the signal's reason when it aborts.
   */
  send(envelope: EventEnvelope, receiver: Receiver, signal: AbortSignal): Promise<Attempt>;
}
