import { normaliseName } from '../../core/companies/company-name.ts';
import { parseDomain } from '../../core/companies/domain.ts';
import { foldText } from '../../core/companies/fold-text.ts';
import { nameFitsDomain } from '../../core/companies/name-fits-domain.ts';
import { readValues, type CellKind, type ColumnValues } from './cell-kinds.ts';
import type { CompanyField } from './fields.ts';
import { findNamedField, senseOfHeader, type HeaderSense, type NamedField } from './header-names.ts';

/** The beginning of a list. */
export interface ColumnSample {
  readonly header: readonly string[];
  /** The first data rows, `sampleRows` at most; further ones are not looked at. */
  readonly rows: readonly (readonly string[])[];
}

/** Rows that recognition looks at; our choice, enough to tell kinds apart and nothing beside the size of a list. */
export const sampleRows = 200;

/** One column of a list as recognition sees it. */
export interface SeenColumn {
  readonly index: number;
  readonly name: string;
  /** The field that its name stands for, whether its values agree or not. */
  readonly named: NamedField | null;
  readonly sense: HeaderSense;
  readonly values: ColumnValues;
  /** The kind of most of its cells; `person` for names of persons, null where it is empty or mixed. */
  readonly looksLike: CellKind | 'person' | null;
}

/** A field and the column that holds it. */
export interface FieldChoice {
  /** Null: no column holds it for certain. */
  readonly column: SeenColumn | null;
  readonly because: 'name' | 'values' | null;
  /** Further columns that may hold it, the most telling first. */
  readonly others: readonly SeenColumn[];
  /**
   * `tie`: the first two of `others` fit equally well; `unsure`: `others` may hold it, but nothing is certain; `proposed`: the values of the
   * first of `others` fit, but its name says nothing; null: settled.
   */
  readonly doubt: 'tie' | 'unsure' | 'proposed' | null;
}

/** The columns of a list, and which of them hold our fields. */
export interface Recognition {
  readonly columns: readonly SeenColumn[];
  readonly fields: Readonly<Record<CompanyField, FieldChoice>>;
}

/** Fields that a user has settled: the index of the column, or null for none. A field that is missing is open. */
export type SettledFields = Readonly<Partial<Record<CompanyField, number | null>>>;

/** Fewer cells prove nothing against or for a column. Our choice. */
const proofMin = 3;

/**
 * Finds the columns of a list that hold a company's domain, its name and an e-mail address: by their names in many languages first, and by
 * the values of the first rows.
 *
 * A column whose values contradict its name is not taken; a column without a telling name is proposed where its values leave no doubt and no
 * other column is like it, and taken only in a list without a header. Precision comes before recall: where two columns fit, or a name may mean a person, the field stays open with a
 * doubt. Columns in `reserved` hold something else. Never throws.
 */
export function recogniseColumns(
  sample: ColumnSample,
  settled: SettledFields = {},
  reserved: ReadonlySet<number> = new Set(),
): Recognition {
  const rows = sample.rows.slice(0, sampleRows);
  const columns = sample.header.map((name, index) => seeColumn(name, index, rows));
  const fields = chooseFields({ columns, rows, reserved, settled, isStrict: true });
  const isBlank = Object.values(fields).every(({ column, doubt }) => column === null && doubt === null);
  // Values that are wrong in every row make no list without companies: each row says what is wrong with it.
  return {
    columns,
    fields: isBlank ? chooseFields({ columns, rows, reserved, settled, isStrict: false }) : fields,
  };
}

interface Choosing {
  readonly columns: readonly SeenColumn[];
  readonly rows: ColumnSample['rows'];
  readonly reserved: ReadonlySet<number>;
  readonly settled: SettledFields;
  /** Values that a field cannot use stand against a column, whatever they are. */
  readonly isStrict: boolean;
}

function chooseFields({ columns, rows, reserved, settled, isStrict }: Choosing): Recognition['fields'] {
  const given = new Set(Object.values(settled).filter((index) => index !== null));
  const free = columns.filter(({ index }) => !given.has(index) && !reserved.has(index));
  const fitting = free.filter(
    ({ named, values }) => named !== null && !contradicts(named.field, values, isStrict),
  );
  const choose = (field: CompanyField, find: () => FieldChoice): FieldChoice => {
    const index = settled[field];
    if (index === undefined) return find();
    const column = index === null ? null : (columns[index] ?? null);
    return { ...none, column, others: free.filter(({ named }) => named?.field === field) };
  };
  const email = choose('email', () => chooseColumn('email', fitting, free));
  const domain = choose('company_domain', () => chooseColumn('company_domain', fitting, free));
  const context = { email: email.column, domain: domain.column, columns, rows };
  const name = choose('company_name', () => chooseName(fitting, free, context));
  return { company_domain: domain, company_name: name, email };
}

