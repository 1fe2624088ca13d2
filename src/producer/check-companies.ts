import type { Operation } from '../core/credits/price-book.ts';
import type { CompanyFile, FileForm, RawRow } from './company-file.ts';
import { parseRow } from './parse-row.ts';
import { createRowRemarks } from './row-remarks.ts';
import type { RemarkCount, RowRemark } from './row-remarks.ts';

/** What a list holds and what enriching it can cost, known without asking anyone. */
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
  /** The first 100 rejected rows, each with its reason. */
  readonly rejected: readonly RowRemark[];
  /** All rejected rows, counted by reason. */
  readonly rejectedByReason: readonly RemarkCount[];
  /** The first 100 rows with a warning. */
  readonly warnings: readonly RowRemark[];
  /** In microcredits: nothing if nothing has a result, the ceiling if everything has. */
  readonly costMicro: { readonly floor: bigint; readonly ceiling: bigint };
}

/**
 * Reads a whole list and says what would become of it: the answer of `nightshift check`.
 *
 * Keeps the key of every distinct company and address in memory, about 100 bytes each.
 *
 * @throws ValidationError when the file cannot be read as a whole.
 */
export async function checkCompanies(
  file: CompanyFile,
  pricesMicro: Readonly<Record<Operation, bigint>>,
): Promise<CompanyCheck> {
  const companies = new Set<string>();
  const addresses = new Set<string>();
  const rejected = createRowRemarks();
  const warned = createRowRemarks();
  let total = 0;
  let duplicates = 0;

  function check(row: RawRow): void {
    total += 1;
    const parsed = parseRow(row, file.form);
    if (parsed.kind === 'rejected') {
      rejected.add(row, parsed.reason);
      return;
    }
    const known = companies.size + addresses.size;
    if (parsed.company !== null) companies.add(parsed.company.key);
    if (parsed.address !== null) addresses.add(parsed.address.key);
    if (companies.size + addresses.size === known) duplicates += 1;
    if (parsed.warning !== null) warned.add(row, parsed.warning);
  }

  for await (const block of file.rows) block.forEach(check);
  return {
    form: file.form,
    content: file.digest(),
    rows: { total, rejected: rejected.rows(), withWarnings: warned.rows(), duplicates },
    companies: companies.size,
    addresses: addresses.size,
    rejected: rejected.first(),
    rejectedByReason: rejected.counts(),
    warnings: warned.first(),
    costMicro: {
      floor: 0n,
      ceiling:
        BigInt(companies.size) * pricesMicro.ads_search +
        BigInt(addresses.size) * pricesMicro.email_validation,
    },
  };
}
