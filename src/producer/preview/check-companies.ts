import { estimateCost, type LookupCounts } from '../../core/credits/estimate.ts';
import type { Operation } from '../../core/credits/price-book.ts';
import type { CompanyFile, FileForm, RawRow } from '../columns/company-file.ts';
import { createKnownSubjects, type RepeatedSubject } from '../rows/known-subjects.ts';
import { parseRow, type ParsedRow } from '../rows/parse-row.ts';
import { createPreview, type PreviewRow } from './preview-rows.ts';
import { createRowRemarks } from './row-warnings.ts';
import type { RemarkCount, RowRemark } from './row-warnings.ts';

/** Content of a file and the maximum cost of its batch, computed offline. */
export interface CompanyCheck {
  readonly form: FileForm;
  /** SHA-256 (hexadecimal) and size in bytes of the decompressed content. */
  readonly content: { readonly sha256: string; readonly bytes: number };
  /** Counts of rows. `total` = `rejected` + `duplicates` + the rows that add a lookup. */
  readonly rows: {
    readonly total: number;
    readonly rejected: number;
    /** Accepted, but part of the row is ignored. */
    readonly withWarnings: number;
    /** Rows that add no lookup; they cost nothing. */
    readonly duplicates: number;
  };
  /** Distinct companies; each is a lookup. */
  readonly companies: number;
  /** Distinct e-mail addresses; each is a lookup. */
  readonly addresses: number;
  /** Rows and lookups within the row limit; without a limit, of all rows. */
  readonly withinLimit: { readonly rows: number; readonly lookups: LookupCounts };
  /** First 100 rejected rows, each with its reason. */
  readonly rejected: readonly RowRemark[];
  /** All rejected rows, counted by reason. */
  readonly rejectedByReason: readonly RemarkCount[];
  /** First 100 rows with a warning. */
  readonly warnings: readonly RowRemark[];
  /** The 20 companies and addresses with the most rows, if several. */
  readonly repeated: readonly RepeatedSubject[];
  /** Preview of the first 20 rows. */
  readonly preview: readonly PreviewRow[];
  /** Cost within the limit, in microcredits: the floor if no lookup has a result, the ceiling if all have. */
  readonly costMicro: { readonly floor: bigint; readonly ceiling: bigint };
}

/**
 * Checks a whole file without loading it: the result of `nightshift check`.
 *
 * Holds a hash of every distinct company and address in memory, about 25 bytes each. `limitRows`: number of rows to look up; null, the
 * default: all.
 *
 * @throws ValidationError when the file cannot be read as a whole.
 */
export async function checkCompanies(
  file: CompanyFile,
  pricesMicro: Readonly<Record<Operation, bigint>>,
  limitRows: number | null = null,
): Promise<CompanyCheck> {
  const known = createKnownSubjects();
  const preview = createPreview();
  const rejected = createRowRemarks();
  const warned = createRowRemarks();
  let total = 0;
  let duplicates = 0;
  let atLimit: CompanyCheck['withinLimit'] | null = null;

  function check(row: RawRow): void {
    total += 1;
    note(row, parseRow(row, file.form));
    if (total === limitRows) atLimit = { rows: total, lookups: known.counts() };
  }

  function note(row: RawRow, parsed: ParsedRow): void {
    if (parsed.kind === 'rejected') {
      rejected.add(row, parsed.reason);
      return preview.add(row, parsed, { brings: [], firstLineNo: null });
    }
    const found = known.add(parsed, row.lineNo);
    if (found.brings.length === 0) duplicates += 1;
    if (parsed.warning !== null) warned.add(row, parsed.warning);
    preview.add(row, parsed, found);
  }

  for await (const block of file.rows) block.forEach(check);
  const { ads_search: companies, email_validation: addresses } = known.counts();
  const withinLimit = atLimit ?? { rows: total, lookups: known.counts() };
  return {
    // All rows have been read.
    form: { ...file.form, findings: [...file.form.findings, ...file.notes()] },
    content: file.digest(),
    rows: { total, rejected: rejected.rows(), withWarnings: warned.rows(), duplicates },
    companies,
    addresses,
    withinLimit,
    rejected: rejected.first(),
    rejectedByReason: rejected.counts(),
    warnings: warned.first(),
    repeated: known.repeated(),
    preview: preview.rows(),
    costMicro: { floor: 0n, ceiling: estimateCost(withinLimit.lookups, pricesMicro).ceilingMicro },
  };
}
