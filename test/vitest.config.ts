import { defineConfig } from 'vitest/config';

/** The suite of `npm test`. Every test file gets its own process, so that servers and environments stay apart. */
export default defineConfig({
  root: import.meta.dirname,
  cacheDir: '../node_modules/.vite',
  test: {
    include: ['**/*.test.ts'],
    exclude: ['faults/**'],
    globalSetup: ['support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
