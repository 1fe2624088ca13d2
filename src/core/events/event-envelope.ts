/** One thing that happened, as a receiver is told of it. */
export interface EventEnvelope {
  /** The same in every delivery of it, and in every attempt: by it a receiver knows what it has seen. */
  readonly eventId: string;
  /** A `EventType`; or `test`, which is sent by hand. */
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
export interface Destination {
  readonly kind: WebhookKind;
  /** An address of the web, or of mail. */
  readonly target: string;
  /** Signing secrets, the newest first; after a rotation two for a while. Empty for other kinds. */
  readonly secrets: readonly string[];
}

/** Result of one attempt to deliver an event. */
export type Attempt =
  | { readonly kind: 'delivered'; readonly status: number }
  | FailedAttempt
  /** The receiver wants no more events, ever (HTTP 410). */
  | { readonly kind: 'gone'; readonly status: number; readonly error: string };

export interface FailedAttempt {
  readonly kind: 'failed';
  /** The HTTP status or the SMTP code; null where there was no answer. */
  readonly status: number | null;
  /** In plain words, without what a target keeps secret. */
  readonly error: string;
  /** Delay that the receiver asks for, in milliseconds, at most an hour; null: none. */
  readonly retryAfterMs: number | null;
}

/** Port: sends events. */
export interface EventChannel {
  /**
   * One attempt. Whatever a receiver does, or fails to do within 20 seconds, is answered, not thrown.
   *
   * @throws the signal's reason when it aborts.
   */
  send(envelope: EventEnvelope, destination: Destination, signal: AbortSignal): Promise<Attempt>;
}
