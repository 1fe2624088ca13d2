import { defineConfig } from 'vite';

/** Builds the console into `dist/console`. Its script asks nobody but the server that it came from. */
export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: '../../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    // A style that stands in the page would need the policy to allow it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
