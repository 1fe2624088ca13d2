import { numbersOf } from '../stand-in/stand-in-ads.ts';

/** A row of a generated file, and its expected result. */
export interface ListedRow {
  /** Row as in the file. */
  readonly row: string;
  readonly company: string;
  readonly domain: string;
  /** Company in the request to the source: the domain, otherwise the name. Null for a row without a company. */
  readonly asked: string | null;
}

const header = 'row,company,domain';

/**
 * Generates a file in which about one row in ten repeats an earlier company in another spelling and one in forty names none; the
 * others name a company by domain, by name, or by both. The same seed gives the same file.
 */
export function listCompanies(rows: number, seed: string): readonly ListedRow[] {
  const random = numbersOf(`list|${seed}`);
  const listed: ListedRow[] = [];
  for (let n = 1; n <= rows; n++) {
    const earlier = listed[random(Math.max(listed.length, 1))];
    const kind = random(40);
    if (kind === 0) listed.push({ row: `${n}`, ...nobody(random(2)) });
    else if (kind <= 4 && earlier !== undefined) listed.push({ ...again(earlier), row: `${n}` });
    else listed.push({ row: `${n}`, ...newcomer(n, random(3)) });
  }
  return listed;
}

/** Formats the rows as a CSV file. */
export function listFile(rows: readonly ListedRow[]): string {
  return [header, ...rows.map(({ row, company, domain }) => `${row},${company},${domain}`), ''].join('\n');
}

/** Distinct companies of the rows. */
export function companiesOf(rows: readonly ListedRow[]): readonly string[] {
  return [...new Set(rows.flatMap(({ asked }) => (asked === null ? [] : [asked])))];
}

function nobody(kind: number): Omit<ListedRow, 'row'> {
  return kind === 0
    ? { company: '-', domain: '', asked: null }
    : { company: '', domain: 'not a domain', asked: null };
}

function newcomer(n: number, kind: number): Omit<ListedRow, 'row'> {
  const domain = `company-${n}.com`;
  const company = `Works number ${n}`;
  if (kind === 0) return { company, domain: '', asked: company };
  return { company: kind === 1 ? company : '', domain, asked: domain };
}

function again({ company, domain, asked }: ListedRow): Omit<ListedRow, 'row'> {
  if (asked === domain && domain !== '') return { company, domain: `https://www.${domain}/about`, asked };
  return { company: company.toUpperCase(), domain, asked };
}
