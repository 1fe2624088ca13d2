import { defineConfig } from 'vitest/config';

/** The suite of `npm run test:faults`: real processes, killed, starved and robbed of their queue. One file at a time. */
export default defineConfig({
  root: import.meta.dirname,
  cacheDir: '../node_modules/.vite',
  test: {
    include: ['faults/**/*.test.ts'],
    globalSetup: ['support/global-setup.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
});
