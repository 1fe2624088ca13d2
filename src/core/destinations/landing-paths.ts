import type { DestinationOptions, FileFormat } from './destination.ts';
import type { DueLanding } from './landing.ts';

/** Paths of a landing below the root of its storage. */
export interface LandingPaths {
  /** Path of a part, from 1. */
  readonly partPath: (part: number) => string;
  readonly manifestPath: string;
}

/**
 * Names the files of a landing. The same batch and shape always have the same paths, and two batches never share one:
 *
 * - `flat`: `companies-bat_…-rows.csv` and `companies-bat_…-rows.manifest.json`
 * - `partitioned`: `rows/day=2026-03-01/batch=bat_…/part-00001.parquet`, and `_manifest.json` beside it, which readers of partitions skip
 */
export function landingPaths(
  { batch, shape, day }: Pick<DueLanding, 'batch' | 'shape' | 'day'>,
  format: FileFormat,
  { layout, gzip }: Pick<DestinationOptions, 'layout' | 'gzip'>,
): LandingPaths {
  const extension = `${format}${gzip ? '.gz' : ''}`;
  if (layout === 'partitioned') {
    const folder = `${shape}/day=${day}/batch=${batch.publicId}`;
    return {
      partPath: (part) => `${folder}/part-${String(part).padStart(5, '0')}.${extension}`,
      manifestPath: `${folder}/_manifest.json`,
    };
  }
  const stem = `${safeStem(batch.fileName)}-${batch.publicId}-${shape}`;
  return { partPath: () => `${stem}.${extension}`, manifestPath: `${stem}.manifest.json` };
}

/** Maximum length of the name of the user's file in a path, in bytes. File systems allow 255 for the whole name. */
const stemBytesMax = 100;

/**
 * Converts a file name to a part of a path: letters, digits, `-`, `_` and dots, without folders, extension and dots at its beginning.
 */
export function safeStem(fileName: string): string {
  const name = fileName.split(/[/\\]/).at(-1) ?? '';
  const stem = name
    .normalize('NFC')
    .replace(/(?<=[^.])(\.[A-Za-z0-9]{1,7}){1,2}$/, '')
    .replace(/[^\p{L}\p{N}._-]+/gu, '_')
    .replace(/\.{2,}/g, '.')
    .replace(/^[._-]+|[._-]+$/g, '');
  return cutToBytes(stem, stemBytesMax) || 'batch';
}

function cutToBytes(text: string, bytesMax: number): string {
  let cut = '';
  let bytes = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > bytesMax) break;
    cut += character;
  }
  return cut;
}
