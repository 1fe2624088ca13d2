import { sql } from 'drizzle-orm';
import pg from 'pg';
import { abortReason } from '../../src/core/async/race-abort.ts';
import { Misconfigured, ValidationError } from '../../src/core/errors.ts';
import type {
  AccountQueries,
  BackendCounts,
  QueryAnswer,
  QueryColumn,
  QueryRequest,
  QueryValue,
} from '../../src/core/sql/account-queries.ts';
import {
  checkAccountLogin,
  withAccountSession,
  withReplicaSession,
  type ReplicaSessionOptions,
  type SessionOptions,
} from './account-session.ts';
import { assertInterruptible } from './assert-interruptible.ts';
import { createBackendEnds, type AccountBackend, type BackendEnds } from './backend-ends.ts';
import { withDatabase, type Sql } from '../connection/client.ts';
import { isCap, isRefusal, onlyReads, refusalOf } from './query-error.ts';
import { repeatReading, type Replica } from '../replica/replica.ts';
import { listQueryViews } from './query-views.ts';

/** Maximum size of a result. */
const answerBytesMax = 16 * 1024 * 1024;

/** Time after its limit in which Postgres must have ended a statement before the connection is closed. */
const answerMsMax = 2000;

/** The server of accounts' statements, and their processes there. */
interface Server<Options extends SessionOptions> {
  readonly options: Options;
  readonly ends: BackendEnds;
}

/** Options of accounts' statements. */
export interface AccountReaderOptions extends SessionOptions {
  /** The replica on which they run if it is ready, and the address of the login there. Default: they run on the primary. */
  readonly onReplica?: { readonly url: string; readonly replica: Replica } | null;
}

/** Runs accounts' own SQL over the schema `account_reports`, with a login that is bound to the account for one statement. */
export function createAccountReader({ onReplica = null, ...options }: AccountReaderOptions): AccountQueries {
  const primary: Server<SessionOptions> = { options, ends: createBackendEnds(options.db) };
  const standby: Server<ReplicaSessionOptions> | null = onReplica && {
    options: { ...options, ...onReplica },
    ends: createBackendEnds(onReplica.replica.database.sql),
  };
  return {
    run: (accountId, request) =>
      withDatabase(async () => {
        await assertInterruptible(options.db, request.text);
        const asked = { accountId, request };
        if (standby === null) return readAsAccount(primary, asked);
        return repeatReading(standby.options.replica, {
          onReplica: () => readOnReplica(standby, asked),
          onPrimary: () => readAsAccount(primary, asked),
          signal: request.signal,
        });
      }).catch((error: unknown) => {
        // An aborted request reports its reason, whatever error the closed connection causes.
        throw request.signal.aborted ? abortReason(request.signal) : error;
      }),
    countBackends: () => addCounts(primary.ends.counts(), standby?.ends.counts()),
    check: () => withDatabase(() => checkAccountLogin(options)),
    listViews: () => withDatabase(() => listQueryViews(options.db)),
  };
}

function addCounts(first: BackendCounts, second?: BackendCounts): BackendCounts {
  if (second === undefined) return first;
  return {
    canceled: first.canceled + second.canceled,
    terminated: first.terminated + second.terminated,
    outliving: first.outliving + second.outliving,
  };
}

interface AccountRequest {
  readonly accountId: number;
  readonly request: QueryRequest;
}

function readAsAccount(
  { options, ends }: Server<SessionOptions>,
  { accountId, request }: AccountRequest,
): Promise<QueryAnswer> {
  return whileOpen(request, ends, (onBackend) =>
    withAccountSession(options, { accountId, signal: request.signal, onBackend }, (client) =>
      runStatement(client, request, options),
    ),
  );
}

/** Resolves with null when the replica is not ready, or rejects the login: the primary then answers. */
async function readOnReplica(
  { options, ends }: Server<ReplicaSessionOptions>,
  { accountId, request }: AccountRequest,
): Promise<{ readonly result: QueryAnswer } | null> {
  const ready = await options.replica.acquire();
  if (ready === null) return null;
  ready.release();
  try {
    return await whileOpen(request, ends, (onBackend) =>
      withReplicaSession(options, { accountId, signal: request.signal, onBackend }, (client) =>
        runStatement(client, request, options),
      ),
    );
  } catch (error) {
    if (error instanceof Misconfigured) return null;
    throw error;
  }
}

/** The wait for the end of the server process starts when its session is closed. */
async function whileOpen<T>(
  request: QueryRequest,
  ends: BackendEnds,
  read: (onBackend: (backend: AccountBackend) => void) => Promise<T>,
): Promise<T> {
  const closed = new AbortController();
  try {
    return await read((backend) => {
      const close = new Promise((resolve) => closed.signal.addEventListener('abort', resolve));
      request.onBackend?.(close.then(() => ends.awaitEnd(backend)));
    });
  } finally {
    closed.abort();
  }
}

