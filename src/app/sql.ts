import { createAccountLogins } from '../../db/logins/account-logins.ts';
import { createAccountReader } from '../../db/queries/account-reader.ts';
import type { QueriedDatabase } from '../../db/queries/run-query.ts';
import type { AccountLogins } from '../core/sql/account-logins.ts';
import type { AccountQueries } from '../core/sql/account-queries.ts';
import type { ReadingCounts } from '../core/sql/reading-counts.ts';
import type { Wiring } from './wiring.ts';

/** Services of SQL: queries of operators in the reader role, queries of accounts on their own rows, and database logins of accounts. */
export interface SqlServices {
  readonly openReader: () => QueriedDatabase;
  /** Connection string of the reader for `psql`, with its password. */
  readonly readerLink: string;
  readonly queries: AccountQueries;
  readonly logins: AccountLogins;
  /** Readings of this process by the server that answered them; null without a replica. */
  readonly countReadings: () => ReadingCounts | null;
}

/** Wires the connections of the reader. They open with the first query. */
export function wireSql({
  config,
  servers: { database, openReader, postgres, replica },
}: Wiring): SqlServices {
  const db = database.sql;
  const url = postgres.replicas?.accountReaderUrl ?? null;
  return {
    openReader,
    readerLink: postgres.readerLink,
    queries: createAccountReader({
      url: postgres.accountReaderUrl,
      db,
      timeoutMs: config.sqlTimeoutMs,
      limitMemory: postgres.limitMemory,
      onReplica: url === null || replica === null ? null : { url, replica },
    }),
    logins: createAccountLogins({ db, ownerUrl: postgres.ownerUrl }),
    countReadings: () => replica?.counts() ?? null,
  };
}
