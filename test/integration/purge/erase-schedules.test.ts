import { expect, test } from 'vitest';
import { createErasure } from '../../../db/stores/purge/erase-address.ts';
import { withoutAddresses } from '../../../db/stores/purge/erase-in-schedules.ts';
import { parseAddress } from '../../../src/core/emails/syntax/address.ts';
import { openTestDatabase, type TestDatabase } from '../../support/db/database.ts';

const text = 'domain,contact\r\nacme.com,Jane.Doe@Acme.com\r\nglobex.com,"x <jane.doe@acme.com>"\r\n';
const left = 'domain,contact\r\nacme.com,[erased]\r\nglobex.com,"x <[erased]>"\r\n';

async function forget({ app }: TestDatabase, address: string) {
  const parsed = parseAddress(address);
  if (parsed.kind === 'invalid') throw new Error(`${address} is no address.`);
  return createErasure(app.sql).erase(parsed.address);
}

async function addSchedule({ owner }: TestDatabase, name: string, list: string): Promise<void> {
  await owner.pool.query(
    `INSERT INTO nightshift.schedules (public_id, account_id, name, cron, time_zone, file_name, file_content, file_options, companies, sources, next_at)
      VALUES ($1, 1, $1, '0 2 * * *', 'UTC', 'list.csv', $2, '{}', 2, '{sample}', now())`,
    [name, Buffer.from(list)],
  );
}

async function addWebhook({ owner }: TestDatabase, name: string, target: string): Promise<void> {
  await owner.pool.query(
    `WITH hook AS (
        INSERT INTO nightshift.webhooks (public_id, account_id, name, kind, target, events)
        VALUES ($1, 1, $1, 'email', $2, '{batch.completed}') RETURNING id
      ), event AS (
        INSERT INTO nightshift.events (public_id, account_id, event, subject, payload)
        VALUES ('evt_' || $1::text, 1, 'batch.completed', $1, '{}') RETURNING id
      )
      INSERT INTO nightshift.webhook_deliveries (event_id, webhook_id) SELECT event.id, hook.id FROM event, hook`,
    [name, target],
  );
}

test('erasure removes a person from the files of schedules and disables their mailbox', async () => {
  const database = await openTestDatabase();
  await addSchedule(database, 'with', text);
  await addSchedule(database, 'without', 'domain\nacme.com\n');
  await addWebhook(database, 'hers', 'Jane.Doe@acme.com');
  await addWebhook(database, 'theirs', 'ads@acme.com');
  expect(await forget(database, 'jane.doe@acme.com')).toEqual({
    lookups: 0,
    rows: 0,
    schedules: 1,
    webhooks: 1,
  });
  const { pool } = database.owner;
  const lists = await pool.query<{ file_content: Buffer }>(
    'SELECT file_content FROM nightshift.schedules ORDER BY id',
  );
  expect(lists.rows.map(({ file_content: content }) => content.toString())).toEqual([
    left,
    'domain\nacme.com\n',
  ]);
  const hooks = await pool.query(
    `SELECT w.state, w.target, d.state AS delivery FROM nightshift.webhooks w
      JOIN nightshift.webhook_deliveries d ON d.webhook_id = w.id ORDER BY w.id`,
  );
  expect(hooks.rows).toEqual([
    { state: 'removed', target: '[erased]', delivery: 'dead' },
    { state: 'active', target: 'ads@acme.com', delivery: 'pending' },
  ]);
  expect(await forget(database, 'jane.doe@acme.com')).toMatchObject({ schedules: 0, webhooks: 0 });
});

test.each(['utf8', 'latin1', 'utf16le'] as const)(
  'erasure keeps every other byte of a file in %s',
  (encoding) => {
    const list = Buffer.from(text.replace('globex.com', 'glöbex.com'), encoding);
    const due = Buffer.from(left.replace('globex.com', 'glöbex.com'), encoding);
    expect(withoutAddresses(list, ['jane.doe@acme.com'])).toEqual(due);
    if (encoding === 'utf16le')
      expect(withoutAddresses(list.swap16(), ['jane.doe@acme.com'])).toEqual(due.swap16());
  },
);
