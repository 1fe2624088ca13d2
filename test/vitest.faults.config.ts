import { defineConfig } from 'vitest/config';
import { testReporters } from './support/ci/reporters.ts';
import { longestFirst } from './support/ci/longest-first.ts';

/** Files that measure time: nothing runs beside them. They run last. */
const alone = [
  'faults/pace.test.ts',
  'faults/fair-shares.test.ts',
  'faults/api-slow-sockets.test.ts',
  'faults/api-cut-connections.test.ts',
  'faults/hostile-tenant.test.ts',
];

/** Files of `npm test`, with all of their random cases here. */
const random = [
  'api/http/generated-requests.test.ts',
  'unit/src/producer/rows/{read-companies,shifted-cells}.property.test.ts',
  'unit/src/core/companies/company-name.test.ts',
  'unit/src/core/emails/syntax/address.property.test.ts',
  'unit/src/reporter/formats/xlsx.test.ts',
  'integration/credits/ledger-model.test.ts',
  'unit/src/core/changes/{apply-observation.property,changes.model}.test.ts',
];

/** Files that mostly wait for a source, a lease or a worker; so two of them run in parallel. */
const long = [
  'faults/storm.test.ts',
  'faults/control.test.ts',
  'faults/failpoints.test.ts',
  'faults/killed-workers.test.ts',
  'faults/killed-probing.test.ts',
  'faults/emptied-queue.test.ts',
  'faults/graceful-stop.test.ts',
  'faults/inboxes/inbox-failpoints.test.ts',
  'faults/inboxes/killed-inboxes.test.ts',
  'faults/destinations/killed-landing.test.ts',
  'faults/destinations/lost-answers.test.ts',
  'faults/inboxes/lost-answers.test.ts',
  'faults/redis/sentinel.test.ts',
  'faults/redis/cluster.test.ts',
  'faults/machines/restored-runs.test.ts',
  'faults/machines/failover.test.ts',
  'faults/machines/patroni.test.ts',
  'faults/machines/soak.test.ts',
  'faults/queue-cells/failing-server.test.ts',
  'faults/queue-cells/pinned-transaction.test.ts',
  'faults/machines/hosts.test.ts',
  'faults/machines/full-disks.test.ts',
  'faults/machines/full-folders.test.ts',
  'faults/machines/out-of-memory.test.ts',
  'faults/machines/upgrade.test.ts',
  'faults/machines/releases.test.ts',
];

const shared = {
  root: import.meta.dirname,
  cacheDir: '../node_modules/.vite',
} as const;

/** Random cases, kills and iterations: all of them, or, as in the gate, `NIGHTSHIFT_TEST_RUNS=tenth`. */
const env = { NIGHTSHIFT_TEST_RUNS: process.env['NIGHTSHIFT_TEST_RUNS'] ?? 'all' };

const settings = {
  pool: 'forks',
  // Bounds on hanging, not on speed.
  testTimeout: 600_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
} as const;

/** The suite of `npm run test:faults`: real processes, killed, starved and without their queue. */
export default defineConfig({
  ...shared,
  test: {
    reporters: testReporters(),
    globalSetup: ['support/ci/global-setup.ts'],
    sequence: { sequencer: longestFirst(import.meta.dirname, long) },
    projects: [
      {
        ...shared,
        test: {
          ...settings,
          name: 'side by side',
          include: ['faults/**/*.test.ts', ...random],
          env,
          exclude: alone,
          maxWorkers: 3,
        },
      },
      { ...shared, test: { ...settings, name: 'alone', include: alone, fileParallelism: false, env } },
    ],
  },
});
