import type { Writable } from 'node:stream';
import type {
  BatchReportStore,
  EndedLines,
  EndedSpan,
  ReportForm,
  ReportLine,
} from '../../core/batches/batch-report.ts';
import { operations } from '../../core/credits/price-book.ts';
import type { CsvOptions } from '../formats/csv.ts';
import type { ReportFormat } from '../formats/report-format.ts';
import type { Lines } from '../formats/report-writer.ts';
import {
  fullNames,
  nameColumns,
  type Cell,
  type ReportColumn,
  type ReportShape,
} from '../formats/report-row.ts';
import { ourColumns, spanDetails, type OurColumn } from './export-batch.ts';
import { writeReport, type WrittenReport } from './write-report.ts';

export interface EndedExportOptions {
  readonly accountId: number;
  readonly span: EndedSpan;
  readonly format: ReportFormat;
  readonly shape: ReportShape;
  /** True to keep cells unchanged, including formulas; CSV only. */
  readonly raw: boolean;
  /** Form of CSV. Default: comma, no byte order mark. */
  readonly csv?: Omit<CsvOptions, 'raw'>;
  readonly target: string | Writable;
  readonly createdAt: Date;
  readonly signal?: AbortSignal;
}

/**
 * Exports the rows of an account that ended in a span, over all its batches: oldest batch first, each in input order.
 *
 * The columns are the same for every span: the batch and the row, then the columns of Nightshift for both operations. The cells of the file are
 * one JSON object in `input`, because each file has its own columns.
 */
export async function exportEnded(
  store: BatchReportStore,
  { accountId, span, format, shape, raw, csv = {}, target, createdAt, signal }: EndedExportOptions,
): Promise<WrittenReport> {
  const ours = ourColumns({ operations }, shape);
  const columns: readonly ReportColumn[] = [
    ...rowColumns.map(([name, kind]) => ({ name, kind, own: false })),
    ...ours.map(([name, kind]) => ({ name, kind, own: false })),
  ];
  return store.readEnded(accountId, { depth: shape, span }, (blocks) =>
    writeReport(
      { columns, blocks: toCells(blocks, ours) },
      {
        format,
        raw,
        csv,
        target,
        about: { shape, createdAt, details: spanDetails(span) },
        ...(signal === undefined ? {} : { signal }),
      },
    ),
  );
}

/** Batch and input file of a line. */
interface LineOrigin {
  readonly batch: string;
  readonly names: readonly string[];
}

/** Columns of the row: name, kind and value. */
const rowColumns: readonly (readonly [
  name: string,
  kind: OurColumn[1],
  cell: (line: ReportLine, origin: LineOrigin) => Cell,
])[] = [
  ['batch', 'text', (_line, { batch }) => batch],
  ['row', 'count', (line) => line.rowNo],
  ['ended_at', 'moment', (line) => line.endedAt?.toISOString() ?? null],
  ['company_domain', 'text', (line) => line.companyDomain],
  ['company_name', 'text', (line) => line.companyName],
  ['input', 'text', (line, { names }) => inputText(names, line.cells)],
];

async function* toCells(
  blocks: AsyncIterable<EndedLines>,
  ours: readonly OurColumn[],
): AsyncGenerator<Lines> {
  for await (const { batch, form, lines } of blocks) {
    const origin = { batch, names: namesOf(form) };
    yield lines.map((line) => [
      ...rowColumns.map(([, , cell]) => cell(line, origin)),
      ...ours.map(([, , cell]) => cell(line)),
    ]);
  }
}

function namesOf(form: ReportForm): readonly string[] {
  return fullNames(nameColumns(form, []).map(({ name }) => name));
}

/** The cells of a row as a JSON object in the order of the file. A cell that the row lacks is null. */
function inputText(names: readonly string[], cells: readonly string[]): string {
  return `{${names.map((name, i) => `${JSON.stringify(name)}:${JSON.stringify(cells[i] ?? null)}`).join(',')}}`;
}
