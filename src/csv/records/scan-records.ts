import { lineEndsWithin } from '../line-counter.ts';
import { readByRules, type RuleReading } from './read-by-rules.ts';
import { readLeniently, repairLine } from './repair-line.ts';
import type { RecordForm } from './record-form.ts';

/**
 * Reading of a record. `rules`: RFC 4180. `repaired`: misplaced quotes were read as text, and the record has the usual number of cells.
 * `stray` and `unclosed`: a line that cannot be read so, because of a misplaced quote or a quote that is never closed; its cells are a guess.
 */
export type Reading = 'rules' | 'repaired' | 'stray' | 'unclosed';

/** Record of a CSV file. */
export interface ScannedRecord {
  /** Line of the file where the record starts, from 1. */
  readonly lineNo: number;
  /** Line of the file where the record ends. */
  readonly lastLineNo: number;
  readonly cells: string[];
  readonly reading: Reading;
}

/** Options of a scanner. */
export interface ScanOptions {
  readonly form: RecordForm;
  /** Number of cells that a repaired record must have; null: unknown, so that no line is repaired. */
  readonly width: number | null;
  /** Line of the file where the text starts. */
  readonly firstLineNo: number;
  /** Maximum length of a line, and of the text in which a closing quote is searched, in UTF-16 code units. */
  readonly charsMax: number;
  /** Called with each record, in order. */
  readonly onRecord: (record: ScannedRecord) => void;
  /** Called with the number of a line beyond the maximum length. Must throw. */
  readonly onTooLong: (lineNo: number) => never;
}

/** Scanner that splits text to records. */
export interface RecordScanner {
  /** Adds the next chunk of text, cut anywhere. */
  readonly write: (chunk: string) => void;
  /** Ends the text. */
  readonly end: () => void;
}

/**
 * Creates a scanner of CSV text. Records end with LF, CR LF or CR, in any mixture; blank lines are skipped, but counted.
 *
 * A misplaced quote costs at most its own line: the scanner continues with the next one. The records do not depend on the chunks.
 */
export function createRecordScanner(options: ScanOptions): RecordScanner {
  const { form, width, charsMax, onRecord, onTooLong } = options;
  let text = '';
  let at = 0;
  let lineNo = options.firstLineNo;
  /** Length of the text from which on it is worth to scan again. */
  let wanted = 0;
  let isEnded = false;
  const lineEnds = createFinder(['\n', '\r']);
  const quotes = createFinder([form.quote]);

  function write(chunk: string): void {
    text += chunk;
    if (text.length < wanted) return;
    wanted = 0;
    scan();
    text = text.slice(at);
    wanted = Math.max(0, wanted - at);
    at = 0;
    lineEnds.reset();
    quotes.reset();
  }

  function end(): void {
    isEnded = true;
    scan();
  }

  function scan(): void {
    while (at < text.length) {
      const stop = Math.min(lineEnds.next(text, at), text.length);
      if (stop - at > charsMax) onTooLong(lineNo);
      if (!isEnded && (stop === text.length || isHalf(stop))) return;
      if (stop === at) moveBehind(stop, 1);
      else if (quotes.next(text, at) >= stop) take(text.slice(at, stop).split(form.delimiter), 'rules', stop);
      else if (!scanQuoted(stop)) return;
    }
  }

  /** True for a CR at the end of the text so far, which can be the first half of CR LF. */
  function isHalf(lineEnd: number): boolean {
    return !isEnded && lineEnd === text.length - 1 && text[lineEnd] === '\r';
  }

  /** Scans the record at a line with a quote, which ends at `stop`; false when it needs more text. */
  function scanQuoted(stop: number): boolean {
    const length = text.length - at;
    const span = { start: at, end: at + Math.min(length, charsMax), isLast: isEnded && length <= charsMax };
    const reading = readByRules(text, span, form);
    if (reading.kind === 'record' && isHalf(reading.end)) return false;
    if (reading.kind === 'open' && !isEnded && length < charsMax) {
      // Twice as much each time: a long record is not read again with every chunk.
      wanted = at + Math.min(2 * length, charsMax);
      return false;
    }
    if (reading.kind === 'record' && isSound(reading, stop)) take(reading.cells, 'rules', reading.end);
    else repair(stop, reading.kind === 'open' ? 'unclosed' : 'stray');
    return true;
  }

  /**
   * False for a record of several lines with an unusual number of cells, if its second line alone has the usual number: its opening quote
   * is a misplaced one.
   */
  function isSound(reading: RuleReading & { readonly kind: 'record' }, stop: number): boolean {
    if (width === null || reading.end === stop || reading.cells.length === width) return true;
    const start = afterLineEnd(text, stop);
    const second = /^[^\r\n]*/.exec(text.slice(start, reading.end))?.[0] ?? '';
    const alone = readByRules(second, { start: 0, end: second.length, isLast: true }, form);
    return alone.kind !== 'record' || alone.cells.length !== width;
  }

  function repair(stop: number, kind: 'stray' | 'unclosed'): void {
    const line = text.slice(at, stop);
    const cells = width === null ? null : repairLine(line, width, form);
    if (cells === null) take(readLeniently(line, form), kind, stop);
    else take(cells, 'repaired', stop);
  }

  /** Passes on the record that ends at `stop`, and continues after its line end. */
  function take(cells: string[], reading: Reading, stop: number): void {
    const lastLineNo =
      stop <= lineEnds.next(text, at) ? lineNo : lineNo + lineEndsWithin(text.slice(at, stop));
    onRecord({ lineNo, lastLineNo, cells, reading });
    moveBehind(stop, lastLineNo + 1 - lineNo);
  }

  function moveBehind(stop: number, lines: number): void {
    at = afterLineEnd(text, stop);
    lineNo += lines;
  }

  return { write, end };
}

/** Returns the position after a line end, or the end of the text. */
function afterLineEnd(text: string, stop: number): number {
  if (stop === text.length) return stop;
  return text.startsWith('\r\n', stop) ? stop + 2 : stop + 1;
}

/** Creates a finder of the next occurrence of any of the characters, which looks at each position of a text once per character. */
function createFinder(characters: readonly string[]) {
  const known = characters.map(() => -1);
  return {
    /** Returns the first occurrence at or after a position; Infinity without one. */
    next(text: string, from: number): number {
      let first = Infinity;
      for (let index = 0; index < characters.length; index += 1) {
        let position = known[index] ?? -1;
        if (position < from) {
          position = text.indexOf(characters[index] ?? '', from);
          if (position === -1) position = Infinity;
          known[index] = position;
        }
        if (position < first) first = position;
      }
      return first;
    },
    reset: () => void known.fill(-1),
  };
}
