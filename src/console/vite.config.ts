import { defineConfig } from 'vite';

/** Builds the console into `dist/console`. Its scripts call only the server that they came from. */
export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: '../../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy allows no inline style.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One script: pages share most of their code, and many small files compress to a quarter more than one.
    rolldownOptions: { output: { codeSplitting: false } },
  },
});
