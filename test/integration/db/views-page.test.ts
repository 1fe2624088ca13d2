import { expect, test } from 'vitest';
import { openTestDatabase } from '../../support/db/database.ts';
import { withClient } from '../../support/db/test-postgres.ts';
import { readDocument } from '../../support/docs/markdown.ts';
import { databasePages } from '../../support/docs/reference/pages.ts';

test.each(Object.entries(databasePages))(
  '%s is up to date; `npm run docs` updates it',
  async (file, pageText) => {
    const { owner } = await openTestDatabase();
    expect(readDocument(file)).toBe(await pageText(owner.pool));
  },
);

test('the connection of `npm run docs` is closed before the server stops', async () => {
  const { owner, url } = await openTestDatabase();
  for (let n = 0; n < 20; n += 1) {
    const pid = await withClient(url, async (client) => {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      return rows[0]?.pid;
    });
    const { rows } = await owner.pool.query('SELECT FROM pg_stat_activity WHERE pid = $1', [pid]);
    expect(rows).toEqual([]);
  }
});
