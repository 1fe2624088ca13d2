/** Credits spent by the work of an event, and the available balance. */
export interface SpentCredits {
  readonly spent: number;
  readonly left: number;
}

/** Result of a scan. */
export interface ScanPayload {
  readonly event: 'scan.changes';
  readonly schedule: string;
  readonly dueAt: Date;
  /** Companies by the completeness of their answers. */
  readonly companies: {
    readonly total: number;
    readonly complete: number;
    readonly truncated: number;
    readonly partial: number;
    readonly unconfirmed: number;
    readonly failed: number;
  };
  /** Number of ads by kind of change. */
  readonly changes: {
    readonly new: number;
    readonly reactivated: number;
    readonly ended: number;
    readonly changed: number;
    readonly baseline: number;
  };
  /** Companies with the most new and ended ads, in descending order. */
  readonly top: readonly { readonly company: string; readonly new: number; readonly ended: number }[];
  readonly credits: SpentCredits;
  /** Command that retries the failed companies; null without failures. */
  readonly retryCommand: string | null;
}

/** Ticks of a schedule that were missed because no dispatcher was running. */
export interface MissedTicksPayload {
  readonly event: 'schedule.missed';
  readonly schedule: string;
  readonly missed: number;
  readonly first: Date;
  readonly last: Date;
  /** True when one scan was started for all of them. */
  readonly isCaughtUp: boolean;
}

/** A file of an inbox that cannot be loaded. */
export interface FailedFilePayload {
  readonly event: 'inbox.file_failed';
  readonly inbox: string;
  readonly file: string;
  readonly reason: string;
}

/** An inbox whose location does not answer, or rejects the credentials. */
export interface FailingInboxPayload {
  readonly event: 'inbox.failing';
  readonly inbox: string;
  readonly reason: string;
  readonly since: Date;
}

/** A batch that is finished or waits. */
export interface BatchPayload {
  readonly event: 'batch.completed' | 'batch.failed' | 'batch.waiting_for_credits';
  readonly batch: string;
  readonly fileName: string;
  readonly reason: string | null;
  readonly rows: { readonly total: number; readonly rejected: number };
  /** Number of lookups by outcome. */
  readonly outcomes: {
    readonly total: number;
    readonly found: number;
    readonly none: number;
    readonly noMatch: number;
    readonly completed: number;
    readonly failed: number;
    readonly cancelled: number;
    readonly open: number;
  };
  readonly credits: SpentCredits;
}

/** An account whose credits are low. */
export interface LowCreditsPayload {
  readonly event: 'credits.low';
  readonly balance: number;
  readonly held: number;
  readonly threshold: number;
}

/** A landing that was given up. */
export interface FailedLandingPayload {
  readonly event: 'landing.failed';
  /** Name of the destination. */
  readonly destination: string;
  readonly batch: string;
  readonly fileName: string;
  readonly shape: string;
  readonly attempts: number;
  readonly error: string;
}

/** Sent by hand, to test a webhook. */
export interface TestPayload {
  readonly event: 'test';
  readonly webhook: string;
}

/** Request to confirm an e-mail address; `url` is the page to confirm it on. */
export interface ConfirmPayload {
  readonly event: 'confirm';
  readonly url: string;
}

/** Payload of an event. */
export type EventPayload =
  | ScanPayload
  | MissedTicksPayload
  | FailedFilePayload
  | FailingInboxPayload
  | BatchPayload
  | FailedLandingPayload
  | LowCreditsPayload
  | TestPayload
  | ConfirmPayload;
