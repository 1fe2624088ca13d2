import { createRoute } from '@hono/zod-openapi';
import { Misconfigured } from '../../../core/errors.ts';
import type { QueryAnswer, QueryRequest, QueryValue } from '../../../core/sql/account-queries.ts';
import { createCsvWriter } from '../../../reporter/formats/csv.ts';
import type { Cell } from '../../../reporter/formats/report-row.ts';
import { Problem } from '../../http/problem.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import { createConcurrencyLimiter } from '../../http/concurrency-limiter.ts';
import type { Router } from '../../http/router.ts';
import {
  queryAnswerBody,
  queryRequest,
  queryViewsBody,
  sqlConnectionBody,
  toQueryAnswerBody,
  toQueryViewsBody,
  toSqlConnectionBody,
} from './schema.ts';

/** Queries that one process runs at a time. Each holds a connection and may use a CPU core. */
const turns = { total: 4, perAccount: 2, waitingPerAccount: 0, what: 'queries' };

/** Message for the account, which cannot fix the configuration. */
const notSetUp =
  'SQL is not configured on this server. The operator has to set NIGHTSHIFT_ACCOUNT_READER_URL; `nightshift doctor` explains how.';

/** Hint for operators on the machine of the service. */
const ofAllAccounts = 'nightshift sql --url prints the login for the views of all accounts.';

/** Routes `/v1/sql`: queries of an account over the views of its own rows. */
export function routeSql(router: Router): void {
  routeViews(router);
  routeQuery(router);
  routeConnection(router);
}

function routeViews({ http, guards, services }: Router): void {
  const route = createRoute({
    method: 'get',
    path: '/v1/sql/views',
    summary: 'List SQL views',
    description: 'Returns the views and functions that queries can read, with their columns and comments.',
    tags: ['SQL'],
    middleware: guards.read('sql:read'),
    responses: {
      200: {
        description: 'All views and functions.',
        content: { 'application/json': { schema: queryViewsBody } },
      },
      ...problemResponses('get'),
    },
  });
  http.openapi(route, async (c) => c.json(toQueryViewsBody(await services.sql.queries.listViews()), 200));
}

function routeQuery({ http, guards, services, stopping }: Router): void {
  const queries = createConcurrencyLimiter(turns);
  const route = createRoute({
    method: 'post',
    path: '/v1/sql',
    summary: 'Run a query',
    description: `Runs one read-only statement over the views of \`GET /v1/sql/views\`, which contain only rows of the account. Errors have the message of
Postgres. Limits: 10 seconds by default, 16 MiB for the result, and two running queries for each account. A query that exceeds a limit
fails with a 400 that names the limit. XML, EXPLAIN and functions of extensions are not available. For CSV the header
\`Nightshift-Cut-Off\` reports whether there are more rows.`,
    tags: ['SQL'],
    middleware: guards.ask('sql:read'),
    request: { body: { content: { 'application/json': { schema: queryRequest } } } },
    responses: {
      200: {
        description: 'The result of the query.',
        content: {
          'application/json': { schema: queryAnswerBody },
          'text/csv': { schema: { type: 'string' } },
        },
      },
      ...problemResponses('ask'),
    },
  });
  http.openapi(route, async (c) => {
    const { query, limit, format } = c.req.valid('json');
    const { accountId } = c.var.caller;
    const signal = AbortSignal.any([c.req.raw.signal, stopping]);
    const answer = await queries.take(accountId, (keep) =>
      run(services, accountId, { text: query, rowsMax: limit, signal, onBackend: keep }),
    );
    if (format === 'json') return c.json(toQueryAnswerBody(answer, limit), 200);
    return c.body(toCsv(answer), 200, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="query.csv"',
      'Nightshift-Cut-Off': String(answer.isCutOff),
    });
  });
}

async function run(
  { sql: { queries } }: Router['services'],
  accountId: number,
  request: QueryRequest,
): Promise<QueryAnswer> {
  // The client may have disconnected while the query waited for a slot.
  if (request.signal.aborted) throw goneAway();
  try {
    return await queries.run(accountId, request);
  } catch (error) {
    if (request.signal.aborted) throw goneAway();
    if (!(error instanceof Misconfigured)) throw error;
    throw new Problem('service_unavailable', {
      titles: [notSetUp],
      headers: { 'Retry-After': '60' },
      cause: error,
    });
  }
}

/** Creates the problem of a cancelled query. A client sees it only if the server stops. */
function goneAway(): Problem {
  return new Problem('service_unavailable', {
    titles: ['The query was cancelled before it finished'],
    headers: { 'Retry-After': '1' },
  });
}

function toCsv({ columns, rows }: QueryAnswer): string {
  const writer = createCsvWriter(columns.map(({ name }) => ({ name, own: false })));
  return `${writer.head}${writer.block(rows.map((row) => row.map(toCell)))}${writer.tail}`;
}

function toCell(value: QueryValue): Cell {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

function routeConnection({ http, guards, services }: Router): void {
  const route = createRoute({
    method: 'get',
    path: '/v1/sql/connection',
    summary: 'Read the database connection',
    description:
      'Returns the login of the account for `psql` and other programs, if the operator has created one. The password is not returned.',
    tags: ['SQL'],
    middleware: guards.read('sql:read'),
    responses: {
      200: { description: 'The connection.', content: { 'application/json': { schema: sqlConnectionBody } } },
      ...problemResponses('get'),
    },
  });
  http.openapi(route, async (c) => {
    const { accountId, permissions } = c.var.caller;
    const [problem, login, account] = await Promise.all([
      readProblem(services),
      services.sql.logins.find(accountId),
      services.accounts.store.readName(accountId),
    ]);
    const hint = `The operator creates the login, or sets a new password, with: nightshift accounts login "${account}"`;
    const operatorHint = permissions.includes('operator') ? ofAllAccounts : null;
    const isLocal = services.work.isPrivateServer;
    return c.json(toSqlConnectionBody({ problem, login, isLocal, hint, operatorHint }), 200);
  });
}

async function readProblem({ sql: { queries } }: Router['services']): Promise<string | null> {
  try {
    await queries.check();
    return null;
  } catch (error) {
    if (error instanceof Misconfigured) return notSetUp;
    throw error;
  }
}
