import type { RecordForm } from './record-form.ts';
import { createRecordScanner, type ScannedRecord } from './scan-records.ts';

/** First records of a text, read in one form. */
export interface RecordSample {
  readonly form: RecordForm;
  /** Records with content. */
  readonly records: readonly ScannedRecord[];
  /** Cells of the first record. */
  readonly first: readonly string[];
  /** Index of the first record with at least half as many filled cells as usual. */
  readonly header: number;
  /** Usual number of cells. */
  readonly width: number;
  /** Share of the records from `header` on that have the usual number of cells. Damaged ones with another number do not count. */
  readonly share: number;
  /** Share of the records that are read by the rules. */
  readonly ruled: number;
}

const recordsMax = 100;
const chunkChars = 8 * 1024;

/** Reads the first 100 records of a text; `isWhole`: the text is not cut off. */
export function sampleRecords(text: string, form: RecordForm, isWhole: boolean): RecordSample {
  const records = firstRecords(text, form, isWhole).filter(({ cells }) => cells.some(isFilled));
  const ruled = records.filter(({ reading }) => reading === 'rules');
  const usual = mostFrequent((ruled.length > 0 ? ruled : records).map(({ cells }) => cells.length));
  const filled = records.map(({ cells }) => cells.filter(isFilled).length);
  const usuallyFilled = filled.toSorted((one, other) => one - other)[Math.floor(filled.length / 2)] ?? 0;
  const header = Math.max(
    0,
    filled.findIndex((count) => count >= usuallyFilled / 2),
  );
  const table = records.slice(header);
  // Lines of one cell under a wider header are damaged ones, or text below the table.
  const width = usual > 1 ? usual : (records[header]?.cells.length ?? 0);
  return {
    form,
    records,
    first: records[0]?.cells ?? [],
    header,
    width,
    share: shareOf(table, width),
    ruled: ruled.length / Math.max(1, records.length),
  };
}

function firstRecords(text: string, form: RecordForm, isWhole: boolean): readonly ScannedRecord[] {
  const records: ScannedRecord[] = [];
  const scanner = createRecordScanner({
    form,
    width: null,
    firstLineNo: 1,
    charsMax: text.length,
    onRecord: (record) => void records.push(record),
    onTooLong: () => {
      throw new RangeError('a line is longer than its text');
    },
  });
  for (let start = 0; start < text.length && records.length < recordsMax; start += chunkChars)
    scanner.write(text.slice(start, start + chunkChars));
  // The last record of a text that is cut off is not whole, but better than none.
  if (records.length < recordsMax && (isWhole || records.length === 0)) scanner.end();
  return records.slice(0, recordsMax);
}

function shareOf(table: readonly ScannedRecord[], width: number): number {
  const usual = table.filter(({ cells }) => cells.length === width).length;
  const others = table.filter(({ cells, reading }) => reading === 'rules' && cells.length !== width).length;
  return usual / Math.max(1, usual + others);
}

function isFilled(cell: string): boolean {
  return cell.trim() !== '';
}

/** Returns the most frequent number, of several the first; 0 without any. */
function mostFrequent(numbers: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
  return most?.[0] ?? 0;
}
