import { z } from 'zod';
import { readReply } from '../replies/wire-fields.ts';
import type { QueryRun } from './client.ts';
import { readCreatives, type Creative } from './creatives.ts';

/** Packs the result of a query, all pages together, into one text that can be stored and parsed again. */
export async function packRun({ rows, bytesBilled }: QueryRun): Promise<string> {
  const all: unknown[] = [];
  for await (const page of rows) all.push(...page);
  return JSON.stringify({ bytes_billed: String(bytesBilled), rows: all });
}

const packed = z.object({
  bytes_billed: z
    .string()
    .regex(/^\d{1,18}$/)
    .transform(BigInt),
  rows: z.array(z.record(z.string(), z.unknown())),
});

/** @throws SourceUnreadable that names the row and the field. */
export function readRun(text: string): {
  readonly bytesBilled: bigint;
  readonly creatives: readonly Creative[];
} {
  const { bytes_billed: bytesBilled, rows } = readReply('bigquery', packed, text);
  return { bytesBilled, creatives: readCreatives(rows) };
}
