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
import { shareCalls } from '../../connection/share-calls.ts';
import type { OnWait } from '../../locks/wait-for-lock.ts';
import { snapshots } from '../../schema/ads.ts';
import { assertWords } from './advertiser-words.ts';
import { findCandidates } from './snapshot-candidates.ts';
import { mergeStaged } from './snapshot-merge.ts';
import { stageRows } from './snapshot-staging.ts';

/** The local data sets of ads in Postgres. Requests search them in `ofRequests`; default: `database`. */
export function createSnapshotStore(database: Database, ofRequests: Sql = database.sql): SnapshotStore {
  return {
    find: (name) => withDatabase(() => findSnapshot(database.sql, name)),
    load: (name, rows, options = {}) => loadSnapshot(database, name, rows, options),
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
  const { id, isGenerated, loadedAt, wordsVersion } = snapshots;
  const [found] = await db
    .select({ id, isGenerated, loadedAt, wordsVersion })
    .from(snapshots)
    .where(eq(snapshots.name, name));
  if (found === undefined || found.loadedAt === null) return null;
  assertWords({ name, wordsVersion: found.wordsVersion });
  return { id: found.id, isGenerated: found.isGenerated, name, loadedAt: found.loadedAt };
}

/**
 * Copies the rows into temporary tables of a separate session, which block no transaction; then one transaction merges them
 * with set-based statements. The session and its tables end with the load.
 */
async function loadSnapshot(
  { pool }: Database,
  name: SnapshotName,
  rows: AsyncIterable<readonly SnapshotRow[]>,
  { onWait, signal }: SnapshotLoadOptions,
): Promise<SnapshotLoad> {
  const client = await withDatabase(() => pool.connect());
  try {
    const work = async () => {
      const staged = await stageRows(client, rows);
      const merged = await withDatabase(() => merge(drizzle(client), name, onWait));
      return { ...staged, ...merged };
    };
    return await cancelOnAbort(pool, client, { signal, work });
  } finally {
    client.release(true);
  }
}

/** A live source rarely stores one of the same ads meanwhile. If it does, the merge runs again, and expects that. */
async function merge(db: NodePgDatabase, name: SnapshotName, onWait: OnWait | undefined) {
  try {
    return await db.transaction((transaction) =>
      mergeStaged(transaction, name, { conflicts: 'unexpected', onWait }),
    );
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return await db.transaction((transaction) =>
      mergeStaged(transaction, name, { conflicts: 'expected', onWait }),
    );
  }
}

function isDuplicateKey(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === '23505') || isDuplicateKey(error.cause);
}
