import { eq } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type {
  AdvertiserCandidates,
  CompanyKeys,
  Snapshot,
  SnapshotLoad,
  SnapshotLoadOptions,
  SnapshotName,
  SnapshotRow,
  SnapshotStore,
} from '../../../src/core/sources/snapshot-store.ts';
import { cancelOnAbort } from '../../connection/cancel-on-abort.ts';
import { withDatabase, type Database, type Sql } from '../../connection/client.ts';
import { errorCode } from '../../connection/error-code.ts';
import { shareCalls } from '../../connection/share-calls.ts';
import { snapshots } from '../../schema/ads.ts';
import { assertWords } from './advertiser-words.ts';
import { findCandidates, findShown } from './snapshot-candidates.ts';
import { chooseMoment, readToday } from './snapshot-day.ts';
import { mergeStaged, type Conflicts, type MergeOptions } from './snapshot-merge.ts';
import { stageRows } from './snapshot-staging.ts';

/** The local data sets of ads in Postgres. Requests search them in `ofRequests`; default: `database`. */
export function createSnapshotStore(database: Database, ofRequests: Sql = database.sql): SnapshotStore {
  return {
    find: (name) => withDatabase(() => findSnapshot(database.sql, name)),
    today: () => withDatabase(() => readToday(database.sql)),
    load: (name, rows, options = {}) => loadSnapshot(database, name, rows, options),
    findShown: (name, keys, shownIn) => withDatabase(() => findShown(ofRequests, name, keys, shownIn)),
    findCandidates: createFinder(database.sql, ofRequests),
  };
}

/** Requests, of one company each, share statements. Chunks of batches have many companies, and do not wait for one another. */
function createFinder(db: Sql, ofRequests: Sql): SnapshotStore['findCandidates'] {
  const findersOfRequests = new Map<number, (company: CompanyKeys) => Promise<AdvertiserCandidates>>();
  const findOfRequests = (snapshotId: number) => (companies: readonly CompanyKeys[]) =>
    findCandidates(ofRequests, snapshotId, companies);
  return async (snapshotId, companies) => {
    const [company, ...others] = companies;
    if (company === undefined || others.length > 0)
      return withDatabase(() => findCandidates(db, snapshotId, companies));
    const findOne = findersOfRequests.get(snapshotId) ?? shareCalls(findOfRequests(snapshotId));
    findersOfRequests.set(snapshotId, findOne);
    return [await findOne(company)];
  };
}

async function findSnapshot(db: Sql, name: SnapshotName): Promise<Snapshot | null> {
  const { id, isGenerated, loadedAt, asOf, hasRegions, hasSurfaces, wordsVersion } = snapshots;
  const [found] = await db
    .select({ id, isGenerated, loadedAt, asOf, hasRegions, hasSurfaces, wordsVersion })
    .from(snapshots)
    .where(eq(snapshots.name, name));
  if (found === undefined || found.loadedAt === null) return null;
  assertWords({ name, wordsVersion: found.wordsVersion });
  return {
    id: found.id,
    name,
    isGenerated: found.isGenerated,
    loadedAt: found.loadedAt,
    asOf: found.asOf,
    hasRegions: found.hasRegions,
    hasSurfaces: found.hasSurfaces,
  };
}

/**
 * Copies the rows into temporary tables of a separate session, which block no transaction; then one transaction merges them
 * with set-based statements. The session and its tables end with the load.
 */
async function loadSnapshot(
  database: Database,
  name: SnapshotName,
  rows: AsyncIterable<readonly SnapshotRow[]>,
  { asOf = null, isWhole = false, onWait, signal }: SnapshotLoadOptions,
): Promise<SnapshotLoad> {
  // Before the rows are read, which can take long; the merge checks it again.
  const moment = await withDatabase(() => chooseMoment(database.sql, name, asOf));
  const client = await withDatabase(() => database.pool.connect());
  try {
    const work = async () => {
      const { load, content } = await stageRows(client, rows);
      const options = { content, asOf: moment.asOf, isWhole, onWait };
      const merged = await withDatabase(() => merge(drizzle(client), name, options));
      return { ...load, ...merged };
    };
    return await cancelOnAbort(database.pool, client, { signal, work });
  } finally {
    client.release(true);
  }
}

/** A live source rarely stores one of the same ads meanwhile. If it does, the merge runs again, and expects that. */
async function merge(
  db: NodePgDatabase,
  name: SnapshotName,
  options: Omit<MergeOptions, 'conflicts'>,
): ReturnType<typeof mergeStaged> {
  const mergeWith = (conflicts: Conflicts) =>
    db.transaction((transaction) => mergeStaged(transaction, name, { ...options, conflicts }));
  try {
    return await mergeWith('unexpected');
  } catch (error) {
    if (errorCode(error) !== '23505') throw error;
    return await mergeWith('expected');
  }
}
