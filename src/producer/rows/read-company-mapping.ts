import type { Readable } from 'node:stream';
import type { MappingEntry } from '../../core/companies/company-mapping.ts';
import { readMapping } from '../../core/companies/parse-mapping.ts';
import { parseCompany } from '../../core/companies/company.ts';
import { headerKey } from '../columns/header-words.ts';
import { listColumns } from '../columns/column-map.ts';
import type { FileForm, RawRow, ReadOptions } from '../columns/company-file.ts';
import { fileError, type PlaceUnit } from '../../csv/file-error.ts';
import { placeUnit } from '../formats/file-formats.ts';
import { readCompanies } from './read-companies.ts';

/** Remark about one line, or row of a table, from 1. */
export interface LineRemark {
  readonly lineNo: number;
  readonly text: string;
}

/** Contents of a mapping file. */
export interface MappingFile {
  /** Unit of the numbers of lines. */
  readonly unit: PlaceUnit;
  /** Number of data rows; each is an entry or rejected. */
  readonly rows: number;
  /** Entries in the order of the file. An empty note keeps an existing note. */
  readonly entries: readonly MappingEntry[];
  /** Lines that cannot be used, with error and remedy. */
  readonly refused: readonly LineRemark[];
  /** Lines that were accepted with a warning. */
  readonly warnings: readonly LineRemark[];
}

/** Fields of a mapping file. */
const mapFields = ['company_domain', 'company_name', 'advertiser_id', 'role', 'note'];

/** Maximum number of rows. Our choice: all entries are held in memory, so that an invalid file changes nothing. */
const rowsMax = 100_000;

/**
 * Reads a file that maps companies to advertisers. It has the columns of a file of companies, `advertiser_id`, and optionally `role` and
 * `note`, or those of `map`. It can have any format of a file of companies.
 *
 * @throws ValidationError naming file, line and remedy when the file cannot be read as a whole, or lacks a column.
 */
export async function readCompanyMapping(input: Readable, options: ReadOptions): Promise<MappingFile> {
  const file = await readCompanies(input, {
    ...options,
    mapFields,
    operations: ['ads_search'],
    limits: { rowsMax },
  });
  try {
    const unit = placeUnit(file.form.format);
    const read = createLineReader(findMappingColumns(file.form, options), unit);
    for await (const block of file.rows) block.forEach(read.line);
    return read.result();
  } finally {
    await file.close();
  }
}

function createLineReader(columns: MappingColumns, unit: PlaceUnit) {
  const entries: MappingEntry[] = [];
  const refused: LineRemark[] = [];
  const warnings: LineRemark[] = [];
  const roles = new Map<string, { readonly lineNo: number; readonly role: string }>();

  function line({ lineNo, cells, problem, warning }: RawRow): void {
    if (problem !== null) return void refused.push({ lineNo, text: `${problem} (fix the ${unit})` });
    const cell = (column: number | null) => (column === null ? '' : (cells[column] ?? ''));
    const read = readMapping({
      company: parseCompany({ domain: cell(columns.domain), name: cell(columns.name) }),
      advertiserId: cell(columns.advertiserId),
      role: cell(columns.role),
      note: cell(columns.note).trim() === '' ? null : cell(columns.note),
    });
    if (read.kind === 'refused') return void refused.push({ lineNo, text: read.reasons.join('; ') });
    entries.push(read.entry);
    const remarks = [...(warning === null ? [] : [warning]), ...read.warnings];
    for (const text of [...remarks, ...contradiction(lineNo, read.entry)]) warnings.push({ lineNo, text });
  }

  /** Warns of an earlier line with the same advertiser of a company: the last line takes precedence. */
  function contradiction(
    lineNo: number,
    { companyKey, advertiserId, role }: MappingEntry,
  ): readonly string[] {
    const key = JSON.stringify([companyKey, advertiserId]);
    const before = roles.get(key);
    roles.set(key, { lineNo, role });
    if (before === undefined || before.role === role) return [];
    return [
      `${unit} ${before.lineNo} has the same advertiser as ${before.role}; this ${unit} takes precedence`,
    ];
  }

  const result = (): MappingFile => ({
    unit,
    rows: entries.length + refused.length,
    entries,
    refused,
    warnings,
  });
  return { line, result };
}

/** Indexes of columns, from 0; null where the file has none. */
interface MappingColumns {
  readonly domain: number | null;
  readonly name: number | null;
  readonly advertiserId: number;
  readonly role: number | null;
  readonly note: number | null;
}

function findMappingColumns({ header, fields, mapped }: FileForm, { fileName }: ReadOptions): MappingColumns {
  const keys = header.map(headerKey);
  const indexOf = (field: string) => {
    const named = keys.indexOf(headerKey(field));
    return mapped.get(field) ?? (named === -1 ? null : named);
  };
  const advertiserId = indexOf('advertiser_id');
  if (advertiserId === null) throw noColumn(['advertiser_id'], header, fileName);
  // In a file of companies, a column "advertiser name" is the company; here it is the advertiser.
  const isAdvertiser = keys[fields.company_name ?? -1]?.startsWith('advertiser') === true;
  const name = isAdvertiser && !mapped.has('company_name') ? null : fields.company_name;
  if (fields.company_domain === null && name === null)
    throw noColumn(['company_domain', 'company_name'], header, fileName);
  return { domain: fields.company_domain, name, advertiserId, role: indexOf('role'), note: indexOf('note') };
}

function noColumn(fields: readonly string[], header: readonly string[], fileName: string): Error {
  return fileError(
    fileName,
    null,
    `No column ${fields.join(' or ')}. Columns of the file: ${listColumns(header)}. Rename the column in the header, or map it with ` +
      `--map ${fields[0] ?? ''}=COLUMN.`,
  );
}
