import { defineConfig } from 'vitest/config';
import { longestFirst } from './support/longest-first.ts';

/** Those that take over 15 seconds. */
const long = [
  'integration/private-postgres.test.ts',
  'api/generated-requests.test.ts',
  'unit/src/producer/read-companies.property.test.ts',
  'scenario/exit-codes.test.ts',
  'scenario/manners.test.ts',
  'integration/ledger-model.test.ts',
  'scenario/control.test.ts',
  'integration/doctor.test.ts',
  'scenario/readme.test.ts',
  'scenario/first-run.test.ts',
  'api/graceful-stop.test.ts',
  'api/interleaved-domains.test.ts',
  'integration/postfix.test.ts',
  'scenario/interrupt.test.ts',
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
  },
});
