import { randomBytes } from 'node:crypto';
import { sql, TransactionRollbackError } from 'drizzle-orm';
import { inject } from 'vitest';
import { openDatabase, type Database } from '../../../db/connection/client.ts';
import { createVerifyStore } from '../../../db/verify/verify-store.ts';
import type { InvariantReport } from '../../../src/core/reports/invariants.ts';
import { cloneTemplate, inDatabase, withClient } from './test-postgres.ts';

/** A fixture for all tests of a file: damage by one test is undone before the next. */
export interface SharedFixture<Fixture> {
  readonly fixture: Fixture;
  /** Runs the statements with all rights, verifies in the application's role, and rolls everything back. */
  verifyAfter(statements: string): Promise<readonly InvariantReport[]>;
  close(): Promise<void>;
}

/** Opens the fixture in `beforeAll`: a separate database for each of a hundred tests would take most of their time. */
export async function openSharedFixture<Fixture>(
  build: (database: Database) => Promise<Fixture>,
): Promise<SharedFixture<Fixture>> {
  const server = inject('postgresUrl');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await withClient(server, (client) => cloneTemplate(client, name));
  const url = inDatabase(server, name);
  const options = {
    url,
    role: null,
    connectionsMax: 10,
    name: 'nightshift test',
    onIdleError: () => undefined,
  };
  const database = openDatabase(options);
  const fixture = await build(database);

  async function verifyAfter(statements: string): Promise<readonly InvariantReport[]> {
    let reports: readonly InvariantReport[] = [];
    try {
      await database.sql.transaction(async (transaction) => {
        await transaction.execute(sql.raw(statements));
        await transaction.execute(sql`SET LOCAL ROLE nightshift_app`);
        reports = await createVerifyStore(transaction).check();
        transaction.rollback();
      });
    } catch (error) {
      if (!(error instanceof TransactionRollbackError)) throw error;
    }
    return reports;
  }

  async function close(): Promise<void> {
    await database.close();
    await withClient(server, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
  }

  return { fixture, verifyAfter, close };
}