const none: FieldChoice = { column: null, because: null, others: [], doubt: null };

function seeColumn(name: string, index: number, rows: readonly (readonly string[])[]): SeenColumn {
  const values = readValues(rows.map((cells) => cells[index] ?? ''));
  return {
    index,
    name,
    named: findNamedField(name),
    sense: senseOfHeader(name),
    values,
    looksLike: kindOf(values),
  };
}

function kindOf(values: ColumnValues): SeenColumn['looksLike'] {
  const { filled, counts, persons } = values;
  if (filled === 0) return null;
  if (counts.text >= filled / 2 && persons >= filled * personShare) return 'person';
  const [most] = Object.entries(counts).sort(([, one], [, other]) => other - one);
  return most !== undefined && most[1] > filled / 2 ? (most[0] as CellKind) : null;
}

/** A given name list holds half of the people at most; so many cells that begin with one are no accident. */
const personShare = 0.35;

function chooseColumn(
  field: 'company_domain' | 'email',
  fitting: readonly SeenColumn[],
  free: readonly SeenColumn[],
): FieldChoice {
  const named = namedColumns(field, fitting);
  return named.length > 0 ? chooseAmong(named) : chooseByValues(field, free);
}

/** Columns that are called like a field, the most telling first; of equals those with more to say. Empty ones count beside empty ones only. */
function namedColumns(field: CompanyField, columns: readonly SeenColumn[]): readonly SeenColumn[] {
  const called = columns.filter(({ named }) => named?.field === field);
  const hasValues = called.some(({ values }) => values.filled >= proofMin);
  const filled = hasValues ? called.filter(({ values }) => values.filled > 0) : called;
  const fits = ({ values }: SeenColumn) => fittingCells(field, values);
  return filled.toSorted((one, other) => rankOf(one) - rankOf(other) || fits(other) - fits(one));
}

function rankOf({ named }: SeenColumn): number {
  return named?.rank ?? Number.MAX_SAFE_INTEGER;
}

function chooseAmong([first, ...others]: readonly SeenColumn[]): FieldChoice {
  if (first === undefined) return none;
  const [second] = others;
  const field = first.named?.field ?? 'email';
  const isTie =
    second !== undefined &&
    rankOf(second) === rankOf(first) &&
    fittingCells(field, first.values) < 2 * fittingCells(field, second.values) + 1;
  if (isTie) return { column: null, because: null, others: [first, ...others], doubt: 'tie' };
  return { column: first, because: 'name', others, doubt: null };
}

/** Cells that a field can use. */
function fittingCells(field: CompanyField, { counts }: ColumnValues): number {
  if (field === 'company_domain') return counts.web_address + counts.email_address;
  return field === 'email' ? counts.email_address : counts.text + counts.web_address;
}

/**
 * The values say plainly that a column does not hold what it is called after: a column `Website` of phone numbers. `isStrict`: so do values that
 * may be no more than wrong, such as texts that are no address.
 */
function contradicts(field: CompanyField, values: ColumnValues, isStrict: boolean): boolean {
  const { filled, counts } = values;
  if (filled < proofMin) return false;
  const plain = counts.phone_number + counts.date + counts.page + counts.advertiser_id;
  const other = isStrict ? plain + counts.number : plain;
  if (field === 'company_domain')
    return fittingCells(field, values) < filled * 0.1 && (isStrict || other >= filled * 0.8);
  // Addresses that are wrong are what validation is for.
  if (field === 'email') return other + counts.web_address >= filled * 0.8;
  return counts.email_address + other >= filled * 0.8 || (isStrict && holdsDomains(values));
}

/** Nearly all cells are web addresses of hosts, not of pages, and most are different ones. */
export function holdsDomains({ filled, counts, roots, distinct }: ColumnValues): boolean {
  return counts.web_address >= filled * 0.9 && roots >= filled * 0.7 && distinct >= filled * 0.5;
}

function chooseByValues(field: 'company_domain' | 'email', columns: readonly SeenColumn[]): FieldChoice {
  const like = columns.filter((column) => looksLikeField(field, column));
  const open = like.filter((column) => isOpen(field, column));
  const [only] = open;
  if (only !== undefined && open.length === 1 && isCertain(field, only)) {
    const others = like.filter((other) => other !== only);
    // A header that says nothing is no evidence: the user has to confirm the column.
    const isProposal = only.named === null && !isNumbered(only.name);
    if (isProposal) return { ...none, others: [only, ...others], doubt: 'proposed' };
    return { column: only, because: 'values', others, doubt: null };
  }
  return {
    ...none,
    others: [...open, ...like.filter((column) => !open.includes(column))],
    doubt: open.length > 0 ? 'unsure' : null,
  };
}

