import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A library that comes with the server's programs, instead of from the system that keeps it up to date. */
export interface BundledLibrary {
  readonly name: 'libxml2' | 'OpenSSL';
  /** As the library calls itself: `2.9.4`, `1.1.1  11 Sep 2018`. */
  readonly version: string;
}

const known: readonly { readonly file: RegExp; readonly read: (text: string) => BundledLibrary | null }[] = [
  { file: /^libxml2\..*(so|dylib)/, read: readLibxml },
  { file: /^libcrypto\..*(so|dylib)/, read: readOpenSsl },
];

/**
 * The libraries of note beside the programs in `binariesFolder`, as npm's packages of Postgres lay them; empty where the programs use those of
 * the system.
 */
export async function readBundledLibraries(binariesFolder: string): Promise<readonly BundledLibrary[]> {
  const folder = join(binariesFolder, '..', 'lib');
  // Where packages of a system put Postgres, its folder of libraries has modules of Postgres alone, or does not exist.
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

/** Its number, `20904`, ends a text (libxml2 source: globals.c, xmlParserVersion). */
function readLibxml(text: string): BundledLibrary | null {
  const [, major, minor, patch] = /(?<!\d)(2)([01]\d)(\d\d)(?:-[\w-]*)?\0/.exec(text) ?? [];
  if (major === undefined) return null;
  return { name: 'libxml2', version: [major, minor, patch].map(Number).join('.') };
}

function readOpenSsl(text: string): BundledLibrary | null {
  const version = /\bOpenSSL (\d+\.\d+\.\d+[a-z]* +\d+ [A-Z][a-z]{2} \d{4})/.exec(text)?.[1];
  return version === undefined ? null : { name: 'OpenSSL', version };
}
