import { Misconfigured } from '../../core/errors.ts';
import { sleep } from '../../core/async/wait.ts';
import { createConnection, type ConnectionOptions } from './connection.ts';
import { createJobs, type JobPlace, type Question } from './jobs.ts';
import { createResults } from './results.ts';
import type { Row } from './rows.ts';
import { missingColumns } from './schema.ts';
import { beyondCap } from './errors.ts';
import { tableReply, unreadable } from './wire.ts';

export type { Question } from './jobs.ts';
export type { Row } from './rows.ts';

export interface BigQueryOptions extends ConnectionOptions, Partial<JobPlace> {
  /** The project that the queries run in and are billed to. */
  readonly projectId: string;
  /** Location of the data. Default `US`, where Google keeps its public data sets. */
  readonly location?: string;
  /** Maximum billed bytes of one query. */
  readonly maximumBytesBilled: bigint;
  /** Milliseconds from the start of a run until its rows must be ready. Default 300,000: our choice. */
  readonly deadlineMs?: number;
  /** Waits between polls. Default: the system's clock. */
  readonly sleep?: (delayMs: number, signal: AbortSignal) => Promise<void>;
}

/** A finished query. */
export interface QueryRun {
  /** Pages in the order of the query; each page is fetched on demand. Can be read once. */
  readonly rows: AsyncIterable<readonly Row[]>;
  /** Billed bytes of the query; the same when an earlier run is continued. */
  readonly bytesBilled: bigint;
}

/** Client for the parts of BigQuery that the source uses. Every method throws as `Connection` does. */
export interface BigQueryClient {
  /** Estimates the bytes that the query would read. Free. */
  dryRun(question: Question, signal: AbortSignal): Promise<bigint>;
  /**
   * Runs the query, unless it would read more than the cap.
   *
   * The same `jobId` with the same query continues the job of an earlier run, unless that job failed or its results are gone
   * (after a day): it is not billed again. `jobId`: letters, digits, `-` and `_`, at most 900.
   */
  run(question: Question & { readonly jobId: string }, signal: AbortSignal): Promise<QueryRun>;
  /**
   * Checks that a table (`project.dataset.table`) has the columns that the source reads. Free.
   *
   * @throws SourceUnreadable that names missing columns and those of another type.
   */
  checkSchema(table: string, signal: AbortSignal): Promise<void>;
}

/**
 * Creates a client for BigQuery's REST API (v2), which retries nothing.
 *
 * @throws Misconfigured when the address, project or credentials cannot be used.
 */
export function createBigQueryClient(options: BigQueryOptions): BigQueryClient {
  const { maximumBytesBilled: cap, deadlineMs = 300_000, nowMs = Date.now } = options;
  const place = { projectId: parseProjectId(options.projectId), location: options.location ?? 'US' };
  const ask = createConnection(options);
  const jobs = createJobs(ask, place, nowMs);
  const results = createResults(ask, { ...place, deadlineMs, nowMs, sleep: options.sleep ?? sleep });
  const noEstimate = { cap, estimate: null };
  return { dryRun, run, checkSchema };

  async function dryRun(question: Question, signal: AbortSignal): Promise<bigint> {
    return jobs.dryRun(question, noEstimate, signal);
  }

  async function run({ jobId, ...question }: Question & { readonly jobId: string }, signal: AbortSignal) {
    const limit = { cap, estimate: await dryRun(question, signal) };
    if (limit.estimate > cap) throw beyondCap(limit);
    const id = await jobs.place(jobId, question, limit, signal);
    const first = await results.firstPage(id, limit, signal);
    const bytesBilled = await jobs.readBytesBilled(id, limit, signal);
    return { rows: results.pages(id, first, limit, signal), bytesBilled };
  }

  async function checkSchema(table: string, signal: AbortSignal): Promise<void> {
    const [project, dataset, name] = table.split('.');
    const path = `/projects/${project}/datasets/${dataset}/tables/${name}`;
    const { schema } = await ask(
      tableReply,
      { path, query: { fields: 'schema' }, limit: noEstimate },
      signal,
    );
    const missing = missingColumns(schema.fields);
    if (missing.length > 0) throw unreadable(table, `no column ${missing.join(', ')} of the expected type`);
  }
}

function parseProjectId(text: string): string {
  // As in Google's "Creating and managing projects"; older projects have a domain before it.
  if (/^([a-z0-9.-]+:)?[a-z][a-z0-9-]{4,28}[a-z0-9]$/.test(text)) return text;
  throw new Misconfigured('The BigQuery project must be a project id: 6 to 30 letters, digits and hyphens');
}
