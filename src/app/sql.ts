import type { Database } from '../../db/connection/client.ts';
import { createAccountLogins } from '../../db/logins/account-logins.ts';
import { createAccountReader } from '../../db/queries/account-reader.ts';
import type { AccountLogins } from '../core/sql/account-logins.ts';
import type { AccountQueries } from '../core/sql/account-queries.ts';
import type { Wiring } from './wiring.ts';

/** Services of SQL: queries of operators in the reader role, queries of accounts on their own rows, and database logins of accounts. */
export interface SqlServices {
  readonly openReader: () => Database;
  /** Connection string of the reader for `psql`, with its password. */
  readonly readerLink: string;
  readonly queries: AccountQueries;
  readonly logins: AccountLogins;
}

/** Wires the connections of the reader. They open with the first query. */
export function wireSql({ config, servers: { database, openReader, postgres } }: Wiring): SqlServices {
  const db = database.sql;
  return {
    openReader,
    readerLink: postgres.readerLink,
    queries: createAccountReader({
      url: postgres.accountReaderUrl,
      db,
      timeoutMs: config.sqlTimeoutMs,
      limitMemory: postgres.limitMemory,
    }),
    logins: createAccountLogins({ db, ownerUrl: postgres.ownerUrl }),
  };
}
