import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Conflict, SourceUnavailable } from '../../core/errors.ts';
import type { Connection } from './connection.ts';
import { jobError, type ReadingLimit } from './errors.ts';
import { jobReply, unreadable, type WireJob } from './wire.ts';

/** A query and its parameters. */
export interface Question {
  /** Standard SQL with parameters `@name`; values are never spliced into it. */
  readonly query: string;
  /** By name: a list of texts, or an integer. */
  readonly parameters: Readonly<Record<string, readonly string[] | number>>;
}

/** Location and billing project of jobs. */
export interface JobPlace {
  readonly projectId: string;
  /** Location of the data, such as `US`. */
  readonly location: string;
}

/** The jobs of one project. Every method throws as `Connection` does, and the errors of failed jobs. */
export interface Jobs {
  /** Estimates the bytes that the query would read. Free, and starts no job. */
  dryRun(question: Question, limit: ReadingLimit, signal: AbortSignal): Promise<bigint>;
  /** Returns the id of a job for the query: of one that an earlier call started, else of a new one. */
  place(jobId: string, question: Question, limit: ReadingLimit, signal: AbortSignal): Promise<string>;
  /** Reads the billed bytes of a finished job; 0 for an answer from BigQuery's cache. */
  readBytesBilled(id: string, limit: ReadingLimit, signal: AbortSignal): Promise<bigint>;
}

/** Maximum number of failed or expired jobs in a row that are replaced; after that, the last error is returned. Our choice. */
const successorsMax = 8;
/** BigQuery keeps results for about 24 hours ("cached query results"); one hour less leaves time to read them. */
const resultsKeptMs = 23 * 3_600_000;

/**
 * Starts jobs with our own ids, so that the same query is one job, run and billed once.
 *
 * A failed job keeps its id for good, and so does one whose results are gone; the next call then starts its successor. A failed
 * job is not billed.
 */
export function createJobs(ask: Connection, { projectId, location }: JobPlace, nowMs: () => number): Jobs {
  const path = `/projects/${projectId}/jobs`;
  return { dryRun, place, readBytesBilled };

  async function dryRun(question: Question, limit: ReadingLimit, signal: AbortSignal): Promise<bigint> {
    const configuration = { dryRun: true, query: toWireQuery(question, limit) };
    const body = { configuration, jobReference: { projectId, location } };
    const job = await ask(jobReply, { path, body, limit }, signal);
    throwIfFailed(job, limit);
    return required(job.statistics.totalBytesProcessed, 'statistics.totalBytesProcessed');
  }

  async function place(jobId: string, question: Question, limit: ReadingLimit, signal: AbortSignal) {
    assert.match(jobId, /^[\w-]{1,900}$/);
    const first = `${jobId}_${digestOf(question)}`;
    for (let n = 0; ; n += 1) {
      const id = n === 0 ? first : `${first}_${n}`;
      if (await insert(id, question, limit, signal)) return id;
      const job = await get(id, limit, signal);
      if (isUsable(job)) return id;
      if (n === successorsMax) throw spent(job, limit);
    }
  }

  /** False when a job with that id exists. */
  async function insert(id: string, question: Question, limit: ReadingLimit, signal: AbortSignal) {
    const configuration = { query: toWireQuery(question, limit) };
    const body = { configuration, jobReference: { projectId, location, jobId: id } };
    try {
      throwIfFailed(await ask(jobReply, { path, body, limit }, signal), limit);
      return true;
    } catch (error) {
      if (error instanceof Conflict) return false;
      throw error;
    }
  }

  async function readBytesBilled(id: string, limit: ReadingLimit, signal: AbortSignal): Promise<bigint> {
    const job = await get(id, limit, signal);
    throwIfFailed(job, limit);
    return required(job.statistics.query?.totalBytesBilled, 'statistics.query.totalBytesBilled');
  }

  async function get(id: string, limit: ReadingLimit, signal: AbortSignal): Promise<WireJob> {
    const query = { location, fields: 'status,statistics' };
    return ask(jobReply, { path: `${path}/${id}`, query, limit }, signal);
  }

  function isUsable({ status, statistics: { endTime } }: WireJob): boolean {
    const isFresh = endTime === undefined || nowMs() - endTime < resultsKeptMs;
    return status.errorResult === undefined && isFresh;
  }
}

function throwIfFailed({ status }: WireJob, limit: ReadingLimit): void {
  if (status.errorResult !== undefined) throw jobError(status.errorResult, limit);
}

function spent(job: WireJob, limit: ReadingLimit): Error {
  if (job.status.errorResult !== undefined) return jobError(job.status.errorResult, limit);
  return new SourceUnavailable(
    'The results of the BigQuery job are gone, and so are those of its successors',
    {
      inDoubt: false,
    },
  );
}

function required(bytes: bigint | undefined, path: string): bigint {
  if (bytes === undefined) throw unreadable(path, 'missing');
  return bytes;
}

/** Part of a job's id that identifies the query, so that one query never gets the results of another. */
function digestOf({ query, parameters }: Question): string {
  return createHash('sha256')
    .update(JSON.stringify([query, parameters]))
    .digest('hex')
    .slice(0, 16);
}

/** The query as a `JobConfigurationQuery`. */
function toWireQuery({ query, parameters }: Question, { cap }: ReadingLimit) {
  return {
    query,
    useLegacySql: false,
    parameterMode: 'NAMED',
    queryParameters: Object.entries(parameters).map(([name, value]) => ({ name, ...toWireParameter(value) })),
    maximumBytesBilled: String(cap),
  };
}

function toWireParameter(value: readonly string[] | number) {
  if (typeof value === 'number')
    return { parameterType: { type: 'INT64' }, parameterValue: { value: String(value) } };
  return {
    parameterType: { type: 'ARRAY', arrayType: { type: 'STRING' } },
    parameterValue: { arrayValues: value.map((each) => ({ value: each })) },
  };
}
