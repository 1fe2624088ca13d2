import fc from 'fast-check';
import type { TextEncoding } from './company-files.ts';

/** The first record of a file. */
export interface Header {
  readonly names: readonly string[];
  /** The names that its columns get. */
  readonly columns: readonly string[];
  /** True when a file may contain it. */
  readonly isUsable: boolean;
  /** Settles the column of domains, which the values would be asked for otherwise. */
  readonly map: Readonly<Record<string, string>>;
}

/** Most are good, some of them strange; the others repeat a name, leave one out or name no company. */
export const headers: fc.Arbitrary<Header> = fc.oneof(
  { weight: 12, arbitrary: fc.constant(usable('company', 'b', 'c')) },
  { weight: 2, arbitrary: fc.constant(usable('__proto__', 'Company Name', 'constructor')) },
  { weight: 1, arbitrary: fc.constant(usable('a "quoted", name', 'toString', 'domain')) },
  {
    weight: 1,
    arbitrary: fc.constant({ ...usable('company', 'b', 'b'), columns: ['company', 'b', 'b_2'] }),
  },
  {
    weight: 1,
    arbitrary: fc.constant({ ...usable('company', '', 'c'), columns: ['company', 'column_2', 'c'] }),
  },
  { weight: 1, arbitrary: fc.constant({ ...usable('note', 'logo', 'id'), isUsable: false }) },
);

/** Text that no CSV may have, as a further cell of the last row. */
export type Flaw = '"never closed' | 'a"b' | '"closed"early';

export const flaws: fc.Arbitrary<Flaw | null> = fc.oneof(
  { weight: 9, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom<Flaw>('"never closed', 'a"b', '"closed"early') },
);

/** Characters that matter to a CSV reader, and letters of one to four bytes. */
const characters = 'aZ0 ,;\t|"\n\r\'=éß–€'.split('').concat('\r\n');
const wide = ['я', '漢', '😀', '\u2028', '\ufeff'];
const loneSurrogates = ['\ud83d', '\udc4d'];

/** Rows of mostly three cells; now and then there are thousands, a field of about 64 KiB, or a company. */
export function tables(encoding: TextEncoding): fc.Arbitrary<readonly (readonly string[])[]> {
  const three = fc.array(cells(encoding), { minLength: 3, maxLength: 3 });
  // A quoted line end in a row of another width is read as a mistake, where the next line is a row.
  const others = fc
    .array(cells(encoding), { minLength: 1, maxLength: 5 })
    .map((row) => row.map((cell) => cell.replace(/[\r\n]/g, ' ')));
  const rows = fc.oneof({ weight: 5, arbitrary: three }, { weight: 1, arbitrary: others });
  return fc.oneof(
    { weight: 120, arbitrary: fc.array(rows, { maxLength: 12 }) },
    { weight: 1, arbitrary: fc.tuple(rows, fc.integer({ min: 900, max: 2_100 })).map(repeated) },
    { weight: 1, arbitrary: fc.tuple(rows, hugeCells(encoding), rows).map(withHuge) },
  );
}

function cells(encoding: TextEncoding): fc.Arbitrary<string> {
  const text = fc.string({ unit: fc.constantFrom(...charactersOf(encoding)), maxLength: 12 });
  const company = fc.constantFrom('Acme', 'acme.com', 'https://www.acme.com/', '', '-', '127.0.0.1', '=1+1');
  const odd = fc.string({ unit: fc.constantFrom('a', '\0', '"', ...oddOf(encoding)), maxLength: 4 });
  return fc.oneof(
    { weight: 12, arbitrary: text },
    { weight: 4, arbitrary: company },
    { weight: 1, arbitrary: odd },
  );
}

function charactersOf(encoding: TextEncoding): readonly string[] {
  return encoding === 'windows-1252' ? characters : [...characters, ...wide];
}

/** UTF-16 alone can hold half a character. */
function oddOf(encoding: TextEncoding): readonly string[] {
  return encoding.startsWith('utf-16') ? loneSurrogates : [];
}

/** From just within the limit of 64 KiB to just beyond it, and far beyond. */
function hugeCells(encoding: TextEncoding): fc.Arbitrary<string> {
  const bytes = fc.oneof(fc.integer({ min: 65_520, max: 65_545 }), fc.integer({ min: 60_000, max: 140_000 }));
  const unit = encoding === 'windows-1252' ? fc.constantFrom('x', '"') : fc.constantFrom('x', '"', '漢');
  return fc.tuple(bytes, unit).map(([size, one]) => one.repeat(Math.floor(size / Buffer.byteLength(one))));
}

function withHuge([before, huge, after]: readonly [readonly string[], string, readonly string[]]) {
  return [before, [huge, 'b', 'c'], after];
}

/** Without NUL: a thousand of them are no text. */
function repeated([row, times]: readonly [readonly string[], number]) {
  const plain = row.map((cell) => cell.replaceAll('\0', ''));
  return Array.from({ length: times }, () => plain);
}

function usable(...names: readonly string[]): Header {
  const map = { company_domain: names.includes('domain') ? 'domain' : '' };
  return { names, columns: names, isUsable: true, map };
}
