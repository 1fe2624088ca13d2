/** Port: the right to dispatch, which one process per database holds at a time, and the notifications that work is waiting. */
export interface LeaderLock {
  /** Resolves when this process holds the lock; rejects with the signal's reason. */
  take(signal: AbortSignal): Promise<void>;
  /** Resolves when work may be waiting, or after `timeoutMs`. Rejects when the lock is lost or the signal aborts. */
  wait(timeoutMs: number, signal: AbortSignal): Promise<void>;
  /** Releases the lock. Never throws. */
  leave(): Promise<void>;
}
