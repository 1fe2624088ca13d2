import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BatchReportStore } from '../../core/batches/batch-report.ts';
import type { LineReader } from '../../core/destinations/land-table.ts';
import type {
  ExportedParts,
  LandedColumn,
  LocalPart,
  PartExporter,
  PartRequest,
} from '../../core/destinations/part-exporter.ts';
import { removeStale } from '../../files/remove-stale.ts';
import { fullNames, type Report, type ReportColumn } from '../formats/report-row.ts';
import type { Lines } from '../formats/report-writer.ts';
import { cutReport } from './cut-report.ts';
import { readBatchReport } from './export-batch.ts';
import { watched } from './report-bytes.ts';
import { pour } from './write-report.ts';

const prefix = 'landing-';

/**
 * Opens an exporter with a temporary folder of its own below `parent`, which only this user can read. Removes the folders that killed
 * processes left there a day ago.
 */
export async function openPartExporter(store: BatchReportStore, parent: string): Promise<PartExporter> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  await removeStale(parent, prefix);
  const folder = await mkdtemp(join(parent, prefix));
  let texts = 0;
  return {
    exportParts: (request, place) => exportParts(store, folder, request, place),
    writeText: async (text) => {
      texts += 1;
      const path = join(folder, `text-${texts}`);
      await writeFile(path, text, { mode: fileMode });
      const sha256 = createHash('sha256').update(text).digest('hex');
      return { path, bytes: Buffer.byteLength(text), sha256 };
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Creates a reader of the lines of batches for tables: with the columns of Parquet, which have distinct names. */
export function createLineReader(store: BatchReportStore): LineReader {
  return {
    readLines: (batchId, shape, use, signal) =>
      readBatchReport(store, { batchId, shape }, ({ columns, blocks }) =>
        use({ columns: columnsOf(columns), lines: watched(blocks, { signal, onLines: () => undefined }) }),
      ),
  };
}

const fileMode = 0o600;

async function exportParts(
  store: BatchReportStore,
  folder: string,
  { batchKey: batchId, shape, linesMax, ...options }: PartRequest,
  place: (part: LocalPart) => Promise<void>,
): Promise<ExportedParts> {
  return readBatchReport(store, { batchId, shape }, async (report) => {
    let placing: Promise<void> = Promise.resolve();
    let part = 0;
    for await (const blocks of cutReport(report.blocks, linesMax ?? Number.POSITIVE_INFINITY)) {
      part += 1;
      const path = join(folder, `part-${part}`);
      const file = await writePart({ ...report, blocks }, path, options).finally(() => placing);
      placing = place(file).finally(() => rm(path, { force: true }));
      // Awaited after the next part; until then it must not count as unhandled.
      placing.catch(() => undefined);
    }
    await placing;
    return { columns: columnsOf(report.columns) };
  });
}

async function writePart(
  report: { readonly columns: readonly ReportColumn[]; readonly blocks: AsyncIterable<Lines> },
  path: string,
  { format, options, signal }: Pick<PartRequest, 'format' | 'options' | 'signal'>,
): Promise<LocalPart> {
  const handle = await open(path, 'wx', fileMode);
  try {
    // `writeFile` on a handle continues at the current position and, unlike `write`, completes partial writes.
    const sink = { gzip: options.gzip, write: (bytes: Uint8Array) => handle.writeFile(bytes) };
    const { lines, bytes, sha256 } = await pour(report, { format, raw: options.raw, signal }, sink);
    return { path, rows: lines, bytes, sha256 };
  } finally {
    await handle.close();
  }
}

function columnsOf(columns: Report['columns']): readonly LandedColumn[] {
  const names = fullNames(columns.map(({ name }) => name));
  return columns.map(({ kind = 'text' }, index) => ({ name: names[index] ?? '', kind }));
}
