import { unescapeCell, type RecordForm } from './record-form.ts';

/** Result of reading a record by the rules of RFC 4180. */
export type RuleReading =
  /** `end` is the position of its line end, or of the end of the text. */
  | { readonly kind: 'record'; readonly cells: string[]; readonly end: number }
  /** The text ends within the record. */
  | { readonly kind: 'open' }
  /** A closing quote is followed by neither a delimiter nor a line end, or an unquoted cell contains a quote. */
  | { readonly kind: 'broken' };

/** Part of a text in which a record is read. */
export interface RecordSpan {
  readonly start: number;
  /** Text from here on is not read. */
  readonly end: number;
  /** True when nothing follows: a record without a line end is complete. */
  readonly isLast: boolean;
}

const open: RuleReading = { kind: 'open' };
const broken: RuleReading = { kind: 'broken' };
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Reads the record at the start of the span, with its quoted line ends. */
export function readByRules(text: string, span: RecordSpan, form: RecordForm): RuleReading {
  const { delimiter, quote } = form;
  const cells: string[] = [];
  let at = span.start;
  for (;;) {
    const isQuoted = text.startsWith(quote, at) && at < span.end;
    const cellEnd = isQuoted ? findClosing(text, at + 1, span, form) : findPlainEnd(text, at, span, form);
    if (cellEnd === endless) return open;
    if (cellEnd === misplaced) return broken;
    cells.push(isQuoted ? unescapeCell(text.slice(at + 1, cellEnd), form) : text.slice(at, cellEnd));
    at = isQuoted ? cellEnd + 1 : cellEnd;
    if (at >= span.end) return span.isLast ? { kind: 'record', cells, end: span.end } : open;
    if (isLineEnd(text.charCodeAt(at))) return { kind: 'record', cells, end: at };
    if (!text.startsWith(delimiter, at)) return isCutOff(text, at, span, form) ? open : broken;
    at += delimiter.length;
  }
}

/** True for LF and CR, which end a line, alone or together. */
function isLineEnd(code: number): boolean {
  return code === lineFeed || code === carriageReturn;
}

const endless = -1;
const misplaced = -2;

/** Returns the position of the closing quote of a cell whose text begins at `from`. */
export function findClosing(
  text: string,
  from: number,
  span: RecordSpan,
  { quote, escape }: RecordForm,
): number {
  let at = from;
  for (;;) {
    const found = text.indexOf(quote, at);
    if (found === -1 || found >= span.end) return endless;
    if (escape !== quote) {
      if (!isEscaped(text, found, from, escape)) return found;
      at = found + 1;
      continue;
    }
    if (found + 1 >= span.end) return span.isLast ? found : endless;
    if (!text.startsWith(quote, found + 1)) return found;
    at = found + 2;
  }
}

/** True when an odd number of escape characters stands before the position. */
function isEscaped(text: string, at: number, from: number, escape: string): boolean {
  let before = at;
  while (before > from && text.startsWith(escape, before - 1)) before -= 1;
  return (at - before) % 2 === 1;
}

/** Returns the end of an unquoted cell. A single quote may stand within one: it is an apostrophe. */
function findPlainEnd(
  text: string,
  from: number,
  span: RecordSpan,
  { delimiter, quote }: RecordForm,
): number {
  const first = delimiter.charCodeAt(0);
  const forbidden = quote === "'" ? -1 : quote.charCodeAt(0);
  for (let at = from; at < span.end; at += 1) {
    const code = text.charCodeAt(at);
    if (isLineEnd(code) || (code === first && text.startsWith(delimiter, at))) return at;
    if (code === forbidden) return misplaced;
  }
  return span.end;
}

/** True when the text ends within what may be a delimiter. */
function isCutOff(text: string, at: number, span: RecordSpan, { delimiter }: RecordForm): boolean {
  return !span.isLast && span.end - at < delimiter.length && delimiter.startsWith(text.slice(at, span.end));
}
