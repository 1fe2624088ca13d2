import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnLoopback } from '../stand-in/loopback.ts';
import { sendError, sendReply, type StandInFailure } from './bigquery-answer.ts';
import { createStandInJobs, type StandInReply } from './bigquery-jobs.ts';
import { readInsert, standInTable, type StandInError } from './bigquery-question.ts';
import {
  projectId,
  readCall,
  toEntry,
  type IncomingCall,
  type StandInCall,
  type StandInOperation,
} from './bigquery-request.ts';
import { tableFields, type StandInCreative } from './bigquery-table.ts';
import { createTokenServer, keyFileOf, makeStandInAccount } from './bigquery-token.ts';

export type { StandInFailure } from './bigquery-answer.ts';
export type { StandInOperation } from './bigquery-request.ts';
export type { StandInCreative } from './bigquery-table.ts';

export interface BigQueryStandInOptions {
  /** The content of `creative_stats`. Default none. */
  readonly rows?: readonly StandInCreative[];
  /** Columns that the table has not, by path: `region_stats.last_shown`. Default none. */
  readonly missingColumns?: readonly string[];
  /** Bytes that every query reads and is billed for. Default 45 GiB. */
  readonly bytes?: bigint;
  /** Polls that find a job still running. Default 1. */
  readonly pollsUntilDone?: number;
  /** Rows of a page at the most. Default 3. */
  readonly pageRowsMax?: number;
  /** Wants an access token of its own account. Default true; else it refuses who sends one. */
  readonly wantsToken?: boolean;
  /** Milliseconds since 1970. Default the system's clock. */
  readonly nowMs?: () => number;
}

/** Says what a call meets; `n` counts the calls of its operation, from 1. */
export type FailureOf = (operation: StandInOperation, n: number) => StandInFailure | undefined;

/** A running stand-in. */
export interface BigQueryStandIn {
  /** Its address without a prefix, as `BIGQUERY_EMULATOR_HOST` has it. */
  readonly url: string;
  /** Its address as a client takes it that appends `/projects`. */
  readonly baseUrl: string;
  readonly projectId: string;
  /** The key file of the account that it knows. */
  readonly keyFile: string;
  /** Every call so far, in order of arrival. */
  readonly log: readonly StandInCall[];
  /** Number of accepted jobs. */
  readonly jobs: () => number;
  /** The tokens that it has given out. */
  readonly tokens: readonly string[];
  /** Sets the failure of the next calls. */
  readonly failWith: (errorOf: FailureOf) => void;
  readonly close: () => Promise<void>;
}

const account = makeStandInAccount();

/**
 * BigQuery's REST API on loopback, with Google's token endpoint, as far as this project's query needs it: strict about
 * requests and awkward in its answers. Both forms of its paths are served, with `/bigquery/v2` and without.
 *
 * Made from Google's public REST reference (`jobs.insert`, `jobs.get`, `jobs.getQueryResults`, `tables.get`), its table of
 * errors, RFC 7523, and what its own Node client sends and reads, which a test runs against it. Nothing in it was captured,
 * and all rows are synthetic.
 *
 * It differs from BigQuery in that it does not read SQL: it looks at the table, the parameters and the columns that a query
 * names, and answers what this project's query means. A poll never waits, every query reads the same number of bytes,
 * results are kept for good, and there is no `jobs.query`.
 */
export async function openBigQueryStandIn(options: BigQueryStandInOptions = {}): Promise<BigQueryStandIn> {
  const { serve, ...service } = createStandInHandler(options);
  const server = createServer((request, response) => void serve(request, response));
  const { url, close } = await listenOnLoopback(server);
  const keyFile = keyFileOf(account, `${url}/token`);
  return { url, baseUrl: `${url}/bigquery/v2`, projectId, keyFile, ...service, close };
}

function createStandInHandler(options: BigQueryStandInOptions) {
  const { missingColumns = [], wantsToken = true, nowMs = Date.now } = options;
  const jobs = createStandInJobs({
    projectId,
    rows: options.rows ?? [],
    bytes: options.bytes ?? 45n * 2n ** 30n,
    pollsUntilDone: options.pollsUntilDone ?? 1,
    pageRowsMax: options.pageRowsMax ?? 3,
    nowMs,
  });
  const { give, tokens } = createTokenServer(account, nowMs);
  const log: StandInCall[] = [];
  let errorOf: FailureOf = () => undefined;
  return { serve, log, jobs: jobs.count, tokens, failWith: (next: FailureOf) => void (errorOf = next) };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await readCall(request);
    if (call === null) return sendError(response, notFound(`${request.method} ${request.url}`));
    log.push(toEntry(call));
    const n = log.filter(({ operation }) => operation === call.operation).length;
    const failure = errorOf(call.operation, n);
    const hasEffect = failure?.kind !== 'error' && failure?.kind !== 'raw';
    sendReply(response, hasEffect ? answer(call, failure) : { body: {} }, failure);
  }

  function answer(call: IncomingCall, failure: StandInFailure | undefined): StandInReply {
    if (call.operation === 'token') return answerToken(call);
    const refusal = evaluateCaller(call.headers.authorization);
    if (refusal !== null) return { error: refusal };
    if (call.operation === 'table') return answerTable(call);
    if (call.operation === 'get job') return jobs.get(call.id);
    if (call.operation === 'results') return jobs.results(call.id, call.url.searchParams);
    return answerInsert(call, failure);
  }

  function answerToken(call: IncomingCall): StandInReply {
    const given = give(call);
    if ('refusal' in given) return given;
    return { body: { access_token: given.token, expires_in: given.lifetimeS, token_type: 'Bearer' } };
  }

  function evaluateCaller(authorization: string | undefined): StandInError | null {
    const isKnown = tokens.some((token) => authorization === `Bearer ${token}`);
    if (wantsToken ? isKnown : authorization === undefined) return null;
    return { status: 401, reason: 'authError', message: 'Invalid Credentials' };
  }

  function answerTable({ id, url }: IncomingCall): StandInReply {
    if (id !== standInTable) return { error: notFound(`Table ${id}`) };
    const schema = { fields: tableFields(missingColumns) };
    const all = { kind: 'bigquery#table', id, schema };
    return { body: url.searchParams.get('fields') === 'schema' ? { schema } : all };
  }

  function answerInsert({ headers, body }: IncomingCall, failure: StandInFailure | undefined): StandInReply {
    if (headers['content-type']?.startsWith('application/json') !== true)
      return { error: { status: 400, reason: 'parseError', message: 'Parse Error' } };
    const asked = readInsert(JSON.parse(body), projectId, missingColumns);
    if ('status' in asked) return { error: asked };
    return jobs.insert(asked, failure?.kind === 'job fails' ? { fails: failure.error } : {});
  }
}

function notFound(what: string): StandInError {
  return { status: 404, reason: 'notFound', message: `Not found: ${what}` };
}
