import type { CompanyFile, FileForm, RawRow } from './company-file.ts';
import { parseRow } from './parse-row.ts';
import { createRowRemarks } from './row-remarks.ts';
import type { RemarkCount, RowRemark } from './row-remarks.ts';

/** What a list holds and what enriching it can cost, known without asking anyone. */
export interface CompanyCheck {
  readonly form: FileForm;
  /** SHA-256 (hexadecimal) and size in bytes of the decompressed content. */
  readonly content: { readonly sha256: string; readonly bytes: number };
  /** `total` = `rejected` + `duplicates` + the distinct companies. */
  readonly rows: {
    readonly total: number;
    readonly rejected: number;
    /** Taken, but something in the row was set aside. */
    readonly withWarnings: number;
    /** Rows that name the same company as a row before; they cost nothing. */
    readonly duplicates: number;
  };
  /** Distinct companies: as many lookups would be made. */
  readonly companies: number;
  /** The first 100 rejected rows, each with its reason. */
  readonly rejected: readonly RowRemark[];
  /** All rejected rows, counted by reason. */
  readonly rejectedByReason: readonly RemarkCount[];
  /** The first 100 rows with a warning. */
  readonly warnings: readonly RowRemark[];
  /** In microcredits: nothing if no ads are found, the ceiling if every company has some. */
  readonly costMicro: { readonly floor: bigint; readonly ceiling: bigint };
}

/**
 * Reads a whole list and says what would become of it: the answer of `nightshift check`.
 *
 * Keeps the key of every distinct company in memory, about 100 bytes each. `priceMicro` is the price of a find.
 *
 * @throws ValidationError when the file cannot be read as a whole.
 */
export async function checkCompanies(file: CompanyFile, priceMicro: bigint): Promise<CompanyCheck> {
  const keys = new Set<string>();
  const rejected = createRowRemarks();
  const warned = createRowRemarks();
  let total = 0;

  function check(row: RawRow): void {
    total += 1;
    const parsed = parseRow(row, file.form);
    if (parsed.kind === 'rejected') {
      rejected.add(row, parsed.reason);
      return;
    }
    keys.add(parsed.company.key);
    if (parsed.warning !== null) warned.add(row, parsed.warning);
  }

  for await (const block of file.rows) block.forEach(check);
  const duplicates = total - rejected.rows() - keys.size;
  return {
    form: file.form,
    content: file.digest(),
    rows: { total, rejected: rejected.rows(), withWarnings: warned.rows(), duplicates },
    companies: keys.size,
    rejected: rejected.first(),
    rejectedByReason: rejected.counts(),
    warnings: warned.first(),
    costMicro: { floor: 0n, ceiling: BigInt(keys.size) * priceMicro },
  };
}
