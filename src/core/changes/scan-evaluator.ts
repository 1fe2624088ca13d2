/** Port: finds out what ended scans changed, and makes the events of it. */
export interface ScanEvaluator {
  /**
   * Evaluates one scan that has ended, or whose batch has ended again after a retry; the oldest of those that can be. In one transaction:
   * what each company's look changed (`trackLook`), what is known from now on, and the event `scan.changes`.
   *
   * Exactly once, whoever calls it and whenever a process dies. The scans of a schedule are evaluated one after another in the order of
   * their ids: a younger one waits for an older one that has not ended.
   *
   * @returns null when there is nothing to evaluate, or when others are at all of it.
   * @throws the reason of `signal` once it is aborted; nothing of that scan has taken effect then.
   */
  evaluateNext(signal: AbortSignal): Promise<EvaluatedScan | null>;
}

export interface EvaluatedScan {
  readonly publicId: string;
  /** Companies whose looks were evaluated now. */
  readonly companies: number;
  readonly changes: number;
}

/** Evaluates every scan that can be; answers how many those were. */
export async function evaluateScans(evaluator: ScanEvaluator, signal: AbortSignal): Promise<number> {
  let scans = 0;
  while (!signal.aborted && (await evaluator.evaluateNext(signal)) !== null) scans += 1;
  return scans;
}
