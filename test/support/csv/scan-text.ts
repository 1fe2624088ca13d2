import { createRecordScanner, type ScannedRecord } from '../../../src/csv/records/scan-records.ts';
import type { RecordForm } from '../../../src/csv/records/record-form.ts';

interface Scan {
  readonly form?: RecordForm;
  /** Usual number of cells. Default: unknown. */
  readonly width?: number | null;
  readonly charsMax?: number;
  /** Sizes of the chunks, used in turn. Default: one chunk. */
  readonly sizes?: readonly number[];
}

/** A record of a scanned text; the last one of a text with a line that is too long is that line. */
export type Scanned =
  ScannedRecord | { readonly tooLongLineNo: number; readonly cells: []; readonly reading: null };

/** Form of RFC 4180. */
export const commaForm: RecordForm = { delimiter: ',', quote: '"', escape: '"' };

class LineTooLong extends Error {}

/** Scans a text in chunks. */
export function scanText(text: string, scan: Scan = {}): readonly Scanned[] {
  const { form = commaForm, width = null, charsMax = 2 ** 21, sizes = [text.length || 1] } = scan;
  const records: Scanned[] = [];
  const scanner = createRecordScanner({
    form,
    width,
    charsMax,
    firstLineNo: 1,
    onRecord: (record) => void records.push(record),
    onTooLong: (tooLongLineNo) => {
      records.push({ tooLongLineNo, cells: [], reading: null });
      throw new LineTooLong();
    },
  });
  try {
    for (let start = 0, turn = 0; start < text.length; turn += 1) {
      const size = sizes[turn % sizes.length] ?? 1;
      scanner.write(text.slice(start, start + size));
      start += size;
    }
    scanner.end();
  } catch (error) {
    if (!(error instanceof LineTooLong)) throw error;
  }
  return records;
}
