import type { ReportColumn } from './report-row.ts';
import { createObjectText } from './ndjson.ts';
import type { ReportWriter } from './report-writer.ts';

/** Writes one JSON array with an object per line, like NDJSON, so that line tools and diffs work on it too. */
export function createJsonWriter(columns: readonly ReportColumn[]): ReportWriter {
  const object = createObjectText(columns);
  let lead = '\n';
  return {
    head: '[',
    block: (lines) =>
      lines
        .map((cells) => {
          const text = lead + object(cells);
          lead = ',\n';
          return text;
        })
        .join(''),
    tail: '\n]\n',
  };
}
