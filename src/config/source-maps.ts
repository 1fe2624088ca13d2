import { basename } from 'node:path';
import { sourceIds } from '../sources/registry.ts';
import { mapsSetting, type NamedMap } from '../sources/definition/named-map.ts';

/** Maps of an environment, and what is wrong with their list. */
export interface ListedMaps {
  readonly maps: readonly NamedMap[];
  /** One sentence each. */
  readonly mistakes: readonly string[];
}

/** Names are a part of settings and of lists of sources. */
const nameForm = /^[a-z][a-z0-9]{0,30}$/;

/**
 * Parses the list of source maps: files separated by commas, each named by itself (`/etc/maps/meta.json` is `meta`) or as `NAME=FILE`. The
 * files are read when their source is used, so that a broken one harms its own source only.
 */
export function parseSourceMaps(environment: Readonly<Record<string, string | undefined>>): ListedMaps {
  const listed = (environment[mapsSetting] ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map(parseEntry);
  const names = listed.map(({ name }) => name);
  const mistakes = listed.flatMap(({ name, file }, i) => {
    const reason = mistakeOf(name, { file, isRepeated: names.indexOf(name) !== i });
    return reason === null ? [] : [`${mapsSetting}: ${reason}`];
  });
  return { maps: mistakes.length > 0 ? [] : listed, mistakes };
}

function parseEntry(text: string): NamedMap {
  const [, named, path] = /^([^=/\\]*)=(.*)$/.exec(text) ?? [];
  if (named !== undefined && path !== undefined) return { name: named.trim(), file: path.trim() };
  return { name: basename(text).replace(/\.json$/i, ''), file: text };
}

function mistakeOf(
  name: string,
  { file, isRepeated }: { readonly file: string; readonly isRepeated: boolean },
): string | null {
  if (file === '') return `the map ${JSON.stringify(name)} has no file. Write NAME=FILE.`;
  if (!nameForm.test(name))
    return `${JSON.stringify(name)} cannot name a source. Write NAME=${file} with a name of lower-case letters and digits.`;
  if (sourceIds.includes(name))
    return `${name} is a built-in source. Give the map ${file} another name: NAME=${file}.`;
  return isRepeated ? `two maps have the name ${name}. Give one of them another name: NAME=FILE.` : null;
}
