/** Port: evaluates the changes of ended scans and creates their events. */
export interface ScanEvaluator {
  /**
   * Evaluates the oldest scan that has ended, or whose batch has ended again after a retry. One transaction stores the changes
   * of each company (`applyObservation`), the new state and the event `scan.changes`.
   *
   * Every scan is evaluated exactly once, even if several processes call this or a process dies. The scans of a schedule are
   * evaluated in the order of their ids: a later scan waits for an earlier one that has not ended.
   *
   * @returns null when there is nothing to evaluate, or when other processes are evaluating all of it.
   * @throws the reason of `signal` when it aborts; nothing of that scan has taken effect.
   */
  evaluateNext(signal: AbortSignal): Promise<EvaluatedScan | null>;
}

export interface EvaluatedScan {
  readonly publicId: string;
  /** Number of companies whose observations were evaluated. */
  readonly companies: number;
  readonly changes: number;
}

/** Evaluates all scans that are ready, and returns their number. */
export async function evaluateScans(evaluator: ScanEvaluator, signal: AbortSignal): Promise<number> {
  let scans = 0;
  while (!signal.aborted && (await evaluator.evaluateNext(signal)) !== null) scans += 1;
  return scans;
}
