import { defineConfig, type Plugin } from 'vite';

/** Calls of `failpoint` on a line of their own, and the import of it. */
const failpoints = /^ *failpoint\('[a-z:-]+'\);$|^import \{ failpoint \} from .*$/gm;

/** Takes out the places where the fault tests end a process. Lines stay where they are. */
const withoutFailpoints: Plugin = {
  name: 'without-failpoints',
  enforce: 'pre',
  transform: (code, id) =>
    id.endsWith('/failpoint.ts') ? null : { code: code.replace(failpoints, ''), map: null },
};

/**
 * Bundles the command line into `dist/server`, with its own modules in a few files and its packages from `node_modules`: it starts in
 * two thirds of the time that a file for each module takes. The mode `failpoints`, for the fault tests, keeps their calls.
 */
export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  plugins: mode === 'failpoints' ? [] : [withoutFailpoints],
  build: {
    ssr: true,
    outDir: '../dist/server',
    emptyOutDir: true,
    target: 'node20',
    minify: false,
    rolldownOptions: {
      input: { main: 'cli/main.ts', 'xlsx-thread': 'reporter/formats/xlsx-thread.ts' },
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
}));
