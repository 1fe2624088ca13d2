import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of the package: the nearest one above this file with a `package.json`, run from source or from `dist`. */
export const packageRoot = findRoot(import.meta.dirname);

/** The version of the package. */
export const packageVersion = readVersion();

/** The schema as it ships: `migrations`, and functions, triggers and views in `sql`. */
export const schemaFolder = join(packageRoot, 'db');

/** The sample list and the sample snapshot as they ship. */
export const examplesFolder = join(packageRoot, 'examples');

/** The generated ads of the source `sample`, as they ship. */
export const sampleFile = join(examplesFolder, 'sample-snapshot.ndjson');

/** The console as it is built: `index.html` and what it loads. */
export const consoleFolder = join(packageRoot, 'dist', 'console');

/** The lists that addresses are judged by, as they ship. */
export const mailListsFolder = join(packageRoot, 'src', 'adapters', 'mail', 'lists');

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder));
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}
