/** A case of the proof: a promise, and the fault tests that show it at full size. */
export interface ProofCase {
  readonly name: string;
  /** Statement that the record repeats: the faults, and the state of everything after them. */
  readonly shows: string;
  /** Test files below `test`. None as long as nothing tests the case at full size. */
  readonly files: readonly string[];
  /** Time on 2 slow cores. */
  readonly expectedMinutes: number;
  /** Time limit: the run is ended with all its processes. */
  readonly minutesMax: number;
}

/** Cases in the order in which they run: short ones first. */
export const proofCases: readonly ProofCase[] = [
  {
    name: 'redis-failovers',
    shows: '20 failovers of Sentinel and 20 of a cluster: all batches end, each tick is one scan',
    files: ['faults/redis/sentinel.test.ts', 'faults/redis/cluster.test.ts'],
    expectedMinutes: 15,
    minutesMax: 60,
  },
  {
    name: 'machines',
    shows:
      'disk full, disk of the WAL full, no inodes, wrong clock, a worker and a server out of memory: an honest error with its remedy, ' +
      'nothing lost, and work goes on when there is room',
    files: [
      'faults/disk-full.test.ts',
      'faults/machines/full-disks.test.ts',
      'faults/machines/full-folders.test.ts',
      'faults/machines/out-of-memory.test.ts',
      'faults/machines/server-clock.test.ts',
    ],
    expectedMinutes: 10,
    minutesMax: 60,
  },
  {
    name: 'upgrades',
    shows:
      'Postgres 17 to 18, and the release before to this one, in mid-batch: equal exports, `verify` holds',
    files: ['faults/machines/upgrade.test.ts', 'faults/machines/releases.test.ts'],
    expectedMinutes: 10,
    minutesMax: 60,
  },
  {
    name: 'hosts',
    shows:
      'three hosts in namespaces of their own, partitions of 1 to 60 s, 5 % loss, 200 ms: 0 lost, 0 charged twice, 0 stuck',
    files: ['faults/machines/hosts.test.ts', 'faults/machines/lost-hosts.test.ts'],
    expectedMinutes: 30,
    minutesMax: 120,
  },
  {
    name: 'shares',
    shows:
      'an account with 1,000 batches of 1,000 rows against 99 with one of 100, 50 calls/s, both queues: index of Jain at least 0.99 in ' +
      'every minute, small accounts within 1.1 × their fair time, a search within 2 s, 97 % of the pace used',
    files: ['faults/fair-shares.test.ts', 'faults/slow-shares.test.ts'],
    expectedMinutes: 35,
    minutesMax: 120,
  },
  {
    name: 'primary-kills',
    shows:
      '100 kills of the primary under a synchronous standby in 50,000 rows: 0 acknowledged outcomes lost, 0 charged twice, work goes on ' +
      'within 15 s (p99)',
    files: ['faults/machines/failover.test.ts', 'faults/machines/patroni.test.ts'],
    expectedMinutes: 100,
    minutesMax: 300,
  },
  {
    name: 'restores',
    shows:
      '100 restores to random seconds of runs with kills: `verify` holds, no company is paid for twice by the log of the source, 2 GB ' +
      'are back within 60 s',
    files: ['faults/machines/restored-size.test.ts', 'faults/machines/restored-runs.test.ts'],
    expectedMinutes: 100,
    minutesMax: 300,
  },
  {
    name: 'queue-cells',
    shows:
      'restart of the server, ended and killed sessions, no connection left, locked tables, killed workers, 20 times each, and a ' +
      'transaction pinned for an hour: work goes on by itself, dead rows and tables grow with the work only, shutdown under load ' +
      'within 25 s',
    files: ['faults/queue-cells/failing-server.test.ts', 'faults/queue-cells/pinned-transaction.test.ts'],
    expectedMinutes: 150,
    minutesMax: 300,
  },
  {
    name: 'soak',
    shows:
      '100 days of one process, as the record becomes a day older after each: memory, connections, file handles and tables stay as they ' +
      'are, less than 2 GB of disk',
    files: ['faults/machines/soak.test.ts'],
    expectedMinutes: 40,
    minutesMax: 200,
  },
  {
    name: 'storm',
    shows:
      'both queues, 50,000 rows: 1,000 `kill -9`, 1,000 lost answers to COMMIT, 30 kills of Redis, 10 emptied queues, 20 restarts of ' +
      'Postgres, 100 frozen workers: 0 lost, 0 charged twice, 0 stuck by the log of the source, `verify` holds after each phase',
    files: ['faults/storm.test.ts'],
    expectedMinutes: 180,
    minutesMax: 480,
  },
];
