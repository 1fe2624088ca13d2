import { expect, test } from 'vitest';
import { createHousekeeping } from '../../../db/stores/purge/housekeeping.ts';
import { keepReplies, pack } from '../../../db/stores/sources/raw-responses.ts';
import { repliesFor } from '../../support/db/retention.ts';
import { openTestDatabase, type TestDatabase } from '../../support/db/database.ts';

const dayMs = 86_400_000;

/** Stores a raw response, backdated by this many days. */
async function keep({ app, owner }: TestDatabase, reply: string, daysAgo: number): Promise<void> {
  const packed = await pack(reply);
  await keepReplies(app.sql, [packed]);
  await owner.pool.query(
    "UPDATE nightshift.raw_responses SET received_at = now() - $2 * interval '1 day' WHERE hash = $1",
    [packed.hash, daysAgo],
  );
}

async function countKept({ owner }: TestDatabase): Promise<number> {
  const found = await owner.pool.query<{ n: number }>(
    'SELECT count(*)::integer AS n FROM nightshift.raw_responses',
  );
  return found.rows[0]?.n ?? 0;
}

test('housekeeping deletes raw responses after their retention days since last use', async () => {
  const database = await openTestDatabase();
  await keep(database, 'young', 29.9);
  await keep(database, 'old', 30.1);
  await keep(database, 'old, and came again', 31);
  await keepReplies(database.app.sql, [await pack('old, and came again')]);
  await createHousekeeping(database.app.sql, repliesFor(30 * dayMs)).tidy();
  const left = await database.owner.pool.query<{ hash: Buffer }>('SELECT hash FROM nightshift.raw_responses');
  const kept = await Promise.all(['young', 'old, and came again'].map(pack));
  expect(left.rows.map(({ hash }) => hash.toString('hex')).sort()).toEqual(
    kept.map(({ hash }) => hash.toString('hex')).sort(),
  );
});

test('housekeeping deletes all raw responses in batches when retention is zero', async () => {
  const database = await openTestDatabase();
  await keepReplies(
    database.app.sql,
    await Promise.all(Array.from({ length: 2100 }, (_, n) => pack(`reply ${n}`))),
  );
  const { tidy } = createHousekeeping(database.app.sql, repliesFor(0));
  await tidy();
  expect(await countKept(database)).toBe(100);
  await tidy();
  expect(await countKept(database)).toBe(0);
});
