import pg from 'pg';
import { withDatabase, type Database } from '../connection/client.ts';
import { withLogin } from '../connection/login-errors.ts';
import { readOn, type Replica } from '../replica/replica.ts';
import { isRefusal, onlyReads, refusalOf } from './query-error.ts';

/** Answer of a query: its column names, and its rows as arrays in that order. */
export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Connections for users' SQL. */
export interface QueriedDatabase extends Pick<Database, 'pool'> {
  /** Connections to a replica, which answers if it is ready. */
  readonly replica?: Replica | null;
}

/** Settings of the login for users' SQL: the first one that is set applies. */
const loginSettings = 'NIGHTSHIFT_READER_URL or DATABASE_URL';

/**
 * Runs one statement of a user in a read-only transaction with the pool's role.
 *
 * The grants of the role decide what the statement may read, not its text. Integers are returned as numbers if exact, decimals
 * as text, so that none is rounded.
 *
 * @throws Misconfigured when the server rejects the login.
 * @throws ValidationError with Postgres' message, when it rejects the statement.
 */
export async function runQuery(
  { pool, replica = null }: QueriedDatabase,
  text: string,
): Promise<QueryResult> {
  return withDatabase(() =>
    readOn(replica, {
      closesAfter: true,
      onReplica: (client) => queryOnce(client, text),
      onPrimary: async () => {
        const client = await withLogin(loginSettings, () => pool.connect());
        try {
          return await queryOnce(client, text);
        } finally {
          client.release(true);
        }
      },
    }),
  );
}

async function queryOnce(client: pg.ClientBase, text: string): Promise<QueryResult> {
  try {
    await client.query('BEGIN READ ONLY');
    const result = await client.query<unknown[]>({
      text,
      rowMode: 'array',
      types: { getTypeParser },
      ...oneStatement,
    });
    await client.query('COMMIT');
    return { columns: result.fields.map((field) => field.name), rows: result.rows };
  } catch (error) {
    throw isRefusal(error) ? refusalOf(error, remedies) : error;
  }
}

const viewsThereAre = 'To list the views: nightshift sql --views';

/** Remedies by SQLSTATE, if the message of Postgres contains none. */
const remedies: Readonly<Record<string, string | undefined>> = {
  '42P01': viewsThereAre,
  '42501': `Queries can read only the views of the schema reports. ${viewsThereAre}`,
  '25006': onlyReads,
  // The hint of Postgres recommends a trigger.
  '55000': onlyReads,
};

/** The extended protocol takes exactly one statement. */
const oneStatement = { queryMode: 'extended' } as const;

const int8 = 20;

function getTypeParser(oid: number): (text: string) => unknown {
  if (oid !== int8) return pg.types.getTypeParser(oid) as (text: string) => unknown;
  return (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : text);
}
