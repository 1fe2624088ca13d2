import type { Backoff } from './retry-policies.ts';

/**
 * The database is unavailable when a paid reply has to be stored, or when credits are granted.
 *
 * A reply exists nowhere else, so it is kept in memory until the lease of its work ends. A grant gives up after `giveUpMs`. Both are safe to
 * repeat: the answer to a COMMIT may have been lost.
 *
 * Origin: our choice.
 */
export const databaseOutage = {
  initialDelayMs: 100,
  backoffCoefficient: 2,
  delayMsMax: 1000,
  giveUpMs: 5000,
} as const satisfies Backoff & { giveUpMs: number };

/**
 * The tables are in use while a migration locks all of them.
 *
 * It gives the locks back and tries again later. `lockMs` is below the time after which Postgres looks for deadlocks (1 s by default), so that it
 * never ends a statement of a worker. A wait is reported after `quietTries`.
 *
 * Origin: our choice.
 */
export const schemaLock = { lockMs: 400, delayMs: 200, quietTries: 5, giveUpMs: 300_000 } as const;

/**
 * A standby cancels or loses a reading.
 *
 * It starts `startsMax` times there, then the primary answers: a cancelled statement often succeeds the second time.
 *
 * Origin: our choice.
 */
export const replicaReading = { startsMax: 2 } as const;
