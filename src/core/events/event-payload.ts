/** Credits as a message names them: what something cost, and what can be spent now. */
export interface SpentCredits {
  readonly spent: number;
  readonly left: number;
}

/** Result of a scan. */
export interface ScanPayload {
  readonly event: 'scan.changes';
  readonly schedule: string;
  readonly dueAt: Date;
  /** Companies by how complete the scan's answer about them is. */
  readonly companies: {
    readonly total: number;
    readonly complete: number;
    readonly truncated: number;
    readonly partial: number;
    readonly unconfirmed: number;
    readonly failed: number;
  };
  /** Ads. */
  readonly changes: {
    readonly new: number;
    readonly reactivated: number;
    readonly ended: number;
    readonly changed: number;
    readonly baseline: number;
  };
  /** The companies with the most new and ended ads, those first. */
  readonly top: readonly { readonly company: string; readonly new: number; readonly ended: number }[];
  readonly credits: SpentCredits;
  /** Command that retries the failed companies; null without failures. */
  readonly retryCommand: string | null;
}

/** Ticks of a schedule that nobody was there for. */
export interface MissedTicksPayload {
  readonly event: 'schedule.missed';
  readonly schedule: string;
  readonly missed: number;
  readonly first: Date;
  readonly last: Date;
  /** One scan was begun for all of them. */
  readonly isCaughtUp: boolean;
}

/** A batch that came to an end, or waits. */
export interface BatchPayload {
  readonly event: 'batch.completed' | 'batch.failed' | 'batch.waiting_for_credits';
  readonly batch: string;
  readonly fileName: string;
  readonly reason: string | null;
  readonly rows: { readonly total: number; readonly rejected: number };
  /** Lookups, by how they ended. */
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

/** An account whose credits run low. */
export interface LowCreditsPayload {
  readonly event: 'credits.low';
  readonly balance: number;
  readonly held: number;
  readonly threshold: number;
}

/** Sent by hand, to see whether it arrives. */
export interface TestPayload {
  readonly event: 'test';
  readonly webhook: string;
}

/** Request to confirm an e-mail address; `url` is the page to agree on. */
export interface ConfirmPayload {
  readonly event: 'confirm';
  readonly url: string;
}

/** Payload of an event. */
export type EventPayload =
  ScanPayload | MissedTicksPayload | BatchPayload | LowCreditsPayload | TestPayload | ConfirmPayload;
