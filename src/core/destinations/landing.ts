import type { ReportDepth } from '../batches/batch-report.ts';
import type { DestinationTarget } from './destination.ts';

/** Writing of a batch in one shape to a destination, as it is shown to people. */
export interface Landing {
  /** Public ids. */
  readonly destinationId: string;
  readonly batch: string;
  readonly destination: string;
  readonly shape: ReportDepth;
  readonly revision: number;
  readonly contentKey: string;
  readonly state: 'pending' | 'landed' | 'dead';
  readonly attempts: number;
  /** Time of the next attempt; null unless it is pending. */
  readonly nextAt: Date | null;
  readonly triedAt: Date | null;
  readonly lastError: string | null;
  readonly landedAt: Date | null;
  readonly note: string | null;
  /** Size of what landed; null before. */
  readonly rows: number | null;
  readonly bytes: number | null;
  readonly parts: number | null;
  readonly createdAt: Date;
}

export const landingStates = ['pending', 'landed', 'dead'] as const;

/** A landing to write, claimed by this process. */
export interface DueLanding {
  readonly landingKey: number;
  /** Fencing token: only the latest claim may write. */
  readonly token: number;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  readonly contentKey: string;
  readonly revision: number;
  readonly shape: ReportDepth;
  /** UTC day of the first completion, `YYYY-MM-DD`. */
  readonly day: string;
  readonly batch: LandingBatch;
  readonly target: DestinationTarget;
}

/** The batch of a landing. */
export interface LandingBatch {
  readonly batchKey: number;
  readonly publicId: string;
  readonly fileName: string;
  readonly state: string;
  readonly finishedAt: Date;
  readonly rowsTotal: number;
}

/** Part of a landing. Part 0 is the manifest. */
export interface LandingPart {
  readonly part: number;
  /** Path below the root of the storage, or name of the table. */
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
  /** Hexadecimal; null for a table. */
  readonly sha256: string | null;
}

/** Part as it is recorded. */
export interface RecordedPart extends LandingPart {
  /** False: the write was begun, and the file may exist or not. */
  readonly isWritten: boolean;
}

/** Size of what landed. */
export interface LandedSize {
  readonly rows: number;
  readonly bytes: number;
  readonly parts: number;
  readonly note: string | null;
}

/** Stored result of an attempt. */
export type LandingEnd =
  | { readonly kind: 'landed'; readonly size: LandedSize }
  | {
      readonly kind: 'retry';
      readonly error: string;
      readonly waitMs: number;
      /** True when the storage rejects the destination, which then shows the error. */
      readonly isRejected: boolean;
    }
  /** Abandoned, until a replay is requested. The account receives an event. */
  | { readonly kind: 'dead'; readonly error: string; readonly isRejected: boolean };

/** Port: due landings. All times are those of the database's clock. */
export interface LandingStore {
  /**
   * Claims landings for `leaseMs`: of each active destination without a claimed landing, the oldest whose batch is finished or cancelled. An
   * expired lease ends the claim.
   */
  claim(limit: number, leaseMs: number): Promise<readonly DueLanding[]>;
  /** Prolongs a claim. @throws LeaseLost when another process has claimed the landing. */
  renew(landing: DueLanding, leaseMs: number): Promise<void>;
  /** Lists the recorded parts. */
  readParts(landing: DueLanding): Promise<readonly RecordedPart[]>;
  /** Records that a part is about to be written. @throws LeaseLost */
  planPart(landing: DueLanding, part: LandingPart): Promise<void>;
  /** Records that the storage has a part. @throws LeaseLost */
  recordPart(landing: DueLanding, part: number): Promise<void>;
  /** Deletes the record of a removed part. @throws LeaseLost */
  forgetPart(landing: DueLanding, part: number): Promise<void>;
  /**
   * Records the result of a claimed landing. A batch that finished again meanwhile lands again. A result after the claim was lost changes
   * nothing.
   */
  end(landing: DueLanding, end: LandingEnd): Promise<void>;
  /** Releases a claimed landing as if it had never been claimed. */
  release(landing: DueLanding): Promise<void>;
}
