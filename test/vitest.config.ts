import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { testReporters } from './support/ci/reporters.ts';
import { longestFirst } from './support/ci/longest-first.ts';

/** Files that take over 11 seconds, and the longest of those that share their process. */
const long = [
  'console/shell/pages.browser.test.ts',
  'console/shell/vectors.browser.test.ts',
  'scenario/process/manners.test.ts',
  'console/watch/schedules.browser.test.ts',
  'api/http/documents.browser.test.ts',
  'scenario/process/exit-codes.test.ts',
  'scenario/docs/readme.test.ts',
  'console/batches/results.browser.test.ts',
  'console/batches/batches.browser.test.ts',
  'scenario/reports/report-vectors.browser.test.ts',
  'api/batches/result-filters.test.ts',
  'api/http/generated-requests.test.ts',
  'scenario/reports/report.browser.test.ts',
  'integration/queue/redis-servers.test.ts',
  'integration/doctor/doctor.test.ts',
  'api/http/idempotency.test.ts',
  'scenario/process/first-run.test.ts',
  'integration/purge/purge.test.ts',
  'api/http/graceful-stop.test.ts',
  'api/batches/export-disconnects.test.ts',
  'integration/sources/snapshots/export-histories.test.ts',
  'integration/db/account-reader.test.ts',
  'api/emails/email-batches.test.ts',
  'scenario/batches/steps.test.ts',
  'integration/db/private-postgres.test.ts',
  'console/settings/account.browser.test.ts',
  'console/settings/operator.browser.test.ts',
  'console/data/sql.browser.test.ts',
  'scenario/batches/strange-files.test.ts',
  'api/http/worker-operations.test.ts',
  'integration/db/verify.test.ts',
  'integration/changes/evaluate-scans.test.ts',
  'api/batches/batch-control.test.ts',
  'integration/emails/postfix.test.ts',
  'scenario/process/interrupt.test.ts',
  'integration/work/dispatch.test.ts',
  'api/emails/probing.test.ts',
  'console/settings/provider.browser.test.ts',
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

/** Commands, system servers and blocks of the README, in separate processes. */
const processes = [
  'scenario/{docs,process}/**/*.test.ts',
  'scenario/batches/{sample,steps}.test.ts',
  'scenario/schedules/up-activity.test.ts',
  'api/http/{graceful-stop,worker-operations}.test.ts',
  'integration/db/{compose,failover,pooler,private-postgres,readers,reading-requests}.test.ts',
  'integration/emails/postfix.test.ts',
  'integration/queue/redis-servers.test.ts',
  'integration/storage/sftp.test.ts',
];

/** Attacks, loads, and matrices of inputs or damages, which take long. `npm run test:processes` runs them, too. */
const attacks = [
  'api/accounts/{account-events,roles,session,tenancy}.test.ts',
  'api/ads/{ads-search.errors,ads-search.security,last-credits}.test.ts',
  'api/batches/{batch-control,batch-events,batch-labels,batch-upload,export-disconnects,file-formats}.test.ts',
  'api/batches/{increments,one-json,result-filters,row-selection,row-sort,unidentified}.test.ts',
  'api/emails/{email-batches,interleaved-domains,probing}.test.ts',
  'api/http/{chained,documents,generated-requests,idempotency,rate-limits,unstorable-text}.test.ts',
  'api/schedules/{changes-export,schedule-upload}.test.ts',
  'api/webhooks/{subscriptions,webhook-mails}.test.ts',
  'integration/accounts/grants-in-an-outage.test.ts',
  'integration/backup/{killed-restores,restore,take-backup,unshipped-wal}.test.ts',
  'integration/changes/{carried-ads,evaluate-scans}.test.ts',
  'integration/db/{account-reader,account-reader.plans,hostile-logins,hostile-sql}.test.ts',
  'integration/db/{migrate,verify,verify-checkpoints,verify-inboxes,verify-schedules}.test.ts',
  'integration/db/migrations/*.test.ts',
  'integration/destinations/{land-batches,landings-at-once}.test.ts',
  'integration/doctor/doctor.test.ts',
  'integration/emails/{fresh-answers,hostile-mail-servers,name-servers,polite-mail-servers,provider-queue}.test.ts',
  'integration/emails/smtp-connection.test.ts',
  'integration/inboxes/poll-inbox.test.ts',
  'integration/purge/{purge,purge-ads,purge-rights,rewritten-tables}.test.ts',
  'integration/queue/polling-worker.test.ts',
  'integration/reports/{charts,ended-rows,result-index}.test.ts',
  'integration/sources/{mapped,mapped-platforms}.test.ts',
  'integration/sources/snapshots/*.test.ts',
  'integration/work/{fair-shares,ticking,turns}.test.ts',
  'scenario/accounts/opt-outs.test.ts',
  'scenario/batches/{activity-log,control,exports,file-formats,for-excel,increments,lists,reparse}.test.ts',
  'scenario/batches/{run-again,strange-files}.test.ts',
  'scenario/destinations/destinations.test.ts',
  'scenario/inboxes/many-files.test.ts',
  'scenario/reports/report.test.ts',
  'scenario/schedules/{schedule-of-batch,webhooks}.test.ts',
  'unit/layers.test.ts',
  'unit/src/core/accounts/password.test.ts',
  'unit/src/core/sample/sample-ads.test.ts',
  'unit/src/core/schedules/ticks.test.ts',
  'unit/src/reporter/export/write-report.test.ts',
  'unit/src/reporter/formats/xlsx.test.ts',
  'unit/src/tables/{hostile,programs}.test.ts',
  'unit/**/*.property.test.ts',
];

/** Files that watch or change their process: each gets its own. */
const apart = [
  // Counts the calls of `node:crypto`.
  'api/accounts/bad-keys.test.ts',
  // Sets variables that a vendor's client reads.
  'integration/sources/bigquery/bigquery-official-client.test.ts',
  // Leaves sessions open, like a killed process.
  'integration/emails/probe-limiter.test.ts',
];

/** A browser occupies a processor by itself. */
const inBrowser = '**/*.browser.test.ts';

const shared = {
  root: import.meta.dirname,
  cacheDir: '../node_modules/.vite',
} as const;

const processors = availableParallelism();

const settings = {
  pool: 'forks',
  // Long-lived modules and cases repeatedly fill the small default semi-space.
  execArgv: ['--max-semi-space-size=64'] as string[],
  maxWorkers: processors,
  // Bounds on hanging, not on speed.
  testTimeout: 120_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
} as const;

/** These tests wait for half of their time. */
const busy = { ...settings, maxWorkers: 2 * processors } as const;

/** The suites of `npm test`, and of `npm run test:processes`, `test:browser`, `test:pty` and `test:programs`. */
export default defineConfig({
  ...shared,
  test: {
    reporters: testReporters(),
    globalSetup: ['support/ci/global-setup.ts'],
    sequence: { sequencer: longestFirst(import.meta.dirname, long) },
    projects: [
      { ...shared, test: { ...busy, name: 'apart', include: apart } },
      // These have their own servers and databases: a process runs one file after the other.
      {
        ...shared,
        test: {
          ...busy,
          name: 'together',
          include: ['**/*.test.ts'],
          exclude: ['faults/**', 'programs/**', 'pty/**', inBrowser, ...apart, ...processes, ...attacks],
          isolate: false,
        },
      },
      { ...shared, test: { ...busy, name: 'processes', include: processes, exclude: [inBrowser] } },
      { ...shared, test: { ...busy, name: 'attacks', include: attacks, isolate: false } },
      {
        ...shared,
        test: { ...settings, name: 'browser', include: [inBrowser], sequence: { groupOrder: 1 } },
      },
      {
        ...shared,
        test: {
          ...settings,
          name: 'pty',
          include: ['pty/**/*.test.ts'],
          maxConcurrency: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        ...shared,
        test: {
          ...settings,
          name: 'programs',
          include: ['programs/**/*.test.ts'],
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
