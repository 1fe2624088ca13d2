import type pg from 'pg';

/** A column of a statement's result, as Postgres describes it. */
export interface ResultColumn {
  readonly name: string;
  /** Object id of the type in `pg_type`. */
  readonly typeId: number;
}

/** A row of `pg_type`. */
export interface PostgresType {
  /** Name, with a leading `_` for an array. */
  readonly name: string;
  readonly isArray: boolean;
}

/** Reads the types of a database by their object ids. */
export async function readTypes(client: pg.Client): Promise<ReadonlyMap<number, PostgresType>> {
  const { rows } = await client.query<{ oid: number; name: string; isArray: boolean }>(
    `SELECT oid, typname AS name, typcategory = 'A' AS "isArray" FROM pg_type`,
  );
  return new Map(rows.map(({ oid, ...type }) => [oid, type]));
}

interface Fields {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

/**
 * Lets Postgres parse a statement and describe its result without running it: Parse, Describe and Sync of the extended protocol.
 * An empty result means that the statement returns no rows.
 *
 * @throws the error of Postgres for an invalid statement.
 */
export function describeStatement(client: pg.Client, text: string): Promise<readonly ResultColumn[]> {
  return new Promise((resolve, reject) => {
    let columns: readonly ResultColumn[] = [];
    client.query({
      submit(connection: pg.Connection) {
        connection.parse({ text, name: '', types: [] }, true);
        connection.describe({ type: 'S', name: '' }, true);
        connection.sync();
      },
      handleRowDescription({ fields }: Fields) {
        columns = fields.map(({ name, dataTypeID }) => ({ name, typeId: dataTypeID }));
      },
      // After an error, the client waits for ReadyForQuery by itself.
      handleError: reject,
      handleReadyForQuery() {
        resolve(columns);
      },
    } as unknown as pg.Submittable);
  });
}
