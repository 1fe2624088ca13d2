import { defineConfig } from 'vitest/config';
import { testReporters } from './support/ci/reporters.ts';
import { longestFirst } from './support/longest-first.ts';

/** Those that take over 11 seconds, and of those that share their process the longest. */
const long = [
  'console/pages.browser.test.ts',
  'console/vectors.browser.test.ts',
  'scenario/manners.test.ts',
  'console/schedules.browser.test.ts',
  'api/documents.browser.test.ts',
  'scenario/exit-codes.test.ts',
  'scenario/readme.test.ts',
  'console/results.browser.test.ts',
  'console/lists.browser.test.ts',
  'scenario/report-vectors.browser.test.ts',
  'api/result-filters.test.ts',
  'api/generated-requests.test.ts',
  'scenario/report.browser.test.ts',
  'integration/doctor.test.ts',
  'api/idempotency.test.ts',
  'scenario/first-run.test.ts',
  'integration/purge.test.ts',
  'api/graceful-stop.test.ts',
  'api/batch-export.test.ts',
  'api/email-batches.test.ts',
  'scenario/steps.test.ts',
  'integration/private-postgres.test.ts',
  'console/account.browser.test.ts',
  'console/operator.browser.test.ts',
  'console/sql.browser.test.ts',
  'scenario/strange-files.test.ts',
  'api/worker-operations.test.ts',
  'integration/verify.test.ts',
  'integration/purge-rights.test.ts',
  'integration/postfix.test.ts',
  'scenario/interrupt.test.ts',
  'integration/dispatch.test.ts',
  'api/probing.test.ts',
  'console/provider.browser.test.ts',
  'scenario/control.test.ts',
  'api/last-credits.test.ts',
  'scenario/bin.test.ts',
  'api/batch-events.test.ts',
  'scenario/opt-outs.test.ts',
  'api/tenancy.test.ts',
  'api/session.test.ts',
  'api/interleaved-domains.test.ts',
  'unit/src/reporter/formats/xlsx.test.ts',
  'unit/src/producer/rows/read-companies.property.test.ts',
  'unit/src/core/schedules/ticks.test.ts',
  'unit/src/core/accounts/password.test.ts',
  'unit/src/reporter/export/write-report.test.ts',
  'unit/src/core/emails/syntax/address.property.test.ts',
  'unit/src/core/changes/changes.model.test.ts',
];

/** A browser keeps a processor busy by itself. */
const inBrowser = '**/*.browser.test.ts';

const shared = {
  root: import.meta.dirname,
  cacheDir: '../node_modules/.vite',
} as const;

const settings = {
  pool: 'forks',
  maxWorkers: 2,
  testTimeout: 30_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 20_000 } },
} as const;

/** The suites of `npm test`, of `npm run test:browser`, and of `npm run test:pty`. */
export default defineConfig({
  ...shared,
  test: {
    reporters: testReporters(),
    globalSetup: ['support/global-setup.ts'],
    sequence: { sequencer: longestFirst(import.meta.dirname, long) },
    projects: [
      // Every file gets its own process, so that servers and environments stay apart.
      {
        ...shared,
        test: {
          ...settings,
          name: 'apart',
          include: ['**/*.test.ts'],
          exclude: ['faults/**', 'unit/**', 'pty/**', inBrowser],
        },
      },
      { ...shared, test: { ...settings, name: 'browser', include: [inBrowser] } },
      { ...shared, test: { ...settings, name: 'pty', include: ['pty/**/*.test.ts'], maxConcurrency: 3 } },
      // These have neither: a process takes one file after the other.
      { ...shared, test: { ...settings, name: 'unit', include: ['unit/**/*.test.ts'], isolate: false } },
    ],
  },
});
