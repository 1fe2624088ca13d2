import { readZip } from './read-zip.ts';

/** A cell of a sheet as a spreadsheet parses it. */
export interface ReadCell {
  readonly value: string | number | boolean | null;
  /** Number format of the cell; null: general. */
  readonly format: string | null;
  readonly isBold: boolean;
}

/** The first sheet of a workbook, parsed from the XML by ECMA-376, independently of the writer. */
export interface ReadSheet {
  readonly rows: readonly (readonly ReadCell[])[];
  /** Lines below the header; dates and times are text again, by the formats of their cells. */
  readonly lines: readonly (readonly ReadCell['value'][])[];
  readonly names: readonly ReadCell['value'][];
  /** Number of frozen rows. */
  readonly frozenRows: number;
  readonly widths: readonly number[];
  /** All files of the workbook as text, by name. */
  readonly files: ReadonlyMap<string, string>;
}

/** @throws Error for XML with an invalid character, and for a cell of an unknown type. */
export function readXlsx(workbook: Buffer): ReadSheet {
  const files = new Map(readZip(workbook).map(({ name, bytes }) => [name, bytes.toString('utf8')]));
  for (const [name, text] of files) expectXml(name, text);
  const sheet = files.get('xl/worksheets/sheet1.xml') ?? '';
  const strings = elements(files.get('xl/sharedStrings.xml') ?? '', 'si').map((item) =>
    elements(item.inner, 't')
      .map(({ inner }) => decoded(inner))
      .join(''),
  );
  const styles = readStyles(files.get('xl/styles.xml') ?? '');
  const rows = elements(sheet, 'row').map(({ inner }) => readRow(inner, strings, styles));
  const width = Math.max(...rows.map((row) => row.length));
  const lines = rows
    .slice(1)
    .map((row) => Array.from({ length: width }, (_, index) => shown(row[index] ?? nothing)));
  return {
    rows,
    lines,
    names: (rows[0] ?? []).map(({ value }) => value),
    frozenRows: Number(attribute(elements(sheet, 'pane')[0]?.tag ?? '', 'ySplit') ?? 0),
    widths: elements(sheet, 'col').map(({ tag }) => Number(attribute(tag, 'width'))),
    files,
  };
}

const nothing: ReadCell = { value: null, format: null, isBold: false };

type Style = Pick<ReadCell, 'format' | 'isBold'>;

function readRow(xml: string, strings: readonly string[], styles: readonly Style[]): readonly ReadCell[] {
  const row: ReadCell[] = [];
  for (const { tag, inner } of elements(xml, 'c')) {
    const column = columnOf(attribute(tag, 'r') ?? '');
    while (row.length < column) row.push(nothing);
    const style = styles[Number(attribute(tag, 's') ?? 0)];
    row.push({
      value: valueOf(attribute(tag, 't') ?? 'n', elements(inner, 'v')[0]?.inner ?? null, strings),
      format: style?.format ?? null,
      isBold: style?.isBold ?? false,
    });
  }
  return row;
}

function valueOf(type: string, text: string | null, strings: readonly string[]): ReadCell['value'] {
  if (text === null) return null;
  if (type === 's') return strings[Number(text)] ?? null;
  if (type === 'b') return text === '1';
  if (type === 'n') return Number(text);
  throw new Error(`a cell of the type ${type}`);
}

/** `AB7` → 27. */
function columnOf(address: string): number {
  const letters = /^[A-Z]+/.exec(address)?.[0] ?? '';
  return [...letters].reduce((column, letter) => 26 * column + letter.charCodeAt(0) - 64, 0) - 1;
}

function readStyles(xml: string): readonly Style[] {
  const formats = new Map(
    elements(xml, 'numFmt').map(({ tag }) => [attribute(tag, 'numFmtId'), attribute(tag, 'formatCode')]),
  );
  const fonts = elements(xml, 'font').map(({ inner }) => inner.includes('<b/>'));
  return elements(elements(xml, 'cellXfs')[0]?.inner ?? '', 'xf').map(({ tag }) => ({
    format: formats.get(attribute(tag, 'numFmtId')) ?? null,
    isBold: fonts[Number(attribute(tag, 'fontId') ?? 0)] ?? false,
  }));
}

/** Days since 1899-12-30: this gives the dates of Excel's calendar from 1 March 1900 on. */
function shown({ value, format }: ReadCell): ReadCell['value'] {
  if (typeof value !== 'number' || format?.startsWith('yyyy') !== true) return value;
  const text = new Date(Math.round((value - 25_569) * 86_400_000)).toISOString();
  return format.includes('hh') ? text : text.slice(0, 10);
}

interface Element {
  readonly tag: string;
  readonly inner: string;
}

/** Elements of a name, none of which contains another of this name. */
function elements(xml: string, name: string): readonly Element[] {
  const pattern = new RegExp(`<${name}(?=[ />])([^>]*?)(?:/>|>([\\s\\S]*?)</${name}>)`, 'g');
  return [...xml.matchAll(pattern)].map(([, tag = '', inner = '']) => ({ tag, inner }));
}

function attribute(tag: string, name: string): string | null {
  const text = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
  return text === undefined ? null : unescaped(text);
}

/** Decodes a text like a parser and then a spreadsheet: XML line ends, entities, and escapes such as `_x000B_`. */
function decoded(text: string): string {
  return unescaped(text.replaceAll(/\r\n?/g, '\n')).replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, unit: string) =>
    String.fromCharCode(Number.parseInt(unit, 16)),
  );
}

function unescaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
  return text.replaceAll(/&(\w+);/g, (entity, name: string) => entities[name] ?? entity);
}

/** XML 1.0 §2.2: the characters that a document may contain. */
function expectXml(name: string, text: string): void {
  const stray = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.exec(text);
  if (stray !== null) throw new Error(`${name} holds ${JSON.stringify(stray[0])}`);
}
