import { expect } from 'vitest';
import type { TestDatabase } from '../db/database.ts';

const hourMs = 3_600_000;

/**
 * Checks that no moment in the record is off by the hours that a host's clock is wrong: all of them come from the clock of the database. Prices
 * apply from days that people name.
 */
export async function expectClockOfDatabase({ owner }: TestDatabase, begunAt: Date): Promise<void> {
  const columns = await owner.pool.query<{ place: string; statement: string }>(
    `SELECT format('%s.%s', table_name, column_name) AS place,
        format('SELECT min(%2$I) AS first, max(%2$I) AS last FROM nightshift.%1$I', table_name, column_name) AS statement
      FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
      WHERE table_schema = 'nightshift' AND table_type = 'BASE TABLE' AND data_type LIKE 'timestamp%'
        AND column_name <> 'effective_from'`,
  );
  const wrong: string[] = [];
  for (const { place, statement } of columns.rows) {
    const { rows } = await owner.pool.query<{ first: Date | null; last: Date | null }>(statement);
    const [row] = rows;
    for (const moment of [row?.first, row?.last]) {
      if (moment == null) continue;
      const offMs =
        moment.getTime() < begunAt.getTime()
          ? begunAt.getTime() - moment.getTime()
          : moment.getTime() - Date.now();
      if (offMs > hourMs) wrong.push(`${place}: ${moment.toISOString()}`);
    }
  }
  expect(columns.rows.length).toBeGreaterThan(50);
  expect(wrong).toEqual([]);
}
