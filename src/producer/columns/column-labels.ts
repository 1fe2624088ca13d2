import { columnKindLabels } from '../../core/columns/column-kind-labels.ts';
import { companyFields, type CompanyField } from '../../core/columns/fields.ts';
import type { UnusedColumn } from '../../core/columns/unused-columns.ts';
import type { FileForm } from './company-file.ts';

/** Labels of the kinds of columns in messages. */
const kindLabels = { ...columnKindLabels, empty: 'nothing (its first rows are empty)' };

/** Describes the kind of a column, with examples: `text (Berlin, Köln, …)`. */
export function describeKind({ looksLike, examples }: Pick<UnusedColumn, 'looksLike' | 'examples'>): string {
  if (examples.length === 0) return kindLabels[looksLike];
  const shown = examples.slice(0, 2).map((example) => shortened(example, 30));
  const more = examples.length > shown.length ? ', …' : '';
  return `${kindLabels[looksLike]} (${shown.join(', ')}${more})`;
}

/** Describes the used columns in one line: `company_domain from "Webseite"`. */
export function describeUsed({
  header,
  fields,
  because,
  headerless,
}: Pick<FileForm, 'header' | 'fields' | 'because' | 'headerless'>): string {
  const used = companyFields.flatMap((field) => {
    const index = fields[field];
    if (index === null) return [];
    return [`${field} from "${header[index] ?? ''}"${because[field] === 'values' ? ' (by its values)' : ''}`];
  });
  return `${used.join(', ')}${headerless ? '; the first line is data' : ''}`;
}

/** Describes an unused column in one line, with the option that would use it: `Ort: text (Berlin, Köln, …)`. */
export function describeUnused(column: UnusedColumn): string {
  const name = shortened(column.name, 40);
  const looksLike = describeKind(column);
  if (column.couldBe !== null)
    return `${name}: looks like ${looksLike}; to use it: ${mapOption(column.couldBe, column.name)}`;
  if (column.contradicts !== null)
    return `${name}: named like ${column.contradicts}, but contains ${looksLike}`;
  return `${name}: ${looksLike}`;
}

/** Formats the option that maps a column to a field, quoted for the shell. */
export function mapOption(field: CompanyField, column: string): string {
  const pair = `${field}=${column}`;
  return `--map ${/^[\p{L}\p{N}=_.-]+$/u.test(pair) ? pair : `'${pair.replaceAll("'", "'\\''")}'`}`;
}

function shortened(text: string, charactersMax: number): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > charactersMax ? `${line.slice(0, charactersMax - 1)}…` : line;
}
