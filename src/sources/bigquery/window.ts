import { z } from 'zod';
import { readReply } from '../replies/wire-fields.ts';
import type { QueryRun } from './client.ts';
import { readCreatives, type Creative } from './creatives.ts';

/** A query's answer as one text: its pages put together, so that it can be kept and read again. */
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

/** @throws SourceUnreadable naming the row and the field. */
export function readRun(text: string): {
  readonly bytesBilled: bigint;
  readonly creatives: readonly Creative[];
} {
  const { bytes_billed: bytesBilled, rows } = readReply('bigquery', packed, text);
  return { bytesBilled, creatives: readCreatives(rows) };
}
