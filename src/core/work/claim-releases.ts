import { DatabaseUnavailable } from '../errors.ts';
import { repeatWhileAway } from './repeat-while-away.ts';
import { serverOutage } from './retry-policies.ts';

/** Releases claims of chunks, if need be after an outage of the database. */
export interface ClaimReleases {
  /**
   * Runs `release`, and while the database is unavailable again until `signal` aborts. It must be safe to repeat.
   *
   * @throws the error of the last run; then the lease expires, and the start counts. So does every start of a chunk that was in work at
   *   `outagesMax` outages: it may be their cause.
   */
  readonly run: (chunkId: number, release: () => Promise<void>, signal: AbortSignal) => Promise<void>;
  /** Forgets the outages of a chunk that has ended without one. */
  readonly forget: (chunkId: number) => void;
}

export function createClaimReleases(): ClaimReleases {
  /** Outages in a row that each chunk was in work at. */
  const outages = new Map<number, number>();
  return {
    async run(chunkId, release, signal) {
      const survived = outages.get(chunkId) ?? 0;
      if (survived >= serverOutage.outagesMax) return release();
      let isAway = false;
      const noting = () =>
        release().catch((error: unknown) => {
          isAway ||= error instanceof DatabaseUnavailable;
          throw error;
        });
      try {
        await repeatWhileAway(noting, signal);
      } finally {
        if (isAway) outages.set(chunkId, survived + 1);
      }
    },
    forget: (chunkId) => void outages.delete(chunkId),
  };
}
