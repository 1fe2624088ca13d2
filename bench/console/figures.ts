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
  /** The same statements straight to Postgres, in turns with the requests. */
  readonly sql: Latencies;
  /** Statements of a request, those left out that know who asks; the most of any. */
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
  /** Rows by what they came to; ads; verdicts. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly ads: number;
  readonly verdicts: Readonly<Record<string, number>>;
}

/** All that was measured. */
export interface ConsoleFigures {
  readonly machine: Machine;
  readonly list: ListFigures;
  readonly questions: readonly QuestionFigures[];
  /** Requests of each question, one at a time and together. */
  readonly requests: { readonly alone: number; readonly together: number };
}

/** Requests at a time where there are several. */
export const askersTogether = 4;

/** Limit of the console's contract at the 95th percentile, in milliseconds. */
export const p95MsMax = 300;