function looksLikeField(field: 'company_domain' | 'email', { values, looksLike }: SeenColumn): boolean {
  if (looksLike !== (field === 'email' ? 'email_address' : 'web_address')) return false;
  // Pages, or few addresses again and again, are no list of companies.
  return field === 'email' || (values.roots >= values.filled / 2 && values.distinct >= values.filled * 0.3);
}

/** Its name says nothing else: it is unknown, or a word for the company whose values are web addresses. */
function isOpen(field: CompanyField, { named, sense, values, name }: SeenColumn): boolean {
  if (values.filled < proofMin && !isNumbered(name)) return false;
  if (named !== null)
    return (
      field === 'company_domain' && named.field === 'company_name' && !named.isBare && holdsDomains(values)
    );
  return sense.kind === 'open' || (sense.kind === 'hint' && sense.field === field);
}

function isCertain(field: CompanyField, { values, sense, named }: SeenColumn): boolean {
  if (field === 'email') return sense.kind !== 'hint' && values.counts.email_address >= values.filled * 0.9;
  if (!holdsDomains(values)) return false;
  return named !== null || (sense.kind !== 'hint' && values.filled >= values.rows * 0.5);
}

/** A generated name of a column in a file without a header. */
function isNumbered(name: string): boolean {
  return /^column_\d+$/.test(name);
}

/** Columns beside which a name of a company is looked for. */
interface NameContext {
  readonly email: SeenColumn | null;
  readonly domain: SeenColumn | null;
  readonly columns: readonly SeenColumn[];
  readonly rows: ColumnSample['rows'];
}

function chooseName(
  fitting: readonly SeenColumn[],
  free: readonly SeenColumn[],
  context: NameContext,
): FieldChoice {
  const isLeft = (column: SeenColumn) => column !== context.domain && column !== context.email;
  const columns = free.filter(isLeft);
  const named = namedColumns('company_name', fitting.filter(isLeft));
  const sure = named.filter((column) => column.named?.isBare === false);
  const bare = named.filter((column) => column.named?.isBare === true);
  if (sure.length > 0) return chooseAmong([...sure, ...bare]);
  const verdicts = bare.map((column) => ({ column, verdict: evaluateBareName(column, context) }));
  const companies = verdicts.flatMap(({ column, verdict }) => (verdict === 'company' ? [column] : []));
  if (companies.length > 0) return chooseAmong(companies);
  const hinted = columns.filter(
    ({ named: field, sense, looksLike }) =>
      field === null && sense.kind === 'hint' && sense.field === 'company_name' && looksLike === 'text',
  );
  const open = verdicts.flatMap(({ column, verdict }) => (verdict === 'open' ? [column] : []));
  const others = [...open, ...hinted];
  return { ...none, others, doubt: others.length > 0 ? 'unsure' : null };
}

/** `Name` and `Client` name a company or a person: values and columns beside it tell. */
function evaluateBareName(
  column: SeenColumn,
  { email, domain, columns, rows }: NameContext,
): 'company' | 'person' | 'open' {
  const { filled } = column.values;
  const cells = rows.map((row) => ({
    name: (row[column.index] ?? '').trim(),
    address: email === null ? '' : (row[email.index] ?? ''),
  }));
  if (column.looksLike === 'person') return 'person';
  const withForm = cells.filter(({ name }) => hasLegalForm(name)).length;
  const ofAddress = cells.filter(({ name, address }) => fitsAddress(name, address)).length;
  if (filled > 0 && (withForm >= filled * 0.1 || ofAddress >= filled * 0.3)) return 'company';
  if (columns.some(({ sense }) => sense.kind === 'person')) return 'person';
  // Addresses and phone numbers alone are what lists of persons have beside a name.
  const isContact = email !== null || columns.some(({ looksLike }) => looksLike === 'phone_number');
  return domain !== null || !isContact ? 'company' : 'open';
}

function hasLegalForm(name: string): boolean {
  return normaliseName(name) !== foldText(name);
}

/** The name is that of the address's domain: `Nike` beside `info@nike.com`. */
function fitsAddress(name: string, address: string): boolean {
  if (name === '' || !address.includes('@')) return false;
  const parsed = parseDomain(address);
  return parsed.kind === 'domain' && nameFitsDomain(name, parsed.domain);
}
