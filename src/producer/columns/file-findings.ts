import { mapOption } from './column-labels.ts';
import { listColumns } from './column-map.ts';
import type { Columns } from './columns.ts';
import type { FileForm, ReadOptions } from './company-file.ts';
import { senseOfHeader } from './header-names.ts';
import type { UnusedColumn } from './unused-columns.ts';

/** Kinds of columns that can hold the name or the domain of a company. */
const possibleKinds: ReadonlySet<UnusedColumn['looksLike']> = new Set(['text', 'web_address', 'mixed']);

/** Returns the remarks about a file as a whole that need a decision of the user, each with the options for it. */
export function findingsOf(
  { header, fields, unused, headerless, proposals }: Columns & Pick<FileForm, 'headerless'>,
  { noHeader, map = {}, operations }: ReadOptions,
): readonly string[] {
  const findings: string[] = [];
  if (headerless && noHeader !== true)
    findings.push(
      `The first line looks like data, so it is read as a row, and the columns are named ${listColumns(header)}. ` +
        'Name them with --no-header --columns name,domain,…',
    );
  const isWanted = ({ field }: Columns['proposals'][number]) =>
    operations?.includes(field === 'email' ? 'email_validation' : 'ads_search') !== false;
  for (const { field, column } of proposals.filter(isWanted))
    findings.push(
      `The column ${JSON.stringify(column)} may be ${field} by its values, but not by its name, so it is not used. ` +
        `Map it with ${mapOption(field, column)}, or accept this with --map ${field}=`,
    );
  const isSettled =
    map['company_domain'] !== undefined ||
    map['company_name'] !== undefined ||
    operations?.includes('ads_search') === false;
  const possible = unused.filter(
    ({ name, looksLike }) => possibleKinds.has(looksLike) && senseOfHeader(name).kind !== 'person',
  );
  const hasCompany = fields.company_domain !== null || fields.company_name !== null;
  if (!hasCompany && !isSettled && possible.length > 0)
    findings.push(
      `No company column among: ${listColumns(possible.map(({ name }) => name))}. Only e-mail addresses are validated. ` +
        'Map a column with --map company_name=COLUMN, or accept this with --map company_name=',
    );
  return findings;
}
