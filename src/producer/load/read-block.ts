import type {
  BatchStore,
  LoadProgress,
  LoadTotals,
  NewLookup,
  NewRow,
  RowLookup,
} from '../../core/batches/batch-store.ts';
import { operations, type Operation } from '../../core/credits/price-book.ts';
import type { CompanyFile, RawRow } from '../columns/company-file.ts';
import { parseRow } from '../rows/parse-row.ts';
import { createSubjectIndex, type SubjectIndex } from '../rows/subject-index.ts';

/** Converts raw rows to rows with lookups, and counts them. */
export interface BlockReader {
  readonly read: (raw: readonly RawRow[]) => Promise<{
    readonly lookups: readonly NewLookup[];
    readonly rows: readonly NewRow[];
  }>;
  readonly totals: () => Omit<LoadTotals, 'staysJoinable'>;
}

/** Lookups of companies and addresses, by key. */
type Subjects = Readonly<Record<Operation, SubjectIndex>>;

/** Opens a reader for the rows after the stored ones. Memory grows only with the number of distinct companies and addresses. */
export async function openBlockReader(
  { form }: CompanyFile,
  { store, batchId, progress }: { store: BatchStore; batchId: number; progress: LoadProgress },
): Promise<BlockReader> {
  const subjects: Subjects = {
    ads_search: createSubjectIndex(),
    email_validation: createSubjectIndex(),
  };
  let { rowsStored, rowsRejected, extraCells } = progress;
  let lastLookupId = rowsStored === 0 ? 0 : await readSubjects(store, batchId, subjects);
  let ids = { first: 0, count: 0 };

  async function read(raw: readonly RawRow[]) {
    const lookups: NewLookup[] = [];
    const rows: NewRow[] = [];
    for (const row of raw) {
      rowsStored = row.rowNo;
      extraCells = Math.max(extraCells, row.cells.length - form.header.length);
      if (ids.count < operations.length) ids = await takeIds(store);
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
      return { rowNo, lineNo, cells, ads: null, email: null, rejectReason, warning: null };
    }
    const { company, address, warning } = parsed;
    const ads = company && lookUp('ads_search', company.key);
    if (company && ads?.isFirst === true)
      lookups.push({ lookupId: BigInt(ads.lookupId), operation: 'ads_search', company });
    const email = address && lookUp('email_validation', address.key);
    if (address && email?.isFirst === true)
      lookups.push({ lookupId: BigInt(email.lookupId), operation: 'email_validation', address });
    return { rowNo, lineNo, cells, ads, email, rejectReason: null, warning };
  }

  /** Returns the lookup of a subject; a new one gets the next id. */
  function lookUp(operation: Operation, key: string): RowLookup {
    const lookupId = subjects[operation].findOrAdd(key, ids.first);
    const isFirst = lookupId === ids.first;
    if (isFirst) {
      lastLookupId = lookupId;
      ids = { first: ids.first + 1, count: ids.count - 1 };
    }
    return { lookupId, isFirst };
  }

  return {
    read,
    totals: () => ({
      rowsTotal: rowsStored,
      rowsRejected,
      extraCells,
      lookupsTotal: subjects.ads_search.size() + subjects.email_validation.size(),
      emailLookupsTotal: subjects.email_validation.size(),
      lastLookupId: BigInt(lastLookupId),
    }),
  };
}

async function takeIds(store: BatchStore): Promise<{ readonly first: number; readonly count: number }> {
  const { first, count } = await store.takeLookupIds();
  return { first: Number(first), count };
}

/** Fills the index with the lookups of an earlier process, and returns the last of them. */
async function readSubjects(store: BatchStore, batchId: number, subjects: Subjects): Promise<number> {
  let last = 0;
  for await (const page of store.listSubjects(batchId))
    for (const { operation, key, lookupId } of page)
      last = subjects[operation].findOrAdd(key, Number(lookupId));
  return last;
}
