import { parseCompany } from '../../core/companies/company.ts';
import type { CompanyQuery, ParsedCompany } from '../../core/companies/company.ts';
import type { Operation } from '../../core/credits/price-book.ts';
import { parseEmailQuery, type EmailQuery } from '../../core/emails/syntax/email-query.ts';
import type { FileForm, RawRow } from '../columns/company-file.ts';

/** Lookups of a row: at least one of the two, with a warning where part of the row is ignored. */
export interface TakenRow {
  readonly kind: 'row';
  readonly company: CompanyQuery | null;
  readonly address: EmailQuery | null;
  readonly warning: string | null;
}

/** Lookups of a row, or the reason why it has none. */
export type ParsedRow = TakenRow | { readonly kind: 'rejected'; readonly reason: string };

/** A row that is unusable itself is rejected for that, whatever its cells seem to name. */
export function parseRow(row: RawRow, form: FileForm): ParsedRow {
  if (row.problem !== null) return { kind: 'rejected', reason: row.problem };
  const wants = (operation: Operation) => form.operations.includes(operation);
  const company = wants('ads_search') ? readCompany(row, form) : null;
  const address = wants('email_validation') ? readAddress(row, form) : null;
  if (company?.kind === 'company')
    return { kind: 'row', company: company.company, address, warning: company.warning };
  if (address !== null) {
    const warning =
      company === null || isBlank(row, form) ? null : `${company.reason}; only the address is looked at`;
    return { kind: 'row', company: null, address, warning };
  }
  const missing = wants('email_validation') ? ['no e-mail address'] : [];
  return { kind: 'rejected', reason: [...(company === null ? [] : [company.reason]), ...missing].join('; ') };
}

function readCompany(row: RawRow, { fields }: FileForm): ParsedCompany {
  return parseCompany({
    domain: cellOf(row, fields.company_domain),
    name: cellOf(row, fields.company_name),
  });
}

function readAddress(row: RawRow, { fields }: FileForm): EmailQuery | null {
  const text = cellOf(row, fields.email) ?? '';
  return text.trim() === '' ? null : parseEmailQuery(text);
}

/** True when the row says nothing of a company at all. */
function isBlank(row: RawRow, { fields }: FileForm): boolean {
  return [fields.company_domain, fields.company_name].every(
    (column) => (cellOf(row, column) ?? '').trim() === '',
  );
}

function cellOf(row: RawRow, column: number | null): string | undefined {
  return column === null ? undefined : row.cells[column];
}
