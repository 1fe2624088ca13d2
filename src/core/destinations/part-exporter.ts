import type { ReportDepth } from '../batches/batch-report.ts';
import type { LocalFile } from '../storage/storage.ts';
import type { DestinationOptions, FileFormat } from './destination.ts';

/** Column of what lands. */
export interface LandedColumn {
  readonly name: string;
  /** Kind of its values (src/reporter/formats/report-row.ts). */
  readonly kind: LandedKind;
}

export type LandedKind = 'text' | 'count' | 'total' | 'credits' | 'flag' | 'day' | 'moment';

/** A part on this machine. */
export interface LocalPart extends LocalFile {
  readonly rows: number;
}

/** A batch to export. */
export interface PartRequest {
  readonly batchKey: number;
  readonly shape: ReportDepth;
  readonly format: FileFormat;
  readonly options: Pick<DestinationOptions, 'raw' | 'gzip'>;
  /** Maximum number of lines of a part; null for one part. */
  readonly linesMax: number | null;
  readonly signal: AbortSignal;
}

/** Columns of the exported batch. */
export interface ExportedParts {
  readonly columns: readonly LandedColumn[];
}

/** Port: files of a batch in a folder of this machine. `close` removes them. */
export interface PartExporter {
  /**
   * Exports a batch part by part and passes each to `place`, in order and one at a time. The next part is written meanwhile, so at most two
   * exist at once. A batch without lines has one part. A finished batch gives the same bytes every time.
   *
   * @throws Conflict for a purged batch; ValidationError when the batch does not fit the format; the errors of `place`, unchanged.
   */
  exportParts(request: PartRequest, place: (part: LocalPart) => Promise<void>): Promise<ExportedParts>;
  /** Writes a text to a file. */
  writeText(text: string): Promise<LocalFile>;
  close(): Promise<void>;
}
