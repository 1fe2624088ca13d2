import { failpoint } from '../failpoint.ts';
import type { Storage } from '../storage/storage.ts';
import type { FileFormat } from './destination.ts';
import type { DueLanding, LandedSize, LandingPart, LandingStore, RecordedPart } from './landing.ts';
import { landingPaths, type LandingPaths } from './landing-paths.ts';
import { landingManifest } from './landing-manifest.ts';
import type { LocalFile } from '../storage/storage.ts';
import type { LocalPart, PartExporter } from './part-exporter.ts';

/** Maximum number of lines of a part of Parquet, about 20 MB. Our choice: few files, and little to repeat. */
const partLinesMax = 250_000;

/** Number of the manifest among the parts. */
const manifestPart = 0;

export interface LandFilesOptions {
  readonly landings: LandingStore;
  readonly exporter: PartExporter;
  readonly storage: Storage;
  readonly signal: AbortSignal;
}

/**
 * Writes a landing as files: its parts, and the manifest last.
 *
 * Before a part is written, its path is recorded, so a later attempt knows every file that may exist. A part that was written with the same
 * SHA-256 is not written again. Before the first change, the manifest of an earlier landing is removed, so a manifest always describes the
 * files beside it; parts that the batch does not have any more are removed.
 *
 * @throws StorageUnavailable | StorageRejected | LeaseLost, and the errors of the export.
 */
export async function landFiles(
  landing: DueLanding,
  format: FileFormat,
  options: LandFilesOptions,
): Promise<LandedSize> {
  const { exporter, signal } = options;
  const { target, batch, shape } = landing;
  const paths = landingPaths(landing, format, target.options);
  const placing = await openPlacing(landing, options, contentTypes[format]);
  const placed: LandingPart[] = [];
  const { columns } = await exporter.exportParts(
    {
      batchKey: batch.batchKey,
      shape,
      format,
      options: target.options,
      linesMax: isSplit(landing, format) ? partLinesMax : null,
      signal,
    },
    async (file) => {
      failpoint('landing:exported');
      placed.push(await placing.place(partOf(file, placed.length + 1, paths), file));
    },
  );
  await placing.removeAfter(placed.length);
  const text = landingManifest(landing, format, { columns, parts: placed });
  await placing.placeManifest(await exporter.writeText(text), paths.manifestPath);
  return { rows: sum(placed, 'rows'), bytes: sum(placed, 'bytes'), parts: placed.length, note: null };
}

function isSplit({ target }: DueLanding, format: FileFormat): boolean {
  return format === 'parquet' && target.options.layout === 'partitioned';
}

function partOf({ rows, bytes, sha256 }: LocalPart, part: number, { partPath }: LandingPaths): LandingPart {
  return { part, path: partPath(part), rows, bytes, sha256 };
}

function sum(parts: readonly LandingPart[], field: 'rows' | 'bytes'): number {
  return parts.reduce((total, part) => total + part[field], 0);
}

interface Placing {
  readonly place: (part: LandingPart, file: LocalFile) => Promise<LandingPart>;
  /** Removes the parts beyond the last one. */
  readonly removeAfter: (last: number) => Promise<void>;
  readonly placeManifest: (file: LocalFile, path: string) => Promise<void>;
}

async function openPlacing(
  landing: DueLanding,
  { landings, storage, signal }: LandFilesOptions,
  contentType: string,
): Promise<Placing> {
  const recorded = new Map((await landings.readParts(landing)).map((part) => [part.part, part]));

  async function remove({ part, path }: RecordedPart): Promise<void> {
    await storage.remove(path, signal);
    failpoint('landing:removed');
    await landings.forgetPart(landing, part);
    recorded.delete(part);
  }

  /** Afterwards no manifest describes files that change. */
  async function removeManifest(): Promise<void> {
    const manifest = recorded.get(manifestPart);
    if (manifest !== undefined) await remove(manifest);
  }

  async function write(part: LandingPart, file: LocalFile, type: string): Promise<void> {
    const earlier = recorded.get(part.part);
    if (earlier !== undefined && earlier.path !== part.path) await remove(earlier);
    await landings.planPart(landing, part);
    failpoint('landing:planned');
    await storage.write(part.path, file, { contentType: type, signal });
    failpoint('landing:written');
    await landings.recordPart(landing, part.part);
    failpoint('landing:recorded');
  }

  return {
    place: async (part, file) => {
      if (isPlaced(recorded.get(part.part), part)) return part;
      await removeManifest();
      await write(part, file, contentType);
      return part;
    },
    removeAfter: async (last) => {
      const surplus = [...recorded.values()].filter(({ part }) => part > last);
      if (surplus.length > 0) await removeManifest();
      for (const part of surplus) await remove(part);
    },
    placeManifest: async ({ path: localPath, bytes, sha256 }, path) => {
      const manifest = { part: manifestPart, path, rows: 0, bytes, sha256 };
      if (isPlaced(recorded.get(manifestPart), manifest)) return;
      await write(manifest, { path: localPath, bytes, sha256 }, 'application/json');
    },
  };
}

function isPlaced(recorded: RecordedPart | undefined, { path, sha256 }: LandingPart): boolean {
  return recorded?.isWritten === true && recorded.path === path && recorded.sha256 === sha256;
}

const contentTypes: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
  parquet: 'application/vnd.apache.parquet',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};
