import pg from 'pg';
import { ValidationError } from '../src/core/errors.ts';
import { withDatabase, type Database } from './client.ts';

/** What a query answered: its column names, and its rows as arrays in that order. */
export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** SQLSTATE classes for a mistake in the query, or a right that the role lacks. */
const queryMistakes = /^(0A|22|23|25|2F|3F|42|54|55000|57014)/;

/**
 * Runs one statement of a person's own, in a read-only transaction of the pool's role.
 *
 * What the statement may read is decided by the role's grants, not by looking at its text. Whole numbers come as numbers where
 * they fit exactly, decimals as text, so that none is rounded.
 *
 * @throws ValidationError with Postgres' own words, when it refuses the statement.
 */
export async function runQuery(database: Database, text: string): Promise<QueryResult> {
  return withDatabase(async () => {
    const client = await database.pool.connect();
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
      if (error instanceof pg.DatabaseError && queryMistakes.test(error.code ?? '')) throw refused(error);
      throw error;
    } finally {
      client.release(true);
    }
  });
}

const viewsThereAre =
  'The views there are: nightshift sql "select viewname from pg_views where schemaname = \'reports\'"';

/** What helps, by SQLSTATE, where Postgres' own words do not say it. */
const remedies: Readonly<Record<string, string | undefined>> = {
  '42P01': viewsThereAre,
  '42501': `Queries read the views of the schema reports and nothing else. ${viewsThereAre}`,
  '25006': 'Queries only read.',
};

/** The extended protocol takes exactly one statement. */
const oneStatement = { queryMode: 'extended' } as const;

const int8 = 20;

function getTypeParser(oid: number): (text: string) => unknown {
  if (oid !== int8) return pg.types.getTypeParser(oid) as (text: string) => unknown;
  return (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : text);
}

function refused(error: pg.DatabaseError): ValidationError {
  const position = error.position === undefined ? '' : ` (at character ${error.position})`;
  const hint = error.hint === undefined ? '' : `\n${error.hint}`;
  const remedy = remedies[error.code ?? ''];
  return new ValidationError(
    `Postgres refused the query: ${error.message}${position}.${hint}${remedy === undefined ? '' : `\n${remedy}`}`,
    { cause: error },
  );
}
