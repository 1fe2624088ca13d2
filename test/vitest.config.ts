import { defineConfig } from 'vitest/config';
import { longestFirst } from './support/longest-first.ts';

/** Those that take over 11 seconds. */
const long = [
  'scenario/manners.test.ts',
  'scenario/exit-codes.test.ts',
  'scenario/report-vectors.browser.test.ts',
  'api/documents.browser.test.ts',
  'scenario/readme.test.ts',
  'scenario/report.browser.test.ts',
  'api/batch-export.test.ts',
  'integration/doctor.test.ts',
  'api/generated-requests.test.ts',
  'api/idempotency.test.ts',
  'scenario/first-run.test.ts',
  'api/graceful-stop.test.ts',
  'integration/private-postgres.test.ts',
  'api/email-batches.test.ts',
  'scenario/steps.test.ts',
  'integration/purge.test.ts',
  'scenario/interrupt.test.ts',
  'integration/purge-rights.test.ts',
  'api/probing.test.ts',
  'scenario/control.test.ts',
  'integration/dispatch.test.ts',
  'integration/postfix.test.ts',
];

/** The suite of `npm test`. Every test file gets its own process, so that servers and environments stay apart. */
export default defineConfig({
  root: import.meta.dirname,
  cacheDir: '../node_modules/.vite',
  test: {
    include: ['**/*.test.ts'],
    exclude: ['faults/**'],
    globalSetup: ['support/global-setup.ts'],
    sequence: { sequencer: longestFirst(import.meta.dirname, long) },
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
