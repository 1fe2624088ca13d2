import { parseCompany } from '../core/company.ts';
import type { ParsedCompany } from '../core/company.ts';
import type { FileForm, RawRow } from './company-file.ts';

/** A row that is unusable itself is rejected for that, whatever company its cells seem to name. */
export function parseRow(row: RawRow, { fields }: FileForm): ParsedCompany {
  if (row.problem !== null) return { kind: 'rejected', reason: row.problem };
  return parseCompany({
    domain: cellOf(row, fields.company_domain),
    name: cellOf(row, fields.company_name),
  });
}

function cellOf(row: RawRow, column: number | null): string | undefined {
  return column === null ? undefined : row.cells[column];
}
