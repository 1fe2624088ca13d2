import type { ReportFormat } from '../formats/report-format.ts';
import type { ReportShape } from '../formats/report-row.ts';

/** Value in a manifest: a JSON value. */
export type Detail =
  string | number | boolean | null | readonly Detail[] | { readonly [key: string]: Detail };

/** File beside a report that proves its origin and completeness. */
export interface Manifest {
  /** Name of the report, without its folder. */
  readonly file: string;
  readonly format: ReportFormat;
  readonly shape: ReportShape;
  /** True when cells that a spreadsheet would run are escaped (`escapeFormula`). */
  readonly defused: boolean;
  /** Number of lines of the report, without the header. */
  readonly lines: number;
  /** Size of the file on disk: compressed if its name ends in `.gz`. */
  readonly bytes: number;
  /** SHA-256 of the same bytes, in hex. */
  readonly sha256: string;
  readonly createdAt: Date;
  /** Details of the caller: batch, outcome counts, credits. */
  readonly details: { readonly [key: string]: Detail };
}

/** Name of the manifest: the report's name and `.manifest.json`. */
export function manifestNameOf(path: string): string {
  return `${path}.manifest.json`;
}

/** Formats the manifest as indented JSON, with keys in a fixed order. */
export function manifestText(manifest: Manifest): string {
  const { createdAt, details, ...rest } = manifest;
  return `${JSON.stringify({ ...rest, created_at: createdAt.toISOString(), details }, null, 2)}\n`;
}
