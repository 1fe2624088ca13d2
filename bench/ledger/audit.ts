import { createVerifyStore } from '../../db/verify/verify-store.ts';
import { withClient } from '../support/bench-server.ts';
import { expectEqual } from '../support/expect.ts';
import { timed } from '../support/figures.ts';
import { runStatements } from '../support/statements.ts';
import type { HotAccount } from './account.ts';

/** Seconds of `verify`, and of its part about the ledger (invariant 4). */
export interface Audit {
  readonly entries: number;
  /** From the first entry on. */
  readonly ledgerSeconds: number;
  readonly verifySeconds: number;
  /** Entries after the checkpoint that the audit stored, and the seconds of the ledger from there on. */
  readonly newEntries: number;
  readonly newSeconds: number;
}

const rowsPerCall = 500;
const priceMicro = 200_000n;

/** Stores this many entries for the lookups of one finished batch: a hold and its end for each, 7 of 10 of them charges. */
export async function storeEntries(
  account: HotAccount,
  ownerUrl: string,
  { entries, batch }: { readonly entries: number; readonly batch: string },
): Promise<void> {
  const lookups = account.takeLookups(Math.ceil(entries / 2));
  for (let from = 0; from < lookups.length; from += rowsPerCall) {
    const part = lookups.slice(from, from + rowsPerCall);
    const hold = (lookupId: bigint) => ({ lookupId, attempt: 1, amountMicro: priceMicro });
    await account.ledger.reserve(account.accountId, part.map(hold));
    const end = (lookupId: bigint) => ({
      ...hold(lookupId),
      amountMicro: isFound(lookupId) ? priceMicro : 0n,
    });
    await account.ledger.resolve(account.accountId, part.map(end));
  }
  await storeLookups(ownerUrl, {
    ':account': String(account.accountId),
    ':batch': `'${batch}'`,
    ':first': String(lookups[0] ?? 0n),
    ':last': String(lookups.at(-1) ?? 0n),
  });
}

function isFound(lookupId: bigint): boolean {
  return lookupId % 10n < 7n;
}

/** Stores the lookups of the entries, so that everything `verify` checks is there and right. */
async function storeLookups(url: string, values: Readonly<Record<string, string>>): Promise<void> {
  await withClient(url, async (client) => {
    await runStatements(client, statements, values);
    await client.query('VACUUM (ANALYZE)');
  });
}

const statements = [
  `INSERT INTO nightshift.batches (public_id, account_id, file_name, state, identity, content_sha256, operations, header, column_map,
      sources, rows_total, lookups_total, last_lookup_id, dispatched_to, loaded_at, finished_at)
    VALUES (:batch, :account, 'audit.csv', 'finished', :batch, :batch, '{ads_search}', '{company}', '{}', '{snapshot}',
      :last - :first + 1, :last - :first + 1, :last, :last, now(), now())`,
  `INSERT INTO nightshift.ads (advertiser_id, creative_id) VALUES ('AR1', 'CR1') ON CONFLICT DO NOTHING`,
  `INSERT INTO nightshift.ad_versions (ad_id, content_hash)
    SELECT id, nightshift.ad_content_hash(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '[]') FROM nightshift.ads
    ON CONFLICT DO NOTHING`,
  `INSERT INTO nightshift.lookups (id, account_id, batch_id, operation, subject_key, company_name, outcome, source, ads_count,
      charged_micro, ended_at, answer_id)
    SELECT n, :account, b.id, 'ads_search', 'n:' || n, n, CASE WHEN n % 10 < 7 THEN 'found' ELSE 'no_match' END, 'snapshot',
      CASE WHEN n % 10 < 7 THEN 1 ELSE 0 END, CASE WHEN n % 10 < 7 THEN ${priceMicro} ELSE 0 END, now(),
      CASE WHEN n % 10 < 7 THEN s.answer_id END
    FROM generate_series(:first::bigint, :last) n, nightshift.batches b,
      (SELECT s.* FROM nightshift.ad_versions v, nightshift.store_answers('{1}', ARRAY[v.id], '{NULL}', '{NULL}') s) s
    WHERE b.public_id = :batch`,
  `INSERT INTO nightshift.row_blocks (batch_id, block_no, rows, lines, cells, ads_lookups)
    SELECT batch_id, (id - :first) / 32, count(*), ARRAY[min(id - :first + 2)], string_agg(company_name, E'\\x1e' ORDER BY id), ARRAY[min(id)]
    FROM nightshift.lookups WHERE id >= :first GROUP BY 1, 2 ORDER BY 2`,
  `INSERT INTO nightshift.chunks (account_id, batch_id, first_lookup_id, last_lookup_id, state, price_micro, lookups, found, no_match,
      charged_micro, first_ended_at, last_ended_at)
    SELECT account_id, batch_id, min(id), max(id), 'done', ${priceMicro}, count(*), count(*) FILTER (WHERE outcome = 'found'),
      count(*) FILTER (WHERE outcome = 'no_match'), sum(charged_micro), min(ended_at), max(ended_at)
    FROM (SELECT *, (id - :first) / 500 AS chunk FROM nightshift.lookups WHERE id >= :first) l GROUP BY account_id, batch_id, chunk`,
];

/** Runs the product's `verify` and ends the benchmark if it finds anything; then again after `store` has added entries. */
export async function measureAudit({ database }: HotAccount, store: () => Promise<void>): Promise<Audit> {
  const verify = createVerifyStore(database.sql);
  const full = await timed(() => verify.check({ only: [4], isFull: true }));
  const all = await timed(() => verify.check());
  const entries = await countEntries(database);
  await store();
  const fresh = await timed(() => verify.check({ only: [4] }));
  expectEqual(
    'What verify found',
    [full, all, fresh].flatMap(({ value }) => value.flatMap((report) => report.broken.slice(0, 2))),
    [],
  );
  return {
    entries,
    ledgerSeconds: full.seconds,
    verifySeconds: all.seconds,
    newEntries: (await countEntries(database)) - entries,
    newSeconds: fresh.seconds,
  };
}

async function countEntries({ pool }: HotAccount['database']): Promise<number> {
  const counted = await pool.query<{ n: number }>(
    'SELECT count(*)::integer AS n FROM nightshift.ledger_entries',
  );
  return counted.rows[0]?.n ?? 0;
}
