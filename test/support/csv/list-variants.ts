import { gzipSync } from 'node:zlib';
import iconv from 'iconv-lite';
import type { ReadOptions } from '../../../src/producer/rows/read-companies.ts';
import { encodeText } from './company-files.ts';

/** Row of the list: company, website, city, revenue, e-mail address, note. */
export type ListRow = readonly string[];

/** A list as spreadsheets and people write it. */
export interface ListVariant {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Options without which the file cannot be read as it is meant. */
  readonly options?: Partial<ReadOptions>;
  /** Index of the only row that may be rejected. */
  readonly rejectedRow?: number;
  /** Index of the only row that may have a warning; `all` for every row. */
  readonly warnedRow?: number | 'all';
  /** Columns of the list that the file has. Default: all. */
  readonly columns?: number;
}

const listHeader: ListRow = ['Firma', 'Webseite', 'Ort', 'Umsatz', 'E-Mail', 'Notiz'];

const legalForms = ['GmbH', 'AG', 'e. K.', 'KG', 'OHG', 'SE'];
const owners = ['Müller', 'Böhm', 'Groß', 'Kranich', 'Jäger', 'Weiß', 'Öztürk', 'Lange', 'Schön', 'Zabel'];
const trades = ['Getränke', 'Möbel', 'Elektro', 'Bäckerei', 'Bürobedarf', 'Schuhe', 'Gärten', 'Uhren'];
const cities = ['Köln', 'Lübeck', 'Ulm', 'Gießen', 'Jena'];

/** 60 companies. Each row is its own: no two are equal. */
export const listRows: readonly ListRow[] = Array.from({ length: 60 }, (_, index) => {
  const of = (values: readonly string[]) => values[index % values.length] ?? '';
  const host = `firma${index}.de`;
  return [
    `${of(owners)} ${of(trades)} ${of(legalForms)}`,
    `https://www.${host}/`,
    of(cities),
    `${index + 1},5`,
    `info@${host}`,
    index % 3 === 0 ? `seit ${1950 + index}` : `Kunde ${index}`,
  ];
});

interface Writing {
  readonly delimiter?: string;
  readonly quote?: (cell: string, column: number) => boolean;
  readonly mark?: string;
  readonly escape?: string;
  readonly lineEnd?: string;
  readonly header?: ListRow;
}

function quoted(cell: string, mark: string, escape: string): string {
  return mark + cell.replaceAll(mark, escape + mark) + mark;
}

