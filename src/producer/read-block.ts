import type { BatchStore, LoadProgress, LoadTotals, NewLookup, NewRow } from '../core/batch/batch-store.ts';
import type { CompanyFile, RawRow } from './company-file.ts';
import { parseRow } from './parse-row.ts';

/** Turns raw rows into rows with lookups, and keeps count. Memory grows with the number of distinct companies only. */
export function createBlockReader({ form }: CompanyFile, store: BatchStore, progress: LoadProgress) {
  const subjects = new Map(progress.subjects);
  let { rowsStored, rowsRejected, extraCells, lastLookupId } = progress;
  let ids = { first: 0n, count: 0 };

  async function read(
    raw: readonly RawRow[],
  ): Promise<{ lookups: readonly NewLookup[]; rows: readonly NewRow[] }> {
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
      return {
        rowNo,
        lineNo,
        cells,
        adsLookupId: null,
        isFirst: false,
        rejectReason: parsed.reason,
        warning: null,
      };
    }
    const known = subjects.get(parsed.company.key);
    const lookupId = known ?? takeId();
    if (known === undefined) {
      subjects.set(parsed.company.key, lookupId);
      lookups.push({ lookupId, company: parsed.company });
    }
    const { warning } = parsed;
    return {
      rowNo,
      lineNo,
      cells,
      adsLookupId: lookupId,
      isFirst: known === undefined,
      rejectReason: null,
      warning,
    };
  }

  function takeId(): bigint {
    lastLookupId = ids.first;
    ids = { first: ids.first + 1n, count: ids.count - 1 };
    return lastLookupId;
  }

  return {
    read,
    totals: (): LoadTotals => ({
      rowsTotal: rowsStored,
      rowsRejected,
      extraCells,
      lookupsTotal: subjects.size,
      lastLookupId,
    }),
  };
}
