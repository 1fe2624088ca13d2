import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Folder of the package: the nearest one above this file with a `package.json`, for the sources and for `dist`. */
export const packageRoot = findRoot(import.meta.dirname);

/** Version of the package. */
export const packageVersion = readVersion();

/** Shipped schema: `migrations`, and functions, triggers and views in `sql`. */
export const schemaFolder = join(packageRoot, 'db');

/** Shipped file of companies, and an export of the sample. */
export const examplesFolder = join(packageRoot, 'examples');

/** Built console: `index.html` and its assets. */
export const consoleFolder = join(packageRoot, 'dist', 'console');

/** Shipped lists for evaluating addresses. */
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
