import { parseDomain } from '../../core/companies/domain.ts';
import { foldText } from '../../core/companies/fold-text.ts';
import { cellText } from '../../core/companies/placeholders.ts';
import { pageHostOf } from '../../core/companies/shared-hosts.ts';
import { givenNames } from './given-names.ts';

/** Kinds of cells, by their form alone. */
export const cellKinds = [
  'web_address',
  /** One user's page on a host that many share, a picture or a document. */
  'page',
  'email_address',
  /** An id of the Google Ads Transparency Center: `AR01234567890123456789`. */
  'advertiser_id',
  'phone_number',
  'date',
  'number',
  'text',
] as const;
export type CellKind = (typeof cellKinds)[number];

/** Evidence in the cells of one column of a sample. */
export interface ColumnValues {
  /** Rows of the sample. */
  readonly rows: number;
  /** Cells that are not empty. */
  readonly filled: number;
  readonly counts: Readonly<Record<CellKind, number>>;
  /** Distinct cells among those filled. */
  readonly distinct: number;
  /** Web addresses that name no page below the host. */
  readonly roots: number;
  /** Texts of two to four words of which the first, or the last, is a frequent given name. */
  readonly persons: number;
  /** Up to three distinct cells, cut off where they are long. */
  readonly examples: readonly string[];
}

/** Cells of one column: what kinds they are, without those that are empty or filled in with nothing. */
export function readValues(cells: readonly string[]): ColumnValues {
  const filled = cells.map(cellText).filter((cell) => cell !== '');
  const counts: Record<CellKind, number> = { ...noCounts };
  let roots = 0;
  let persons = 0;
  for (const cell of filled) {
    const kind = kindOfCell(cell);
    counts[kind] += 1;
    if (kind === 'web_address' && isRoot(cell)) roots += 1;
    if (kind === 'text' && isPerson(cell)) persons += 1;
  }
  const distinct = [...new Set(filled)];
  const examples = distinct.slice(0, examplesMax).map((cell) => shortened(cell));
  return {
    rows: cells.length,
    filled: filled.length,
    counts,
    distinct: distinct.length,
    roots,
    persons,
    examples,
  };
}

const noCounts: Readonly<Record<CellKind, number>> = {
  web_address: 0,
  page: 0,
  email_address: 0,
  advertiser_id: 0,
  phone_number: 0,
  date: 0,
  number: 0,
  text: 0,
};
const examplesMax = 3;
const exampleCharsMax = 100;
/** A longer cell is text, whatever it begins with. */
const cellCharsMax = 2_000;

/** The form of one cell that is not empty. */
function kindOfCell(cell: string): CellKind {
  if (cell.length > cellCharsMax) return 'text';
  if (/^[^\s@]+@[^\s@]+\.[^\s@.]+(?:\s*[,;|\s]\s*[^\s@]+@[^\s@]+)*$/.test(cell)) return 'email_address';
  if (/^AR\d{17,20}$/i.test(cell)) return 'advertiser_id';
  if (isDate(cell)) return 'date';
  if (/^[-+]?[\p{Sc}]?\s?\d[\d.,' \u00a0]*\s?(?:[%\p{Sc}]|[kmb]n?)?$/iu.test(cell))
    return isPhone(cell) ? 'phone_number' : 'number';
  if (isPhone(cell)) return 'phone_number';
  return webKindOf(cell) ?? 'text';
}

function webKindOf(cell: string): CellKind | null {
  if (/\s|@/.test(cell) || !cell.includes('.')) return null;
  const parsed = parseDomain(cell);
  if (parsed.kind !== 'domain') return null;
  if (pageHostOf(cell, parsed.domain) !== null || file.test(cell)) return 'page';
  return 'web_address';
}

const file = /\/[^?#]*\.(?:png|jpe?g|gif|svg|webp|ico|pdf|docx?|xlsx?|csv|zip|mp4|xml|json)(?:[?#]|$)/i;

function isDate(cell: string): boolean {
  return /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\s?\d{1,2}[-/.]\s?(?:\d{4}|\d{2}))(?:[T ,].*)?$/.test(
    cell,
  );
}

function isPhone(cell: string): boolean {
  if (!/^(?:tel\.?:?\s*)?[+(\d][\d\s()./\u00a0-]*$/i.test(cell)) return false;
  const digits = cell.replace(/\D/g, '').length;
  // A plain run of digits may as well be a number or an id.
  return (
    digits >= 7 &&
    digits <= 15 &&
    (/^\+|^0\d|^\(/.test(cell) || /\d[\s()/-]+\d/.test(cell)) &&
    !/^\d{1,3}(?:[.,\s]\d{3})+$/.test(cell)
  );
}

function isRoot(cell: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/)?[^/?#]+\/?$/i.test(cell);
}

function isPerson(cell: string): boolean {
  if (cell.length > 60 || /[\d&]/.test(cell)) return false;
  const words = foldText(cell).split(' ');
  if (words.length < 2 || words.length > 4) return false;
  return givenNames.has(words[0] ?? '') || (cell.includes(',') && givenNames.has(words[1] ?? ''));
}

function shortened(cell: string): string {
  return cell.slice(0, exampleCharsMax);
}
