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
  /** Content of `creative_stats`. Default: empty. */
  readonly rows?: readonly StandInCreative[];
  /** Columns that the table lacks, by path: `region_stats.last_shown`. Default: none. */
  readonly missingColumns?: readonly string[];
  /** Bytes that every query reads and is billed for. Default: 45 GiB. */
  readonly bytes?: bigint;
  /** Number of polls that find a job still running. Default: 1. */
  readonly pollsUntilDone?: number;
  /** Maximum number of rows per page. Default: 3. */
  readonly pageRowsMax?: number;
  /** Require an access token of its own account; if false, reject requests with a token. Default: true. */
  readonly wantsToken?: boolean;
  /** Clock, in milliseconds since 1970. Default: the system clock. */
  readonly nowMs?: () => number;
}

/** Returns the failure of a call; `n` counts the calls of its operation, from 1. */
export type FailureOf = (operation: StandInOperation, n: number) => StandInFailure | undefined;

/** A running stand-in. */
export interface BigQueryStandIn {
  /** Address without a prefix, in the format of `BIGQUERY_EMULATOR_HOST`. */
  readonly url: string;
  /** Address for a client that appends `/projects`. */
  readonly baseUrl: string;
  readonly projectId: string;
  /** Key file of the known account. */
  readonly keyFile: string;
  /** All calls so far, in order of arrival. */
  readonly log: readonly StandInCall[];
  /** Number of accepted jobs. */
  readonly jobs: () => number;
  /** Issued tokens. */
  readonly tokens: readonly string[];
  /** Sets the failure of the next calls. */
  readonly failWith: (errorOf: FailureOf) => void;
  readonly close: () => Promise<void>;
}

const account = makeStandInAccount();

/**
 * BigQuery's REST API on loopback, with Google's token endpoint, as far as this project's query needs it: strict about requests,
 * with unusual but valid responses. Serves both forms of its paths, with `/bigquery/v2` and without.
 *
 * Based on Google's public REST reference (`jobs.insert`, `jobs.get`, `jobs.getQueryResults`, `tables.get`), its table of errors,
 * RFC 7523, and the requests of Google's Node client, which a test runs against it. Nothing was recorded, and all rows are
 * synthetic.
 *
 * Differences: it does not parse SQL but checks the table, the parameters and the columns of a query, and computes the result of
 * this project's query. A poll never waits, every query reads the same number of bytes, results never expire, and there is no
 * `jobs.query`.
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
