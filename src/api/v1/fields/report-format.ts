import { Writable } from 'node:stream';
import { z } from '@hono/zod-openapi';
import type { ReportFormat } from '../../../reporter/formats/report-format.ts';
import { createConcurrencyLimiter } from '../../http/concurrency-limiter.ts';

const mediaTypes = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
  parquet: 'application/vnd.apache.parquet',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const satisfies Record<ReportFormat, string>;

const text = { schema: z.string() };
const bytes = { schema: z.string().openapi({ format: 'binary' }) };

/** Contents of a response with a report, by media type. */
export const reportContents = {
  [mediaTypes.csv]: text,
  [mediaTypes.ndjson]: text,
  [mediaTypes.json]: { schema: z.unknown() },
  [mediaTypes.parquet]: bytes,
  [mediaTypes.xlsx]: bytes,
};

/** Value of `Content-Type` for a report. */
export function contentTypeOf(format: ReportFormat): string {
  return `${mediaTypes[format]}${format === 'csv' ? '; charset=utf-8' : ''}`;
}

/** Slots for workbooks, one for all routes of the process: each workbook is in memory completely. */
export const workbooks = createConcurrencyLimiter({
  total: 1,
  perAccount: 1,
  waitingPerAccount: 10,
  what: 'workbooks',
});

/** Collects the output in one buffer. */
export async function collectOutput(
  write: (target: Writable) => Promise<unknown>,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  const target = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  await write(target);
  return Buffer.concat(chunks);
}
