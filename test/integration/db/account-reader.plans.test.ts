import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccountLogins } from '../../../db/logins/account-logins.ts';
import type { AccountLogins } from '../../../src/core/sql/account-logins.ts';
import { openLoginAsker, type Ask } from '../../support/api/account-client.ts';
import { createTestDatabase, type TestDatabase } from '../../support/db/database.ts';
import { buildPurgeFixture } from '../../support/db/purge-fixture.ts';

const by = { actor: 'test', address: null };

let database: TestDatabase & { readonly close: () => Promise<void> };
let logins: AccountLogins;
let accountId: number;
let batch: string;
let ask: Ask;
let close = async (): Promise<void> => undefined;

/** Copies of a batch with its rows and lookups, for many more batches of other accounts and some of this one. */
const copies = `SET session_replication_role = replica;
  INSERT INTO nightshift.batches OVERRIDING SYSTEM VALUE SELECT (jsonb_populate_record(b, jsonb_build_object('id', 1000 + n, 'public_id', 'bat_copy' || n,
      'account_id', CASE WHEN n % 50 = 0 THEN b.account_id ELSE 999 END, 'is_current', false))).*
    FROM nightshift.batches b, generate_series(1, 1000) n WHERE b.public_id = $batch$;
  INSERT INTO nightshift.lookups OVERRIDING SYSTEM VALUE SELECT (jsonb_populate_record(l, jsonb_build_object('id', 100000 + c.id * 100 + k,
      'batch_id', c.id, 'account_id', c.account_id, 'subject_key', 'd:copy' || k || '.com'))).*
    FROM nightshift.lookups l, nightshift.batches c, generate_series(1, 30) k WHERE c.public_id LIKE 'bat_copy%'
      AND l.id = (SELECT min(o.id) FROM nightshift.lookups o JOIN nightshift.batches b ON b.id = o.batch_id WHERE b.public_id = $batch$);
  INSERT INTO nightshift.row_blocks (batch_id, block_no, rows, lines, cells, ads_lookups)
    SELECT c.id, 0, 30, '{2}', array_to_string(array_fill('acme.com'::text, '{30}'), E'\\x1e'), array_fill(r.ads_lookup_id, '{30}')
    FROM nightshift.batch_rows r JOIN nightshift.batches b ON b.id = r.batch_id AND b.public_id = $batch$,
      nightshift.batches c WHERE c.public_id LIKE 'bat_copy%' AND r.row_no = 1;
  RESET session_replication_role;
  ANALYZE`;

beforeAll(async () => {
  database = await createTestDatabase();
  accountId = (await buildPurgeFixture(database)).others.accountId;
  const { rows } = await database.owner.pool.query<{ id: string }>(
    `SELECT public_id AS id FROM nightshift.batches WHERE account_id = ${accountId} LIMIT 1`,
  );
  batch = String(rows[0]?.id);
  await database.owner.pool.query(copies.replaceAll('$batch$', `'${batch}'`));
  logins = createAccountLogins({ db: database.app.sql, ownerUrl: database.url });
  ({ ask, close } = await openLoginAsker((await logins.create(accountId, by)).url));
});

afterAll(async () => {
  await close();
  await logins.remove(accountId, by);
  await database.close();
});

const wholeTables = /Seq Scan on (lookups|row_blocks)\b/;

test.each(['lookups', 'rows', 'ads', 'email_results', 'lookup_sources'])(
  'a query with a batch reads only its %s, by indexes',
  async (view) => {
    const answer = await ask(`EXPLAIN ANALYZE SELECT * FROM ${view} WHERE batch = '${batch}'`);
    expect(answer).toContain('QUERY PLAN');
    expect(answer).not.toMatch(wholeTables);
    // Other batches of the account are not read either.
    const loops = [
      ...answer.matchAll(/Index (?:Only )?Scan using (?:lookups_|row_blocks_)\w+[^"]*loops=(\d+)/g),
    ];
    for (const [step, count] of loops) expect(Number(count), step).toBeLessThan(40);
    expect(await ask(`SELECT count(*)::int AS n FROM ${view} WHERE batch = '${batch}'`)).toMatch(
      view === 'email_results' ? /"n":\d/ : /"n":[1-9]/,
    );
  },
);

test.each(['lookups', 'rows', 'ads'])(
  'a query of all %s of an account reads them by its batches, without those of other accounts',
  async (view) => {
    const answer = await ask(`EXPLAIN SELECT count(*) FROM ${view}`);
    expect(answer).toContain('QUERY PLAN');
    expect(answer).not.toMatch(wholeTables);
  },
);