function lineOf(cells: ListRow, { delimiter = ';', mark = '"', escape = mark, ...writing }: Writing): string {
  const isQuoted = writing.quote ?? ((cell) => cell.includes(delimiter) || /["\r\n]/.test(cell));
  return cells
    .map((cell, column) => (isQuoted(cell, column) ? quoted(cell, mark, escape) : cell))
    .join(delimiter);
}

function write(writing: Writing = {}, rows: readonly ListRow[] = listRows): string {
  const { header = listHeader, lineEnd = '\r\n' } = writing;
  return [header, ...rows].map((cells) => lineOf(cells, writing) + lineEnd).join('');
}

/** Changes the lines of the list, header included, by their index. */
function changed(change: (line: string, index: number) => string, writing: Writing = {}): string {
  const lines = write({ lineEnd: '\n', ...writing })
    .trimEnd()
    .split('\n');
  return lines.map((line, index) => `${change(line, index)}\r\n`).join('');
}

const always = () => true;
const plain = write();

/** Replaces one cell of row 7 by text as it stands in the file. */
function withText(text: string, column: number): string {
  return changed((line, index) => {
    if (index !== 8) return line;
    const cells = line.split(';');
    cells[column] = text;
    return cells.join(';');
  });
}

const encodings: readonly ListVariant[] = [
  { name: 'UTF-8', content: plain },
  { name: 'UTF-8 with a mark', content: encodeText(plain, 'utf-8', true) },
  { name: 'UTF-16 with a mark', content: encodeText(plain, 'utf-16le', true) },
  { name: 'UTF-16 without a mark', content: encodeText(plain, 'utf-16le') },
  { name: 'UTF-16 big-endian', content: encodeText(plain, 'utf-16be', true) },
  { name: 'Windows-1252', content: encodeText(plain, 'windows-1252') },
  { name: 'MS-DOS, cp850', content: iconv.encode(plain, 'cp850'), options: { encoding: 'cp850' } },
  { name: 'MS-DOS, cp437', content: iconv.encode(plain, 'cp437'), options: { encoding: 'cp437' } },
  { name: 'old Macintosh', content: iconv.encode(plain, 'macintosh'), options: { encoding: 'macintosh' } },
  { name: 'gzip', content: gzipSync(plain) },
  {
    name: 'UTF-8 with a bad byte',
    content: Buffer.from(withText('B\u0000d', 5)).map((byte) => (byte === 0 ? 0xe9 : byte)),
    rejectedRow: 7,
  },
  { name: 'a NUL in a cell', content: withText('B\u0000d', 5), rejectedRow: 7 },
];

const forms: readonly ListVariant[] = [
  { name: 'commas', content: write({ delimiter: ',' }) },
  { name: 'commas, all cells quoted', content: write({ delimiter: ',', quote: always }) },
  { name: 'tabs', content: write({ delimiter: '\t' }) },
  { name: 'bars', content: write({ delimiter: '|' }) },
  {
    name: 'commas and blanks, texts quoted',
    content: write({ delimiter: ', ', quote: (_, column) => column !== 1 }),
  },
  { name: 'blanks, all cells quoted', content: write({ delimiter: ' ', quote: always }) },
  { name: 'two colons', content: write({ delimiter: '::' }), options: { delimiter: '::' } },
  { name: 'single quotes', content: write({ delimiter: ',', mark: "'", quote: always }) },
  { name: 'LF', content: write({ lineEnd: '\n' }) },
  { name: 'CR', content: write({ lineEnd: '\r' }) },
  { name: 'mixed line ends', content: changed((line, index) => (index % 2 === 0 ? line : `${line}\r`)) },
  { name: 'no last line end', content: plain.trimEnd() },
  { name: 'a blank line between rows', content: changed((line) => `${line}\r\n`) },
  { name: 'sep=;', content: `sep=;\r\n${plain}` },
  {
    name: 'quoted line ends',
    content: write(
      {},
      listRows.map((row) => row.with(5, `${row[5] ?? ''}\nalt`)),
    ),
  },
  {
    name: 'doubled quotes',
    content: write(
      {},
      listRows.map((row) => row.with(0, `${row[0] ?? ''} "Nord"`)),
    ),
  },
  {
    name: 'quotes after a backslash',
    content: write(
      { escape: '\\', quote: always },
      listRows.map((row) => row.with(0, `${row[0] ?? ''} "Nord"`)),
    ),
  },
  {
    name: 'semicolons in quoted cells',
    content: write(
      {},
      listRows.map((row) => row.with(5, 'alt; neu')),
    ),
  },
];

const shapes: readonly ListVariant[] = [
  { name: 'empty columns at the right', content: changed((line) => `${line};;;`) },
  {
    name: 'rows with one delimiter more',
    content: changed((line, index) => (index === 0 ? line : `${line};`)),
  },
  {
    name: 'rows without their empty cells at the end',
    content: changed((line, index) => (index % 3 === 1 ? line.slice(0, line.lastIndexOf(';')) : line)),
    warnedRow: 'all',
  },
  { name: 'blank rows', content: plain + ';;;;;\r\n'.repeat(20) },
  {
    name: 'blank rows between rows',
    content: changed((line, index) => (index % 9 === 3 ? `${line}\r\n; ;;;;` : line)),
  },
  { name: 'a title', content: `Firmenliste Stand 1. 3. 2024\r\n${plain}` },
  { name: 'a title with empty cells', content: `Firmenliste;;;;;\r\n;;;;;\r\n${plain}` },
  { name: 'notes', content: `Notes:\r\n"Exported, see ""help""."\r\n\r\n${plain}` },
  { name: 'lines to skip', content: `a;b;c;d;e;f\r\n${plain}`, options: { skipLines: 1 } },
  { name: 'a nameless index', content: changed((line, index) => `${index === 0 ? '' : index};${line}`) },
  { name: 'a repeated name', content: write({ header: listHeader.with(5, 'Ort') }) },
  { name: 'blanks around names', content: write({ header: listHeader.map((name) => ` ${name} `) }) },
  {
    name: '250 columns',
    content: changed((line, index) => line + `;${index === 0 ? 'x' : '1'}`.repeat(244)),
  },
  {
    name: 'a cell of 70 kB',
    content: write(
      {},
      listRows.map((row, index) => (index === 7 ? row.with(5, 'x'.repeat(70_000)) : row)),
    ),
  },
  { name: 'a download that was cut off', content: plain.slice(0, -11), warnedRow: 59 },
  { name: 'one column', content: write({}, listRows).replace(/;.*$/gm, ''), columns: 1 },
];

const mistakes: readonly ListVariant[] = [
  { name: 'an unquoted "name"', content: withText('Elektro "Blitz" GmbH', 0), warnedRow: 7 },
  { name: 'a "name" in a quoted cell', content: withText('"Café "Zur Post""', 0), warnedRow: 7 },
  { name: 'a formula', content: withText('=HYPERLINK("https://firma7.de")', 5), warnedRow: 7 },
  { name: 'a quote that is never closed', content: withText('"Böhm Uhren', 0), warnedRow: 7 },
  { name: 'a quote at the end', content: withText('Zoll 17"', 5), warnedRow: 7 },
  { name: 'a delimiter too many', content: withText('alt;neu', 5), rejectedRow: 7 },
  {
    name: 'a delimiter missing',
    content: changed((line, index) => (index === 8 ? line.replace(';', ' ') : line)),
    rejectedRow: 7,
  },
  {
    name: 'a row of text',
    content: changed((line, index) => (index === 8 ? 'siehe "Anhang"' : line)),
    rejectedRow: 7,
  },
];

/** The list in 54 variants. */
export const listVariants: readonly ListVariant[] = [...encodings, ...forms, ...shapes, ...mistakes];
