/** Port: the right to dispatch, held by one process per database at a time, and the bell that says when to look. */
export interface LeaderLock {
  /** Resolves once this process has the seat; rejects with the signal's reason. */
  take(signal: AbortSignal): Promise<void>;
  /** Resolves when work may be waiting, or after `timeoutMs`. Rejects when the seat is lost or the signal aborts. */
  wait(timeoutMs: number, signal: AbortSignal): Promise<void>;
  /** Gives the seat back. Never throws. */
  leave(): Promise<void>;
}
