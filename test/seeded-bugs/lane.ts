import { createTemplate, openTestPostgres } from '../support/db/test-postgres.ts';
import { openTestRedis } from '../support/queue/test-redis.ts';
import { copyTree } from './copy-tree.ts';

/** A copy of the tree with its own servers, which several runs share. */
export interface Lane {
  readonly root: string;
  /** Environment of its tests. */
  readonly environment: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

/** Two, one for each processor of a small machine; only one on a given Postgres, which the lanes would share. */
const laneCount = process.env['NIGHTSHIFT_TEST_DATABASE_URL'] === undefined ? 2 : 1;

/** Opens the lanes. The caller closes them. */
export function openLanes(projectRoot: string): Promise<readonly Lane[]> {
  return Promise.all(Array.from({ length: laneCount }, () => openLane(projectRoot)));
}

/** The same lane, whose tests migrate a database with the bug, if the bug is in the schema. */
export function withSchemaOf(lane: Lane, file: string): Lane {
  if (!/^db\/(?:migrations|sql|[a-z-]+\.ts)/.test(file)) return lane;
  const kept = Object.entries(lane.environment).filter(([name]) => name !== 'NIGHTSHIFT_TEST_TEMPLATE');
  return { ...lane, environment: Object.fromEntries(kept) };
}

/** Processes every item, one at a time in each lane. Returns the results in the order of the items. */
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

/** Migrated database of the lane's server without a bug, which its runs clone. */
const soundTemplate = 'nightshift_sound_template';

/** The servers are the configured ones for tests, otherwise its own, as for `npm test`. */
async function openLane(projectRoot: string): Promise<Lane> {
  const tree = copyTree(projectRoot);
  const postgres = await openTestPostgres();
  const redis = await openTestRedis();
  await createTemplate(postgres.url, soundTemplate);
  return {
    root: tree.root,
    environment: {
      NIGHTSHIFT_TEST_DATABASE_URL: postgres.url,
      NIGHTSHIFT_TEST_TEMPLATE: soundTemplate,
      ...(redis === null ? {} : { NIGHTSHIFT_TEST_REDIS_URL: redis.url }),
    },
    close: async () => {
      await Promise.all([postgres.close(), redis?.close()]);
      tree.close();
    },
  };
}
