import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { ReadOptions } from '../../../src/producer/rows/read-companies.ts';
import { encodeText, type TextEncoding } from './company-files.ts';
import { flaws, headers, tables, type Flaw, type Header } from './table-parts.ts';

/** Format of a written table. */
interface Writing {
  readonly delimiter: string;
  readonly encoding: TextEncoding;
  readonly mark: boolean;
  readonly gzip: boolean;
  /** True when a `sep=` line comes first. */
  readonly sepLine: boolean;
  /** Line ends, used in turn. */
  readonly lineEnds: readonly string[];
  /** True for cells that get quotes without need, used in turn. */
  readonly quotes: readonly boolean[];
  /** Number of blank lines before a record, used in turn. */
  readonly blanks: readonly number[];
  readonly lastLineEnd: boolean;
}

/** A table, the file it was written to, and what must come of reading it. */
export interface WrittenTable {
  readonly writing: Writing;
  readonly content: Buffer;
  /** Options for the file that the content alone does not show. */
  readonly options: Pick<ReadOptions, 'encoding' | 'delimiter' | 'map' | 'limits'>;
  readonly header: readonly string[];
  readonly table: readonly (readonly string[])[];
  /** The line on which each row starts. */
  readonly lineNos: readonly number[];
  /** Null when the file can be read; else the line for which it must be refused. */
  readonly badLineNo: number | null;
  /** True when the last row has a misplaced quote. */
  readonly isFlawed: boolean;
}

const writings = fc.record<Writing>({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  encoding: fc.constantFrom('utf-8', 'utf-16le', 'utf-16be', 'windows-1252'),
  mark: fc.boolean(),
  gzip: fc.boolean(),
  sepLine: fc.constantFrom(false, false, false, true),
  lineEnds: fc.array(fc.constantFrom('\n', '\r\n', '\r'), { minLength: 1, maxLength: 4 }),
  quotes: fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
  blanks: fc.array(fc.constantFrom(0, 0, 0, 1, 2), { minLength: 1, maxLength: 5 }),
  lastLineEnd: fc.boolean(),
});

/** Tables of all kinds, in random dialects and encodings; one in seven is refused or has a misplaced quote. */
export const writtenTables: fc.Arbitrary<WrittenTable> = fc
  .tuple(writings, headers, flaws)
  .chain(([writing, header, flaw]) =>
    tables(writing.encoding)
      .filter(isText)
      .map((table) => writeTable({ writing, header, table, flaw })),
  );

/** False for a table with so many NULs that its file is not a text file. */
function isText(table: readonly (readonly string[])[]): boolean {
  const text = table.flat().join();
  const nuls = text.split('\0').length - 1;
  return nuls < 8 || nuls < text.length / 30;
}

interface Sheet {
  readonly writing: Writing;
  readonly header: Header;
  readonly table: readonly (readonly string[])[];
  readonly flaw: Flaw | null;
}

function writeTable({ writing, header, table, flaw }: Sheet): WrittenTable {
  const { text, lineNos } = writeText({ writing, header, table, flaw });
  const bytes = encodeText(text, writing.encoding, writing.mark);
  return {
    writing,
    content: writing.gzip ? gzipSync(bytes) : bytes,
    options: {
      map: header.map,
      limits: { recordBytesMax },
      // A misplaced quote in one of two records can hide the delimiter.
      ...(flaw === null ? {} : { delimiter: writing.delimiter }),
      ...(showsItsEncoding(writing, table) ? {} : { encoding: writing.encoding }),
    },
    header: header.columns,
    table,
    lineNos: lineNos.slice(1),
    badLineNo: badLineOf({ header, table }, lineNos),
    isFlawed: flaw !== null && table.length > 0,
  };
}

/** The header is looked at before anything else. */
function badLineOf(
  { header, table }: Pick<Sheet, 'header' | 'table'>,
  lineNos: readonly number[],
): number | null {
  const badRecord = [...table.keys()].find((row) => isTooLarge(table[row] ?? []));
  if (!header.isUsable) return lineNos[0] ?? null;
  return badRecord === undefined ? null : (lineNos[badRecord + 1] ?? null);
}

/** Without a mark, a handful of letters may not show in which encoding they are; zero bytes look like UTF-16. */
function showsItsEncoding({ encoding, mark }: Writing, table: Sheet['table']): boolean {
  if (mark && encoding !== 'windows-1252') return true;
  return encoding === 'utf-8' && !table.some((row) => row.some((cell) => cell.includes('\0')));
}

/** Limit of these files, below the default so that they stay small. */
const recordBytesMax = 64 * 1024;

/** A record counts as UTF-8, with its separators and without its quotes. */
function isTooLarge(row: readonly string[]): boolean {
  return Buffer.byteLength(row.join(',')) > recordBytesMax;
}

/** The whole text, and the line on which each record starts, the header's first. */
function writeText({ writing, header, table, flaw }: Sheet): { text: string; lineNos: readonly number[] } {
  const turn = cycleValues();
  const lineNos: number[] = [];
  let lineNo = 1;
  let text = '';
  const endLine = () => {
    const end = turn('ends', writing.lineEnds);
    // A LF after a CR would not end another line.
    text += end === '\n' && text.endsWith('\r') ? '\r' : end;
    lineNo += 1;
  };
  if (writing.sepLine) {
    text = `sep=${writing.delimiter}`;
    endLine();
  }
  for (const [index, record] of [header.names, ...table].entries()) {
    for (let blanks = turn('blanks', writing.blanks); blanks > 0; blanks -= 1) endLine();
    lineNos.push(lineNo);
    const cells = record.map((cell) => writeCell(cell, record, turn('quotes', writing.quotes), writing));
    const written = index > 0 && index === table.length && flaw !== null ? [...cells, flaw] : cells;
    const line = written.join(writing.delimiter);
    text += line;
    lineNo += line.split(/\r\n|\n|\r/).length - 1;
    endLine();
  }
  return { text: writing.lastLineEnd ? text : text.replace(/(?:\r\n|\n|\r)$/, ''), lineNos };
}

/** Quotes are due where the text has a separator, a quote or a line end, and where a row would be a blank line without. */
function writeCell(cell: string, record: readonly string[], quote: boolean, { delimiter }: Writing): string {
  const blank = cell === '' && record.length === 1;
  const due = quote || blank || /["\r\n]/.test(cell) || cell.includes(delimiter);
  return due ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function cycleValues(): <T>(name: string, values: readonly T[]) => T {
  const turns = new Map<string, number>();
  return (name, values) => {
    const index = turns.get(name) ?? 0;
    turns.set(name, index + 1);
    const value = values[index % values.length];
    if (value === undefined) throw new Error(`nothing to take for ${name}`);
    return value;
  };
}
