import type { FileFormat } from './destination.ts';
import type { DueLanding, LandingPart } from './landing.ts';
import type { LandedColumn } from './part-exporter.ts';

/**
 * Formats the manifest of a landing: JSON with the batch and the names, rows, bytes and SHA-256 of all parts. It contains no time of the
 * landing, so the same content has the same manifest.
 */
export function landingManifest(
  { batch, shape, day, contentKey, revision }: DueLanding,
  format: FileFormat,
  { columns, parts }: { readonly columns: readonly LandedColumn[]; readonly parts: readonly LandingPart[] },
): string {
  const manifest = {
    batch: batch.publicId,
    file_name: batch.fileName,
    state: batch.state,
    finished_at: batch.finishedAt.toISOString(),
    day,
    shape,
    format,
    content_key: contentKey,
    revision,
    rows: parts.reduce((rows, part) => rows + part.rows, 0),
    columns: columns.map(({ name, kind }) => ({ name, kind })),
    parts: parts.map(({ path, rows, bytes, sha256 }) => ({
      file: path.slice(path.lastIndexOf('/') + 1),
      rows,
      bytes,
      sha256,
    })),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
