import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Library that is bundled with the programs of the server, and not updated by the system. */
export interface BundledLibrary {
  readonly name: 'libxml2' | 'OpenSSL';
  /** Version as the library reports it: `2.9.4`, `1.1.1  11 Sep 2018`. */
  readonly version: string;
}

const known: readonly { readonly file: RegExp; readonly read: (text: string) => BundledLibrary | null }[] = [
  { file: /^libxml2\..*(so|dylib)/, read: readLibxml },
  { file: /^libcrypto\..*(so|dylib)/, read: readOpenSsl },
];

/**
 * Reads the bundled libraries beside the programs in `binariesFolder`, as in the npm packages of Postgres; empty if the programs
 * use those of the system.
 */
export async function readBundledLibraries(binariesFolder: string): Promise<readonly BundledLibrary[]> {
  const folder = join(binariesFolder, '..', 'lib');
  // In packages of a system, the folder contains only modules of Postgres, or does not exist.
  const names = await readdir(folder).catch((): string[] => []);
  const found = new Map<string, BundledLibrary>();
  for (const { file, read } of known) {
    for (const name of names.filter((each) => file.test(each))) {
      const library = read(await readFile(join(folder, name), 'latin1').catch(() => ''));
      if (library !== null) found.set(library.name, library);
    }
  }
  return [...found.values()];
}

/** Reads the version number of libxml2, `20904`, at the end of a string (libxml2 source: globals.c, xmlParserVersion). */
function readLibxml(text: string): BundledLibrary | null {
  const [, major, minor, patch] = /(?<!\d)(2)([01]\d)(\d\d)(?:-[\w-]*)?\0/.exec(text) ?? [];
  if (major === undefined) return null;
  return { name: 'libxml2', version: [major, minor, patch].map(Number).join('.') };
}

function readOpenSsl(text: string): BundledLibrary | null {
  const version = /\bOpenSSL (\d+\.\d+\.\d+[a-z]* +\d+ [A-Z][a-z]{2} \d{4})/.exec(text)?.[1];
  return version === undefined ? null : { name: 'OpenSSL', version };
}
