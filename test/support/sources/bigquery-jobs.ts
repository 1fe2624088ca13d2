import type { StandInError, StandInRequest } from './bigquery-question.ts';
import { answerQuery, encodeRow, resultFields, type StandInCreative } from './bigquery-table.ts';

/** Failure of a job. */
export interface StandInJobFailure {
  /** Error with which the job ends, as its `errorResult`. */
  readonly fails?: StandInError;
}

/** A reply of the stand-in: a body, or an error; `refusal` is that of its token endpoint. */
export type StandInReply =
  { readonly body: object } | { readonly error: StandInError } | { readonly refusal: string };

export interface StandInJobsOptions {
  readonly projectId: string;
  readonly rows: readonly StandInCreative[];
  /** Bytes that every query reads and is billed for. */
  readonly bytes: bigint;
  /** Number of polls that find a job still running. */
  readonly pollsUntilDone: number;
  /** Maximum number of rows per page, regardless of the request. */
  readonly pageRowsMax: number;
  readonly nowMs: () => number;
}

interface Job {
  readonly id: string;
  readonly results: readonly unknown[];
  readonly error: StandInError | null;
  readonly endMs: number;
  pollsLeft: number;
}

/** The jobs of a stand-in, in memory. */
export function createStandInJobs(options: StandInJobsOptions) {
  const { projectId, rows, bytes, pollsUntilDone, pageRowsMax, nowMs } = options;
  const jobs = new Map<string, Job>();
  return { insert, get, results, count: () => jobs.size };

  function insert(request: StandInRequest, fate: StandInJobFailure): StandInReply {
    const { jobId: id, isDryRun, parameters, maximumBytesBilled: cap } = request;
    if (isDryRun || id === null) return { body: dryRunReply() };
    if (jobs.has(id)) return errorReply(409, 'duplicate', `Already Exists: Job ${projectId}:US.${id}`);
    const error = fate.fails ?? (cap !== null && cap < bytes ? beyondCap(cap) : null);
    const results =
      error === null ? answerQuery(rows, parameters).map((row) => encodeRow(resultFields, row)) : [];
    const job = { id, results, error, endMs: nowMs(), pollsLeft: pollsUntilDone };
    jobs.set(id, job);
    return { body: { ...describe(job), status: { state: 'RUNNING' } } };
  }

  function get(id: string): StandInReply {
    const job = jobs.get(id);
    return job === undefined ? noJob(id) : { body: describe(job) };
  }

  function results(id: string, query: URLSearchParams): StandInReply {
    const job = jobs.get(id);
    if (job === undefined) return noJob(id);
    if (job.pollsLeft > 0) {
      job.pollsLeft -= 1;
      return { body: { kind: 'bigquery#getQueryResultsResponse', jobComplete: false } };
    }
    if (job.error !== null) return { error: job.error };
    return readPage(job, query);
  }

  function readPage(job: Job, query: URLSearchParams): StandInReply {
    const token = query.get('pageToken');
    const start = token === null ? 0 : startOf(job, token);
    if (start === null) return errorReply(400, 'invalid', 'Invalid page token');
    const size = Math.min(pageRowsMax, Number(query.get('maxResults') ?? pageRowsMax));
    const end = start + size;
    const page = job.results.slice(start, end);
    const body = {
      kind: 'bigquery#getQueryResultsResponse',
      jobComplete: true,
      jobReference: { projectId, jobId: job.id, location: 'US' },
      schema: { fields: resultFields },
      totalRows: String(job.results.length),
      totalBytesProcessed: String(bytes),
      cacheHit: false,
      ...(page.length === 0 ? {} : { rows: page }),
      ...(end < job.results.length ? { pageToken: tokenOf(job, end) } : {}),
    };
    return { body };
  }

  function describe(job: Job) {
    const isDone = job.pollsLeft === 0;
    const error = isDone && job.error !== null ? errorBody(job.error) : null;
    const billed = error === null ? bytes : 0n;
    return {
      kind: 'bigquery#job',
      id: `${projectId}:US.${job.id}`,
      jobReference: { projectId, jobId: job.id, location: 'US' },
      configuration: { jobType: 'QUERY' },
      status: {
        state: isDone ? 'DONE' : 'RUNNING',
        ...(error === null ? {} : { errorResult: error, errors: [error] }),
      },
      statistics: {
        creationTime: String(job.endMs),
        ...(isDone ? { endTime: String(job.endMs) } : {}),
        totalBytesProcessed: String(bytes),
        query: { totalBytesProcessed: String(bytes), totalBytesBilled: String(billed), cacheHit: false },
      },
    };
  }

  function dryRunReply() {
    return {
      kind: 'bigquery#job',
      jobReference: { projectId, location: 'US' },
      configuration: { jobType: 'QUERY', dryRun: true },
      status: { state: 'DONE' },
      statistics: {
        totalBytesProcessed: String(bytes),
        query: { totalBytesProcessed: String(bytes), schema: { fields: resultFields } },
      },
    };
  }

  function beyondCap(cap: bigint): StandInError {
    const message = `Query exceeded limit for bytes billed: ${cap}. ${bytes} or higher required.`;
    return { status: 400, reason: 'bytesBilledLimitExceeded', message };
  }

  function noJob(id: string): StandInReply {
    return errorReply(404, 'notFound', `Not found: Job ${projectId}:US.${id}`);
  }
}

/** A page token is valid only for its own job. */
function tokenOf(job: Job, start: number): string {
  return Buffer.from(`${job.id}#${start}`).toString('base64url');
}

function startOf(job: Job, token: string): number | null {
  const [id, start] = Buffer.from(token, 'base64url').toString().split('#');
  return id === job.id && start !== undefined ? Number(start) : null;
}

function errorReply(status: number, reason: string, message: string): StandInReply {
  return { error: { status, reason, message } };
}

/** An error as an element of other errors. */
export function errorBody({ reason, message }: StandInError) {
  return { reason, message, domain: 'global' };
}
