import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { PurgeStore, SweptAds } from '../../../src/core/purge/purge-store.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { errorCode } from '../../connection/error-code.ts';
import { countScope, countUnseen } from './purge-counts.ts';
import { purgeDeleted, purgeSome } from './purge-rounds.ts';

export { createPurgedSpace } from './release-space.ts';

export interface PurgeStoreOptions {
  /** Number of lookups, rows and so on per round, about: whole chunks are purged. A round of the default, 50,000, takes less than a second. */
  readonly perRound?: number;
  /** Time that a sweep waits for transactions that may link an ad, in milliseconds. Default 3,000. */
  readonly sweepWaitMs?: number;
}

/** Calls the functions of `db/sql/purge.sql`. */
export function createPurgeStore(
  db: NodePgDatabase,
  { perRound = 50_000, sweepWaitMs = 3000 }: PurgeStoreOptions = {},
): PurgeStore {
  return {
    momentAgo: (ageMs) => withDatabase(() => momentAgo(db, ageMs)),
    count: (scope) => withDatabase(() => countScope(db, scope)),
    countUnseen: (scopes) => withDatabase(() => countUnseen(db, scopes)),
    purgeSome: (scope, from) => withDatabase(() => purgeSome(db, scope, from, perRound)),
    purgeDeleted: (rounds) => withDatabase(() => purgeDeleted(db, rounds, perRound)),
    sweepSome: () => withDatabase(() => sweepSome(db, sweepWaitMs)),
  };
}

async function momentAgo(db: Sql, ageMs: number): Promise<Date> {
  const found = await db.execute<{ at: string }>(
    sql`SELECT now() - ${ageMs}::double precision * interval '1 millisecond' AS at`,
  );
  return new Date(found.rows[0]?.at ?? 0);
}

/** Maximum number of versions per sweep, with their variants: each sweep reads whole tables. */
const versionsPerSweep = 50_000;

async function sweepSome(db: NodePgDatabase, waitMs: number): Promise<SweptAds | null> {
  try {
    const swept = await db.execute<{ versions: string | null; ads: string | null }>(
      sql`SELECT versions, ads FROM nightshift.sweep_versions(${versionsPerSweep}, ${waitMs})`,
    );
    const { versions = null, ads = null } = swept.rows[0] ?? {};
    return versions === null ? null : { versions: Number(versions), ads: Number(ads) };
  } catch (error) {
    if (errorCode(error) === '40001') return null;
    throw error;
  }
}
