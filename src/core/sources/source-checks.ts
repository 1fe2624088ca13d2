import type { ShapeDifference } from './reply-shape.ts';

/** The last time that an operator asked a source one real question. */
export interface LiveCheck extends ShapeDifference {
  readonly source: string;
  readonly checkedAt: Date;
  readonly outcome: string;
}

/** Port: what is known of sources from questions that an operator put to them to see whether they still answer as recorded. */
export interface SourceChecks {
  list(): Promise<readonly LiveCheck[]>;
  /** One for each source: the newest. */
  keep(check: Omit<LiveCheck, 'checkedAt'>): Promise<void>;
  /** The replies to the calls of a request that were kept, in the order of the calls. */
  readReplies(requestId: string): Promise<readonly string[]>;
}
