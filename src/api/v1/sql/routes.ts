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

/** Each has a connection and may keep a processor busy. */
const turns = { total: 4, perAccount: 2, waitingPerAccount: 0, what: 'queries' };

/** For the account, whose problem it is not. */
const notSetUp =
  'SQL is not set up on this server. Whoever runs it has to set NIGHTSHIFT_ACCOUNT_READER_URL; `nightshift doctor` says how.';

/** For operators, on the machine of the service. */
const ofAllAccounts = 'nightshift sql --url prints the login that reads the views of all accounts.';

/** `/v1/sql`: an account's own queries over the views of its own rows. */
export function routeSql(router: Router): void {
  routeViews(router);
  routeQuery(router);
  routeConnection(router);
}

function routeViews({ http, guards, services }: Router): void {
  const route = createRoute({
    method: 'get',
    path: '/v1/sql/views',
    summary: 'List the views that queries read',
    description: 'What there is to ask in SQL, with its columns, and what they mean.',
    tags: ['SQL'],
    middleware: guards.read('sql:read'),
    responses: {
      200: { description: 'All of them.', content: { 'application/json': { schema: queryViewsBody } } },
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
    description: `Runs one statement over the views of \`GET /v1/sql/views\`, which have the account's own rows; it can change nothing. What is wrong with it is
told in the words of Postgres. It may take 10 seconds where the service is set up as it comes, its answer may have 16 MiB, and of one account
two run at a time. A query that meets a limit is a 400 that names it. XML, EXPLAIN and functions of extensions are not available. As CSV the header \`Nightshift-Cut-Off\` says whether there were more rows.`,
    tags: ['SQL'],
    middleware: guards.ask('sql:read'),
    request: { body: { content: { 'application/json': { schema: queryRequest } } } },
    responses: {
      200: {
        description: 'The answer.',
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
  // It waited for its turn; whoever asked may be gone.
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

/** Nobody reads this, unless the server stops. */
function goneAway(): Problem {
  return new Problem('service_unavailable', {
    titles: ['The query was ended before it had an answer'],
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
    summary: 'Read how to connect to the database',
    description:
      "The account's own login for `psql` and other programs, where the operator made one. Never a password.",
    tags: ['SQL'],
    middleware: guards.read('sql:read'),
    responses: {
      200: { description: 'How.', content: { 'application/json': { schema: sqlConnectionBody } } },
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
    const hint = `Whoever runs the service makes it, or gives it a new password: nightshift accounts login "${account}"`;
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
