/**
 * Numbers of all advisory locks, one per purpose, in TypeScript and in SQL functions alike.
 *
 * Two purposes with the same number would wait for each other. `test/integration/db/advisory-locks.test.ts` reads the sources
 * and the functions of a migrated database, and rejects a number that is not listed here.
 */
export const advisoryLocks = {
  /** Held by the session that migrates. */
  migration: 7_303_114,
  /** Held by the session that loads a batch; the second key is the start of the batch's identity. */
  batchLoad: 7_303_115,
  /** Held by the session of the active dispatcher. */
  dispatcher: 7_303_116,
  /** Held by the transaction that evaluates a scan; the second key is its schedule. */
  scanEvaluation: 7_303_117,
  /** Held by the transaction that names a webhook; the second key is its account. */
  webhookNames: 7_303_118,
  /**
   * Held in shared mode by transactions that find versions of ads by reading alone, and exclusively by the one that deletes unused
   * versions.
   */
  adVersions: 7_303_119,
  /** Held by the transaction that merges a load into a data set of ads; the second key is the data set. */
  snapshotLoad: 7_303_120,
  /** Held in shared mode by transactions that build blocks of results, and exclusively by those that delete blocks. */
  resultBlocks: 7_303_121,
  /**
   * Held in shared mode by transactions that finish a batch, and exclusively by the one that names a destination or changes what it takes;
   * the second key is the account.
   */
  destinations: 7_303_130,
  /** Held in shared mode by transactions that record ends of calls, and exclusively by the one that sums up the cost of a batch for a first bound. */
  batchSpending: 7_303_125,
  /** Held by the session that gives the space of purged records back. */
  purgedSpace: 7_303_131,
  /** Held by the transaction that changes users of an account; the second key is the account. */
  users: 7_303_140,
  /** Held by the session that takes a base backup of the private server, in its database `postgres`. */
  baseBackup: 7_303_150,
  /** Held by the session that carries WAL of the private server to the archive, in its database `postgres`. */
  walTransport: 7_303_151,
  /** Held by the session of an upgrade of the private server, in its database `postgres`. */
  serverUpgrade: 7_303_152,
} as const;

/** A purpose of an advisory lock. */
export type LockPurpose = keyof typeof advisoryLocks;
