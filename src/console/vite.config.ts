import { defineConfig } from 'vite';

/** Matches the pages that draw charts, and the large library that they need. */
const ofCharts = /[\\/](pages[\\/]charts[\\/]|components[\\/]charts[\\/](line|column)-chart\.|uplot[\\/])/;

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
    // Two scripts: a page has little that no other has, and many small files come to a quarter more than one when they are packed.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'console', test: (id) => !ofCharts.test(id) }] } },
    },
  },
});
