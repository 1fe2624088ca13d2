import { parseCompany } from '../../core/companies/company.ts';
import type { CompanyQuery, ParsedCompany } from '../../core/companies/company.ts';
import type { Operation } from '../../core/credits/price-book.ts';
import { parseEmailQuery, type EmailQuery } from '../../core/emails/syntax/email-query.ts';
import { cellText } from '../../core/companies/placeholders.ts';
import type { FileForm, RawRow } from '../columns/company-file.ts';

/** Lookups of a row: at least one of the two, with a warning where part of the row is ignored. */
export interface TakenRow {
  readonly kind: 'row';
  readonly company: CompanyQuery | null;
  readonly address: EmailQuery | null;
  readonly warning: string | null;
}

/** Lookups of a row, or the reason of its rejection. */
export type ParsedRow = TakenRow | { readonly kind: 'rejected'; readonly reason: string };

/** Operations of a file, and the columns of its fields. */
type RowForm = Pick<FileForm, 'fields' | 'operations'>;

/** Parses a row to its lookups. A malformed row is rejected, whatever its cells contain. */
export function parseRow(row: RawRow, form: RowForm): ParsedRow {
  if (row.problem !== null) return { kind: 'rejected', reason: row.problem };
  const includes = (operation: Operation) => form.operations.includes(operation);
  const company = includes('ads_search') ? readCompany(row, form) : null;
  const address = includes('email_validation') ? readAddress(row, form) : null;
  if (company?.kind === 'company')
    return { kind: 'row', company: company.company, address, warning: joined(row.warning, company.warning) };
  if (address !== null) {
    const warning =
      company === null || isBlank(row, form) ? null : `${company.reason}; only the address is looked up`;
    return { kind: 'row', company: null, address, warning: joined(row.warning, warning) };
  }
  const missing = includes('email_validation') ? ['no e-mail address'] : [];
  return { kind: 'rejected', reason: [...(company === null ? [] : [company.reason]), ...missing].join('; ') };
}

function joined(one: string | null, other: string | null): string | null {
  return one === null || other === null ? (one ?? other) : `${one}; ${other}`;
}

function readCompany(row: RawRow, { fields }: RowForm): ParsedCompany {
  return parseCompany({
    domain: cellOf(row, fields.company_domain),
    name: cellOf(row, fields.company_name),
  });
}

function readAddress(row: RawRow, { fields }: RowForm): EmailQuery | null {
  const text = cellText(cellOf(row, fields.email));
  return text === '' ? null : parseEmailQuery(text);
}

/** True when the row has no company cell with content. */
function isBlank(row: RawRow, { fields }: RowForm): boolean {
  return [fields.company_domain, fields.company_name].every((column) => cellText(cellOf(row, column)) === '');
}

function cellOf(row: RawRow, column: number | null): string | undefined {
  return column === null ? undefined : row.cells[column];
}
