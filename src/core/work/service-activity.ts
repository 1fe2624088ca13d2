import type { ChangeKind } from '../changes/ad-change.ts';

/** A scan that started or ended recently. */
export interface RecentScan {
  /** Public ids. */
  readonly scan: string;
  readonly batch: string;
  /** Name of the schedule. */
  readonly schedule: string;
  readonly begunAt: Date;
  /** Null while it runs, and until its changes are evaluated. */
  readonly ended: {
    readonly state: 'finished' | 'cancelled';
    readonly at: Date;
    /** Number of changes by kind, without baselines; kinds without changes are absent. */
    readonly changes: Readonly<Partial<Record<Exclude<ChangeKind, 'baseline'>, number>>>;
  } | null;
}

/** A recent attempt to deliver an event that failed. */
export interface FailedDelivery {
  readonly eventId: string;
  readonly event: string;
  /** Name of the webhook. */
  readonly webhook: string;
  readonly attempts: number;
  readonly error: string;
  /** Null: abandoned. */
  readonly nextAt: Date | null;
}

/** A recent landing that ended, or an attempt at it that failed. */
export interface RecentLanding {
  /** Public id of the batch, and name of the destination. */
  readonly batch: string;
  readonly destination: string;
  readonly shape: string;
  readonly contentKey: string;
  readonly attempts: number;
  /** Number of lines that landed; null after a failure. */
  readonly rows: number | null;
  readonly error: string | null;
  /** Null: landed, or abandoned. */
  readonly nextAt: Date | null;
}

export interface ServiceActivity {
  readonly scans: readonly RecentScan[];
  readonly landings: readonly RecentLanding[];
  readonly failures: readonly FailedDelivery[];
}

/** Port: activity of all processes and accounts, for the operator. */
export interface ActivityStore {
  /** Reads the activity of the last `windowMs`, by the database clock, oldest first; of the newest scans and events only. */
  readRecent(windowMs: number): Promise<ServiceActivity>;
  /** Counts the active webhooks that send mail. */
  countMailWebhooks(): Promise<number>;
}
