import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Lists the files below a folder, sorted, with the content of each. */
export function readLanded(folder: string): ReadonlyMap<string, Buffer> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path))]));
}

/** A manifest, as a receiver reads it. */
export interface ReadManifest {
  readonly batch: string;
  readonly revision: number;
  readonly content_key: string;
  readonly rows: number;
  readonly columns: readonly { readonly name: string; readonly kind: string }[];
  readonly parts: readonly {
    readonly file: string;
    readonly rows: number;
    readonly bytes: number;
    readonly sha256: string;
  }[];
}

/** Checks the files below a folder: `checkFiles`. */
export function checkLanded(folder: string): readonly ReadManifest[] {
  return checkFiles(readLanded(folder));
}

/**
 * Checks files as a receiver does: every manifest describes the files beside it, byte by byte, and there are no other files. Returns the
 * manifests.
 *
 * @throws Error that names the first missing, surplus or different file.
 */
export function checkFiles(files: ReadonlyMap<string, Buffer>): readonly ReadManifest[] {
  const claimed = new Set<string>();
  const manifests: ReadManifest[] = [];
  for (const [path, content] of files) {
    if (!path.endsWith('manifest.json')) continue;
    const manifest = JSON.parse(content.toString()) as ReadManifest;
    manifests.push(manifest);
    claimed.add(path);
    for (const { file, bytes, sha256 } of manifest.parts) {
      const partPath = join(dirname(path), file);
      const part = files.get(partPath);
      if (part === undefined) throw new Error(`${partPath} is missing`);
      const found = createHash('sha256').update(part).digest('hex');
      if (part.length !== bytes || found !== sha256) throw new Error(`${partPath} is another file`);
      if (claimed.has(partPath)) throw new Error(`${partPath} is in two manifests`);
      claimed.add(partPath);
    }
  }
  const surplus = [...files.keys()].find((path) => !claimed.has(path));
  if (surplus !== undefined) throw new Error(`${surplus} is in no manifest`);
  return manifests;
}
