import { defineConfig } from 'vitest/config';
import { testReporters } from './support/ci/reporters.ts';
import { longestFirst } from './support/ci/longest-first.ts';

/** Files that take over 11 seconds, and the longest of those that share their process. */
const long = [
  'console/pages.browser.test.ts',
  'console/vectors.browser.test.ts',
  'scenario/process/manners.test.ts',
  'console/schedules.browser.test.ts',
  'api/http/documents.browser.test.ts',
  'scenario/process/exit-codes.test.ts',
  'scenario/docs/readme.test.ts',
  'console/results.browser.test.ts',
  'console/lists.browser.test.ts',
  'scenario/reports/report-vectors.browser.test.ts',
  'api/batches/result-filters.test.ts',
  'api/http/generated-requests.test.ts',
  'scenario/reports/report.browser.test.ts',
  'integration/doctor/doctor.test.ts',
  'api/http/idempotency.test.ts',
  'scenario/process/first-run.test.ts',
  'integration/purge/purge.test.ts',
  'api/http/graceful-stop.test.ts',
  'api/batches/batch-export.test.ts',
  'api/emails/email-batches.test.ts',
  'scenario/batches/steps.test.ts',
  'integration/db/private-postgres.test.ts',
  'console/account.browser.test.ts',
  'console/operator.browser.test.ts',
  'console/sql.browser.test.ts',
  'scenario/batches/strange-files.test.ts',
  'api/http/worker-operations.test.ts',
  'integration/db/verify.test.ts',
  'integration/purge/purge-rights.test.ts',
  'integration/emails/postfix.test.ts',
  'scenario/process/interrupt.test.ts',
  'integration/work/dispatch.test.ts',
  'api/emails/probing.test.ts',
  'console/provider.browser.test.ts',
  'scenario/batches/control.test.ts',
  'api/ads/last-credits.test.ts',
  'scenario/process/bin.test.ts',
  'api/batches/batch-events.test.ts',
  'scenario/accounts/opt-outs.test.ts',
  'api/accounts/tenancy.test.ts',
  'api/accounts/session.test.ts',
  'api/emails/interleaved-domains.test.ts',
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
    globalSetup: ['support/ci/global-setup.ts'],
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
