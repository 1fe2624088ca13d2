/** One thing that happened, as a receiver is told of it. */
export interface Notice {
  /** The same in every delivery of it, and in every attempt: by it a receiver knows what it has seen. */
  readonly noticeId: string;
  /** A `NoticeEvent`; or `test`, which is sent by hand. */
  readonly event: string;
  readonly createdAt: Date;
  /** What the event tells, as it was written down. */
  readonly about: unknown;
  /** Where the schedule that it is about has its clock; null where it is about none. */
  readonly timeZone: string | null;
}

/** How a webhook is reached: Standard Webhooks, an incoming webhook as Slack has them, or e-mail. */
export const webhookKinds = ['webhook', 'slack', 'email'] as const;
export type WebhookKind = (typeof webhookKinds)[number];

/** Where notices go. */
export interface Destination {
  readonly kind: WebhookKind;
  /** An address of the web, or of mail. */
  readonly target: string;
  /** What bodies are signed with, the newest first; after a rotation two for a while. Empty for other kinds. */
  readonly secrets: readonly string[];
}

/** What became of one attempt to deliver a notice. */
export type Attempt =
  | { readonly kind: 'delivered'; readonly status: number }
  | FailedAttempt
  /** The receiver wants no more notices, ever (HTTP 410). */
  | { readonly kind: 'gone'; readonly status: number; readonly error: string };

export interface FailedAttempt {
  readonly kind: 'failed';
  /** The HTTP status or the SMTP code; null where there was no answer. */
  readonly status: number | null;
  /** In plain words, without what a target keeps secret. */
  readonly error: string;
  /** How long the receiver asks to be left alone, milliseconds, at most an hour; null where it does not. */
  readonly retryAfterMs: number | null;
}

/** Port: sends notices. */
export interface NoticeChannel {
  /**
   * One attempt. Whatever a receiver does, or fails to do within 20 seconds, is answered, not thrown.
   *
   * @throws the signal's reason when it aborts.
   */
  send(notice: Notice, destination: Destination, signal: AbortSignal): Promise<Attempt>;
}
