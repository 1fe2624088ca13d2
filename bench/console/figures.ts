import type { Machine } from '../support/machine.ts';

/** Milliseconds: median, and the percentiles above it. */
export interface Latencies {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

/** Duration of one request. */
export interface QuestionFigures {
  readonly name: string;
  /** Over HTTP, one request at a time, and several at a time. */
  readonly alone: Latencies;
  readonly together: Latencies;
  /** The same statements sent directly to Postgres, alternating with the requests. */
  readonly sql: Latencies;
  /** Maximum number of statements per request, without those for authentication. */
  readonly statements: number;
}

/** Time to load and finish a batch. */
export interface ListFigures {
  readonly rows: number;
  /** Seconds. */
  readonly load: number;
  readonly work: number;
  /** Time to prepare charts, and blocks and facets, after it finished. */
  readonly charts: number;
  readonly index: number;
  /** Bytes of tables with their indexes. */
  readonly bytes: Readonly<Record<string, number>>;
  /** Rows by outcome; ads; verdicts. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly ads: number;
  readonly verdicts: Readonly<Record<string, number>>;
}

/** All measurements. */
export interface ConsoleFigures {
  readonly machine: Machine;
  readonly list: ListFigures;
  readonly questions: readonly QuestionFigures[];
  /** Number of requests per query, one at a time and concurrently. */
  readonly requests: { readonly alone: number; readonly together: number };
}

/** Number of concurrent requests. */
export const askersTogether = 4;

/** Limit of the console's contract at the 95th percentile, in milliseconds. */
export const p95MsMax = 300;
