import { estimateCost, type LookupCounts } from '../../core/credits/estimate.ts';
import type { Operation } from '../../core/credits/price-book.ts';
import type { CompanyFile, FileForm, RawRow } from '../columns/company-file.ts';
import { createKnownSubjects, type RepeatedSubject } from '../rows/known-lookups.ts';
import { parseRow, type ParsedRow } from '../rows/parse-row.ts';
import { createPreview, type PreviewRow } from './preview-rows.ts';
import { createRowRemarks } from './row-warnings.ts';
import type { RemarkCount, RowRemark } from './row-warnings.ts';

/** Content of a file and the maximum cost of enriching it, computed offline. */
export interface CompanyCheck {
  readonly form: FileForm;
  /** SHA-256 (hexadecimal) and size in bytes of the decompressed content. */
  readonly content: { readonly sha256: string; readonly bytes: number };
  /** `total` = `rejected` + `duplicates` + the rows that name something new. */
  readonly rows: {
    readonly total: number;
    readonly rejected: number;
    /** Taken, but something in the row was set aside. */
    readonly withWarnings: number;
    /** Rows that name nothing that a row before does not name; they cost nothing. */
    readonly duplicates: number;
  };
  /** Distinct companies and addresses: as many lookups would be made. */
  readonly companies: number;
  readonly addresses: number;
  /** The same among the rows of the limit; of all rows without one. */
  readonly withinLimit: { readonly rows: number; readonly lookups: LookupCounts };
  /** The first 100 rejected rows, each with its reason. */
  readonly rejected: readonly RowRemark[];
  /** All rejected rows, counted by reason. */
  readonly rejectedByReason: readonly RemarkCount[];
  /** The first 100 rows with a warning. */
  readonly warnings: readonly RowRemark[];
  /** The 20 companies and addresses that most rows name, if several do. */
  readonly repeated: readonly RepeatedSubject[];
  /** Preview of the first 20 rows. */
  readonly preview: readonly PreviewRow[];
  /** In microcredits, within the limit: nothing if nothing has a result, the ceiling if everything has. */
  readonly costMicro: { readonly floor: bigint; readonly ceiling: bigint };
}

/**
 * Reads a whole list and says what would become of it: the answer of `nightshift check`.
 *
 * Keeps the key of every distinct company and address in memory, about 100 bytes each. `limitRows`: only what the first so many rows
 * name would be looked up; null, the default: all of it.
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
    form: file.form,
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
