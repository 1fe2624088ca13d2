import type { ReportForm } from './batch-report.ts';

/** A row that names nothing to look up, as it stood in the list. */
export interface RejectedRow {
  /** The line of the file where the row begins, from 1. */
  readonly lineNo: number;
  readonly reason: string;
  readonly cells: readonly string[];
}

/** Port: the rejected rows of a batch. */
export interface RejectedRows {
  /**
   * Lets `use` read them in input order, in constant memory, as they stand at one moment.
   *
   * @throws Conflict for a batch that was purged.
   */
  read<T>(
    batchId: number,
    use: (rows: AsyncIterable<readonly RejectedRow[]>, form: ReportForm) => Promise<T>,
  ): Promise<T>;
}
