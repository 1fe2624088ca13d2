import type { BatchStore, LoadProgress, LoadTotals, NewLookup, NewRow } from '../core/batch/batch-store.ts';
import type { CompanyFile, RawRow } from './company-file.ts';
import { parseRow } from './parse-row.ts';
import { createSubjectIndex, type SubjectIndex } from './subject-index.ts';

/** Turns raw rows into rows with lookups, and keeps count. */
export interface BlockReader {
  readonly read: (raw: readonly RawRow[]) => Promise<{
    readonly lookups: readonly NewLookup[];
    readonly rows: readonly NewRow[];
  }>;
  readonly totals: () => Omit<LoadTotals, 'staysJoinable'>;
}

/** Opens a reader for what comes after the rows that are stored. Memory grows with the number of distinct companies only. */
export async function openBlockReader(
  { form }: CompanyFile,
  { store, batchId, progress }: { store: BatchStore; batchId: number; progress: LoadProgress },
): Promise<BlockReader> {
  const subjects = createSubjectIndex();
  let { rowsStored, rowsRejected, extraCells } = progress;
  let lastLookupId = rowsStored === 0 ? 0n : await readSubjects(store, batchId, subjects);
  let ids = { first: 0n, count: 0 };

  async function read(raw: readonly RawRow[]) {
    const lookups: NewLookup[] = [];
    const rows: NewRow[] = [];
    for (const row of raw) {
      rowsStored = row.rowNo;
      extraCells = Math.max(extraCells, row.cells.length - form.header.length);
      if (ids.count === 0) ids = await store.takeLookupIds();
      rows.push(readRow(row, lookups));
    }
    return { lookups, rows };
  }

  function readRow(row: RawRow, lookups: NewLookup[]): NewRow {
    const { rowNo, lineNo, cells } = row;
    const parsed = parseRow(row, form);
    if (parsed.kind === 'rejected') {
      rowsRejected += 1;
      const rejectReason = parsed.reason;
      return { rowNo, lineNo, cells, adsLookupId: null, isFirst: false, rejectReason, warning: null };
    }
    const { company, warning } = parsed;
    const adsLookupId = subjects.findOrAdd(company.key, ids.first);
    const isFirst = adsLookupId === ids.first;
    if (isFirst) {
      lookups.push({ lookupId: adsLookupId, company });
      lastLookupId = adsLookupId;
      ids = { first: ids.first + 1n, count: ids.count - 1 };
    }
    return { rowNo, lineNo, cells, adsLookupId, isFirst, rejectReason: null, warning };
  }

  return {
    read,
    totals: () => ({
      rowsTotal: rowsStored,
      rowsRejected,
      extraCells,
      lookupsTotal: subjects.size(),
      lastLookupId,
    }),
  };
}

/** Fills the index with what an earlier process stored; answers the last lookup of it. */
async function readSubjects(store: BatchStore, batchId: number, subjects: SubjectIndex): Promise<bigint> {
  let last = 0n;
  for await (const page of store.listSubjects(batchId))
    for (const { key, lookupId } of page) last = subjects.findOrAdd(key, lookupId);
  return last;
}
