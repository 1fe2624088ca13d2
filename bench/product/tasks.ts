import { z } from 'zod';

/** Tasks of a product process, run sequentially; each sends a reply when it is done. */
const task = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('enrich'), file: z.string(), rows: z.string(), ads: z.string().nullable() }),
  z.object({
    kind: z.literal('naive'),
    file: z.string(),
    rows: z.string(),
    url: z.string(),
    concurrency: z.number(),
  }),
  z.object({ kind: z.literal('parse'), file: z.string() }),
  z.object({ kind: z.literal('leads'), file: z.string(), seed: z.number(), hasFailures: z.boolean() }),
  z.object({ kind: z.literal('prepare') }),
  z.object({ kind: z.literal('scan'), schedule: z.string() }),
  z.object({ kind: z.literal('export'), batch: z.string(), target: z.string() }),
  z.object({
    kind: z.literal('land'),
    batch: z.string(),
    bucket: z.string(),
    endpoint: z.string(),
    key: z.object({ accessKeyId: z.string(), secretAccessKey: z.string() }),
  }),
  z.object({ kind: z.literal('verify'), isFull: z.boolean().optional() }),
]);

export type Task = z.infer<typeof task>;

/** A task with its number. */
const order = z.object({ id: z.number(), task });

/** Parses a message of the channel between the processes. */
export function parseOrder(message: unknown): z.infer<typeof order> {
  return order.parse(message);
}

/** Reply to a task: its value, or the error. */
const answer = z.object({ id: z.number(), value: z.unknown(), error: z.string().nullable() });

export function parseAnswer(message: unknown): z.infer<typeof answer> {
  return answer.parse(message);
}

/** Seconds of an enrichment by stage; `ads` is the export with one line per ad, null if there was none. */
export const enrichResult = z.object({
  batchId: z.number(),
  load: z.number(),
  work: z.number(),
  rows: z.number(),
  ads: z.number().nullable(),
  peakRssMb: z.number(),
});
export type EnrichResult = z.infer<typeof enrichResult>;

/** Result of parsing a file alone. */
export const parseResult = z.object({ rows: z.number(), seconds: z.number(), peakRssMb: z.number() });
export type ParseResult = z.infer<typeof parseResult>;

/** Seconds of a batch of leads by stage. */
export const leadsResult = z.object({
  batchId: z.number(),
  publicId: z.string(),
  load: z.number(),
  work: z.number(),
});
export type LeadsResult = z.infer<typeof leadsResult>;

/** Seconds for the data of charts, and for blocks and facets. */
export const prepareResult = z.object({ charts: z.number(), index: z.number() });
export type PrepareResult = z.infer<typeof prepareResult>;

/** Seconds of a scan from its request until its changes are known, and the changes that it reports. */
export const scanTaskResult = z.object({
  scanId: z.string(),
  seconds: z.number(),
  /** Seconds until its lookups are finished; the rest is the evaluation. */
  lookedUp: z.number(),
  changes: z.object({ new: z.number(), reactivated: z.number(), ended: z.number(), changed: z.number() }),
  peakRssMb: z.number(),
});
export type ScanTaskResult = z.infer<typeof scanTaskResult>;

/** Seconds of an export or a landing. */
export const outputResult = z.object({ seconds: z.number(), rows: z.number() });
export type OutputResult = z.infer<typeof outputResult>;

/** Findings of `verify` as text; none if all invariants hold. */
export const verifyResult = z.object({
  seconds: z.number(),
  findings: z.array(z.string()),
  /** Rows that were read, and those that an earlier run had proved (invariant 1). */
  rows: z.number(),
  proved: z.number(),
  peakRssMb: z.number(),
});
export type VerifyResult = z.infer<typeof verifyResult>;
