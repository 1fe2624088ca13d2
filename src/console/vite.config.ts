import { defineConfig } from 'vite';

/** Matches the pages that draw charts, and the large library that they need. */
const chartModules =
  /[\\/](pages[\\/]charts[\\/]|components[\\/]charts[\\/](line|column)-chart\.|uplot[\\/])/;

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
    // Two scripts: pages share most of their code, and many small files compress to a quarter more than one.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'console', test: (id) => !chartModules.test(id) }] } },
    },
  },
});
