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
