import type { ReportFormat } from '../formats/report-format.ts';
import type { ReportShape } from '../formats/report-row.ts';

/** Value in a manifest: JSON, nothing else. */
export type Detail =
  string | number | boolean | null | readonly Detail[] | { readonly [key: string]: Detail };

/** File beside a report, by which its receiver can tell its origin and that it is complete. */
export interface Manifest {
  /** The report's name, without its folder. */
  readonly file: string;
  readonly format: ReportFormat;
  readonly shape: ReportShape;
  /** True when a quote precedes cells that a spreadsheet would run (`escapeFormula`). */
  readonly defused: boolean;
  /** Lines of the report; the header is none. */
  readonly lines: number;
  /** The size of the file, as it lies there: compressed when its name ends in `.gz`. */
  readonly bytes: number;
  /** SHA-256 of the same bytes, in hex. */
  readonly sha256: string;
  readonly createdAt: Date;
  /** The caller's own: batch, outcome counts, credits. */
  readonly details: { readonly [key: string]: Detail };
}

/** The name of the manifest: the report's name and `.manifest.json`. */
export function manifestNameOf(path: string): string {
  return `${path}.manifest.json`;
}

/** The manifest as JSON text, indented, keys in a fixed order. */
export function manifestText(manifest: Manifest): string {
  const { createdAt, details, ...rest } = manifest;
  return `${JSON.stringify({ ...rest, created_at: createdAt.toISOString(), details }, null, 2)}\n`;
}
