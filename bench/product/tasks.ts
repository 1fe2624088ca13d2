import { z } from 'zod';

/** Tasks of a product process. One after the other; each answers when it is done. */
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
  z.object({ kind: z.literal('leads'), file: z.string(), seed: z.number() }),
  z.object({ kind: z.literal('prepare') }),
  z.object({ kind: z.literal('verify') }),
]);

export type Task = z.infer<typeof task>;

/** A task by its number. */
const order = z.object({ id: z.number(), task });

/** Reads what came over the channel between the processes. */
export function parseOrder(message: unknown): z.infer<typeof order> {
  return order.parse(message);
}

/** The answer to a task: its value, or what went wrong. */
const answer = z.object({ id: z.number(), value: z.unknown(), error: z.string().nullable() });

export function parseAnswer(message: unknown): z.infer<typeof answer> {
  return answer.parse(message);
}

/** Seconds of an enrichment by stage; `ads` is the export with one line per ad, null when none was asked for. */
export const enrichResult = z.object({
  batchId: z.number(),
  load: z.number(),
  work: z.number(),
  rows: z.number(),
  ads: z.number().nullable(),
  peakRssMb: z.number(),
});
export type EnrichResult = z.infer<typeof enrichResult>;

/** Result of reading a file alone. */
export const parseResult = z.object({ rows: z.number(), seconds: z.number(), peakRssMb: z.number() });
export type ParseResult = z.infer<typeof parseResult>;

/** Seconds of a list of leads by stage. */
export const leadsResult = z.object({
  batchId: z.number(),
  publicId: z.string(),
  load: z.number(),
  work: z.number(),
});
export type LeadsResult = z.infer<typeof leadsResult>;

/** Seconds that figures of charts, and blocks and facets, took. */
export const prepareResult = z.object({ charts: z.number(), index: z.number() });
export type PrepareResult = z.infer<typeof prepareResult>;

/** The findings of `verify`, in words; none when all invariants hold. */
export const verifyResult = z.object({ seconds: z.number(), findings: z.array(z.string()) });
