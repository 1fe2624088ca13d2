/** Settings of an engine. */
export interface PeerEngine {
  readonly name: string;
  /** File in `engines`. */
  readonly script: string;
  /** Server beside Postgres 18, or Postgres with an extension instead of it. */
  readonly needs: 'redis' | 'pgq' | null;
  /** True for engines of `engines/package.json`; the others are packages of the project. */
  readonly isInstalledApart: boolean;
  /** True for engines that do not start on Node 20. */
  readonly needsNode22: boolean;
  /** Sizes to choose the best of: jobs at a time, or jobs in a batch. The first one is usual. */
  readonly sizes: readonly [number, ...number[]];
  readonly sizeMeans: string;
}

const plain = { needs: null, isInstalledApart: true, needsNode22: false } as const;
const jobsAtATime = { sizes: [16, 4, 64], sizeMeans: 'jobs at a time' } as const;

/** Engines in the order of a round. */
export const peerEngines: readonly PeerEngine[] = [
  {
    ...plain,
    ...jobsAtATime,
    name: 'BullMQ on Redis',
    script: 'bullmq.js',
    needs: 'redis',
    isInstalledApart: false,
  },
  { ...plain, ...jobsAtATime, name: 'BullMQ on Postgres', script: 'bullmq.js', isInstalledApart: false },
  { ...plain, ...jobsAtATime, name: 'graphile-worker', script: 'graphile-worker.js', needsNode22: true },
  {
    ...plain,
    name: 'pg-boss',
    script: 'pg-boss.js',
    needsNode22: true,
    sizes: [500, 100, 2000],
    sizeMeans: 'jobs a fetch',
  },
  {
    ...plain,
    name: 'DBOS Transact',
    script: 'dbos.js',
    sizes: [64, 16, 256],
    sizeMeans: 'workflows at a time',
  },
  {
    ...plain,
    name: 'PgQ',
    script: 'pgq.js',
    needs: 'pgq',
    isInstalledApart: false,
    sizes: [500, 100, 2000],
    sizeMeans: 'events a batch',
  },
];
