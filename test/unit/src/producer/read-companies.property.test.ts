import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ValidationError } from '../../../../src/core/errors.ts';
import { encodeText, readContent } from '../../../support/company-files.ts';
import type { TextEncoding } from '../../../support/company-files.ts';

const runs = { numRuns: 1_000 };

/** How a table is written down. */
interface Writing {
  readonly delimiter: string;
  readonly encoding: TextEncoding;
  readonly mark: boolean;
  readonly gzip: boolean;
  /** Line ends, used in turn. */
  readonly lineEnds: readonly string[];
  /** Whether a cell that needs no quotes gets them, used in turn. */
  readonly quotes: readonly boolean[];
  /** How many blank lines stand before a record, used in turn. */
  readonly blanks: readonly number[];
  readonly lastLineEnd: boolean;
  readonly pieceBytes: number;
}

const writings = fc.record<Writing>({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  encoding: fc.constantFrom('utf-8', 'utf-16le', 'utf-16be', 'windows-1252'),
  mark: fc.boolean(),
  gzip: fc.boolean(),
  lineEnds: fc.array(fc.constantFrom('\n', '\r\n', '\r'), { minLength: 1, maxLength: 4 }),
  quotes: fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
  blanks: fc.array(fc.constantFrom(0, 0, 0, 1, 2), { minLength: 1, maxLength: 5 }),
  lastLineEnd: fc.boolean(),
  pieceBytes: fc.integer({ min: 1, max: 200 }),
});

/** Characters that matter to a CSV reader, and letters of one to four bytes; without the last ones in Windows-1252. */
const characters = [
  'a',
  'Z',
  '0',
  ' ',
  ',',
  ';',
  '\t',
  '|',
  '"',
  '\n',
  '\r',
  '\r\n',
  "'",
  '=',
  'é',
  'ß',
  '–',
  '€',
];
const wide = ['я', '漢', '😀', '\u2028'];

function cells(encoding: TextEncoding): fc.Arbitrary<string> {
  const units = encoding === 'windows-1252' ? characters : [...characters, ...wide];
  return fc.string({ unit: fc.constantFrom(...units), maxLength: 12 });
}

/** Rows of any number of cells; a row has at least one. */
function tables(encoding: TextEncoding): fc.Arbitrary<string[][]> {
  return fc.array(fc.array(cells(encoding), { minLength: 1, maxLength: 5 }), { maxLength: 12 });
}

const written = writings.chain((writing) =>
  tables(writing.encoding).map((table) => ({ writing, table, ...write(table, writing) })),
);

/** The file, and the line on which each row starts. */
function write(
  table: readonly (readonly string[])[],
  writing: Writing,
): { content: Buffer; lineNos: number[] } {
  const turn = takeInTurn();
  const lineNos: number[] = [];
  let text = '';
  for (const record of [['company', 'b', 'c'], ...table]) {
    const blanks = turn('blanks', writing.blanks);
    for (let blank = 0; blank < blanks; blank += 1) text = endLine(text, turn('ends', writing.lineEnds));
    lineNos.push(text.split(/\r\n|\n|\r/).length);
    const cells = record.map((cell) => writeCell(cell, record, turn('quotes', writing.quotes), writing));
    text = endLine(text + cells.join(writing.delimiter), turn('ends', writing.lineEnds));
  }
  const whole = writing.lastLineEnd ? text : text.replace(/(?:\r\n|\n|\r)$/, '');
  const bytes = encodeText(whole, writing.encoding, writing.mark);
  return { content: writing.gzip ? gzipSync(bytes) : bytes, lineNos: lineNos.slice(1) };
}

/** A LF after a CR would not end another line. */
function endLine(text: string, end: string): string {
  return text + (end === '\n' && text.endsWith('\r') ? '\r' : end);
}

/** Quotes are due where the text has a separator, a quote or a line end, and where a row would be a blank line without. */
function writeCell(cell: string, record: readonly string[], quote: boolean, { delimiter }: Writing): string {
  const blank = cell === '' && record.length === 1;
  const due = quote || blank || /["\r\n]/.test(cell) || cell.includes(delimiter);
  return due ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function takeInTurn(): <T>(name: string, values: readonly T[]) => T {
  const turns = new Map<string, number>();
  return (name, values) => {
    const index = turns.get(name) ?? 0;
    turns.set(name, index + 1);
    const value = values[index % values.length];
    if (value === undefined) throw new Error(`nothing to take for ${name}`);
    return value;
  };
}

test('any table, however written and cut, is read back cell for cell and line for line', async () => {
  const property = fc.asyncProperty(written, async ({ writing, table, content, lineNos }) => {
    const { delimiter, encoding, pieceBytes } = writing;
    // Without a mark, a handful of letters may not show in which encoding they are.
    const named = encoding === 'utf-8' || (writing.mark && encoding !== 'windows-1252') ? {} : { encoding };
    const { file, rows } = await readContent(content, { ...named, pieceBytes });
    expect(rows.map((row) => row.cells)).toEqual(table);
    expect(rows.map((row) => row.lineNo)).toEqual(lineNos);
    expect(rows.map((row) => row.rowNo)).toEqual(table.map((_, index) => index + 1));
    expect(rows.map((row) => row.problem === null)).toEqual(table.map((cells) => cells.length === 3));
    expect(file.form).toMatchObject({ delimiter, encoding, compressed: writing.gzip });
  });
  await fc.assert(property, runs);
});

test('anything at all is either read the same, however cut, or refused with an error that names the file', async () => {
  const text = fc.constantFrom(
    'a',
    'b',
    ',',
    ',',
    '\n',
    '\n',
    '\r',
    '\r\n',
    '""',
    '"x\n"',
    ',"',
    '",',
    'é',
    ';',
    '\t',
    '\0',
  );
  const piece = fc.oneof(
    { weight: 60, arbitrary: text.map((part) => Buffer.from(part)) },
    { weight: 1, arbitrary: fc.nat(255).map((byte) => Buffer.from([byte])) },
  );
  const content = fc
    .array(piece, { maxLength: 60 })
    .map((pieces) => Buffer.concat([Buffer.from('company,b\n'), ...pieces]));
  const property = fc.asyncProperty(content, fc.integer({ min: 1, max: 9 }), async (bytes, pieceBytes) => {
    expect(await outcomeOf(bytes, pieceBytes)).toEqual(await outcomeOf(bytes, bytes.length));
  });
  await fc.assert(property, runs);
});

/** What came of reading, without the line where the cuts may decide which of two mistakes is met first. */
async function outcomeOf(bytes: Buffer, pieceBytes: number): Promise<unknown> {
  try {
    return (await readContent(bytes, { pieceBytes })).rows;
  } catch (error) {
    expect(error).toBeInstanceOf(ValidationError);
    expect(String(error)).toContain('list.csv');
    return 'refused';
  }
}