async function runStatement(
  client: pg.Client,
  { text, rowsMax }: QueryRequest,
  { db, timeoutMs }: SessionOptions,
): Promise<QueryAnswer> {
  const received = countReceived(client);
  const began = performance.now();
  let isOverdue = false;
  const deadline = setTimeout(() => {
    isOverdue = true;
    client.connection.stream.destroy();
  }, timeoutMs + answerMsMax);
  try {
    await client.query('BEGIN READ ONLY');
    await client.query('SELECT account_reports.open_query($1)', [text]);
    // In one call: the statement may change its own time limit, which applies from the next statement on.
    const fetched = await client.query<QueryValue[]>({
      text: `FETCH FORWARD ${rowsMax + 1} FROM answer`,
      rowMode: 'array',
      types: { getTypeParser },
    });
    const elapsedMs = Math.round(performance.now() - began);
    return {
      columns: await nameTypes(db, fetched.fields),
      rows: fetched.rows.slice(0, rowsMax),
      isCutOff: fetched.rows.length > rowsMax,
      elapsedMs,
    };
  } catch (error) {
    if (received.isTooMuch()) throw tooMuch(error);
    if (isOverdue) throw new ValidationError(timeRemedy(timeoutMs), { cause: error });
    throw isRefusal(error) || isCap(error) ? refusalOf(error, remediesOf(timeoutMs)) : error;
  } finally {
    clearTimeout(deadline);
  }
}

/** Closes the connection when more than the maximum arrives, because the driver keeps everything in memory. */
function countReceived({ connection: { stream } }: pg.Client): { readonly isTooMuch: () => boolean } {
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > answerBytesMax) stream.destroy();
  });
  return { isTooMuch: () => bytes > answerBytesMax };
}

function tooMuch(cause: unknown): ValidationError {
  const mib = answerBytesMax / (1024 * 1024);
  return new ValidationError(
    `The answer is larger than ${mib} MiB. Ask for fewer rows, or for fewer or shorter columns.`,
    {
      cause,
    },
  );
}

function remediesOf(timeoutMs: number): Readonly<Record<string, string>> {
  const view = 'The page SQL and GET /v1/sql/views list the views.';
  return {
    '42P01': view,
    '42501': `Queries can read only the views of their account. Write their names alone, \`ads\` for \`reports.ads\`. ${view}`,
    '25006': onlyReads,
    // Its hint recommends a trigger.
    '55000': onlyReads,
    '42P11': `${onlyReads} Write one statement: SELECT, VALUES or WITH.`,
    '57014': timeRemedy(timeoutMs),
    '53200': memoryRemedy,
    // No code of its own: a value that exceeds the memory of any machine.
    XX000: memoryRemedy,
    '53400':
      'A query has a limit of temporary files. Sort or group fewer rows: ask for one batch, for fewer days, or for fewer columns.',
  };
}

const memoryRemedy =
  'A query has a limit of memory. Aggregate fewer rows into one value: count them, or select the rows themselves.';

function timeRemedy(timeoutMs: number): string {
  return `A query may take ${timeoutMs / 1000} seconds. Ask for one batch, for fewer days, or count first.`;
}

/** Keeps the text of Postgres for types that a driver would round or convert. */
function getTypeParser(oid: number): (text: string) => QueryValue {
  return parsers[oid] ?? ((text) => text);
}

const { BOOL, INT2, INT4, INT8, FLOAT4, FLOAT8, JSON: JSON_TEXT, JSONB } = pg.types.builtins;

const parsers: Readonly<Record<number, (text: string) => QueryValue>> = {
  [BOOL]: (text) => text === 't',
  [INT2]: Number,
  [INT4]: Number,
  [INT8]: (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : text),
  [FLOAT4]: finite,
  [FLOAT8]: finite,
  [JSON_TEXT]: (text) => JSON.parse(text) as QueryValue,
  [JSONB]: (text) => JSON.parse(text) as QueryValue,
};

function finite(text: string): QueryValue {
  return Number.isFinite(Number(text)) ? Number(text) : text;
}

async function nameTypes(db: Sql, fields: readonly pg.FieldDef[]): Promise<readonly QueryColumn[]> {
  const oids = sql.param(fields.map((field) => field.dataTypeID));
  const modifiers = sql.param(fields.map((field) => field.dataTypeModifier));
  const { rows } = await db.execute<{ type: string }>(
    sql`SELECT format_type(t.oid, t.modifier) AS type
      FROM unnest(${oids}::oid[], ${modifiers}::integer[]) WITH ORDINALITY AS t(oid, modifier, place) ORDER BY place`,
  );
  return fields.map(({ name }, i) => ({ name, type: rows[i]?.type ?? '' }));
}
