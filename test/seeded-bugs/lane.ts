import { openTestPostgres } from '../support/db/test-postgres.ts';
import { openTestRedis } from '../support/queue/test-redis.ts';
import { copyTree } from './copy-tree.ts';

/** A copy of the tree, with servers of its own that outlast the runs in it. */
export interface Lane {
  readonly root: string;
  /** For the tests that run in it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

/** Two, one for each processor of a small machine; a single one on a Postgres that was given, where they would meet. */
const laneCount = process.env['NIGHTSHIFT_TEST_DATABASE_URL'] === undefined ? 2 : 1;

/** Opens the lanes. The caller closes them. */
export function openLanes(projectRoot: string): Promise<readonly Lane[]> {
  return Promise.all(Array.from({ length: laneCount }, () => openLane(projectRoot)));
}

/** Does the work for every item, in each lane for one at a time. Answers the results in the order of the items. */
export async function inLanes<Item, Result>(
  lanes: readonly Lane[],
  items: readonly Item[],
  work: (lane: Lane, item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  await Promise.all(
    lanes.map(async (lane) => {
      for (const [i, item] of left) results[i] = await work(lane, item);
    }),
  );
  return results;
}

/** Its servers are those that were named for tests, else its own, as for `npm test`. */
async function openLane(projectRoot: string): Promise<Lane> {
  const tree = copyTree(projectRoot);
  const postgres = await openTestPostgres();
  const redis = await openTestRedis();
  return {
    root: tree.root,
    environment: {
      NIGHTSHIFT_TEST_DATABASE_URL: postgres.url,
      ...(redis === null ? {} : { NIGHTSHIFT_TEST_REDIS_URL: redis.url }),
    },
    close: async () => {
      await Promise.all([postgres.close(), redis?.close()]);
      tree.close();
    },
  };
}
