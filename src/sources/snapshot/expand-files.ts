import { readdir, stat } from 'node:fs/promises';
import { join, parse, sep } from 'node:path';
import { ValidationError } from '../../core/errors.ts';

/**
 * Returns the paths of the files to load, in order: a path with `*` or `?` becomes the files that match it, sorted by name, as a shell does
 * it. A file that really has such a name takes precedence. `*` matches no name that begins with a dot.
 *
 * @throws ValidationError for a pattern without matches, and for an address of Google Cloud Storage.
 */
export async function expandFiles(paths: readonly string[]): Promise<readonly string[]> {
  const expanded = await Promise.all(paths.map(expand));
  return expanded.flat();
}

async function expand(path: string): Promise<readonly string[]> {
  if (path.startsWith('gs://')) throw inCloud(path);
  if (!/[*?]/.test(path) || (await isThere(path))) return [path];
  const { root } = parse(path);
  const segments = path.slice(root.length).split(sep === '\\' ? /[\\/]+/ : /\/+/);
  const found = await matchSegments(root, segments);
  if (found.length === 0) throw noMatch(path);
  return found;
}

async function matchSegments(folder: string, segments: readonly string[]): Promise<readonly string[]> {
  const [segment = '', ...rest] = segments;
  const isLast = rest.length === 0;
  if (!/[*?]/.test(segment)) {
    const path = join(folder, segment);
    if (!isLast) return matchSegments(path, rest);
    return (await isFile(path)) ? [path] : [];
  }
  const form = patternOf(segment);
  const names = (await readNames(folder)).filter((name) => form.test(name));
  const paths = names.toSorted().map((name) => join(folder, name));
  const found: string[] = [];
  for (const path of paths) {
    if (!isLast) found.push(...(await matchSegments(path, rest)));
    else if (await isFile(path)) found.push(path);
  }
  return found;
}

function patternOf(segment: string): RegExp {
  const source = segment.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&');
  const hidden = segment.startsWith('.') ? '' : '(?!\\.)';
  return new RegExp(`^${hidden}${source.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'su');
}

/** Names in a folder; none if it cannot be read, as for a shell. */
function readNames(folder: string): Promise<readonly string[]> {
  return readdir(folder === '' ? '.' : folder).catch(() => []);
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => !found.isDirectory(),
    () => false,
  );
}

function noMatch(pattern: string): ValidationError {
  return new ValidationError(
    `No file matches "${pattern}". Check the folder and the name; * stands for any characters, ? for one.`,
    { where: pattern },
  );
}

function inCloud(address: string): ValidationError {
  return new ValidationError(
    `${address}: files are read from disk. Copy them first: gcloud storage cp "${address}" .`,
    { where: address },
  );
}
