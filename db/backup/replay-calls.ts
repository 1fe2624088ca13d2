import type pg from 'pg';
import type { BegunRecord, CallRecord, EndedRecord } from '../../src/core/backup/call-records.ts';
import { withConnection } from '../connection/postgres-client.ts';
import { chargedAnswers } from '../stores/sources/charged-answers.ts';

/** Calls that a restore has brought back. */
export interface ReplayedCalls {
  /** Calls that the restored record did not know. */
  readonly calls: number;
  /** Number of calls, also of those that were in flight at the restored moment, whose answers are known now. */
  readonly answered: number;
}

/**
 * Completes the calls of a restored record with those of the archive: a lookup that the record has open reads the reply instead of paying
 * again, and so does a later lookup for a call whose own lookup is lost.
 *
 * Ids of calls and lookups that were used after the restored moment are never used again: they would stand for something else.
 *
 * @param url login of a superuser.
 * @param read reads all records of the archive; called twice, because the end of a call may be in a file before its begin.
 */
export function replayCalls(
  url: string,
  read: () => AsyncIterable<readonly CallRecord[]>,
): Promise<ReplayedCalls> {
  return withConnection({ connectionString: url, application_name: 'nightshift restore' }, async (client) => {
    let calls = 0;
    let answered = 0;
    for await (const records of read()) calls += await addBegun(client, records.filter(isBegun));
    for await (const records of read()) answered += await addEnded(client, records.filter(isEnded));
    await countCalls(client);
    await finish(client);
    return { calls, answered };
  });
}

/**
 * Returns the day, UTC, from which on an archive may know calls that the record does not: the day before its last call, in case the clock was ahead
 * then, or that of the oldest one without an answer. The first day of all for a record without calls.
 */
export function readReplayDay(url: string): Promise<string> {
  return withConnection({ connectionString: url, application_name: 'nightshift restore' }, async (client) => {
    const { rows } = await client.query<{ day: string | null }>(
      `SELECT to_char(least(
          (SELECT sent_at - interval '1 day' FROM nightshift.source_calls ORDER BY id DESC LIMIT 1),
          (SELECT min(sent_at) FROM nightshift.source_calls WHERE answer IS NULL),
          (SELECT min(sent_at) FROM nightshift.restored_calls WHERE answer IS NULL)
        ) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day`,
    );
    return rows[0]?.day ?? '0000-00-00';
  });
}

function isBegun(record: CallRecord): record is BegunRecord {
  return 'begunAt' in record;
}

function isEnded(record: CallRecord): record is EndedRecord {
  return 'endedAt' in record;
}

async function addBegun(client: pg.Client, records: readonly BegunRecord[]): Promise<number> {
  if (records.length === 0) return 0;
  await advanceIds(client, records);
  const { rows } = await client.query<{ added: number }>(
    `WITH unknown AS (
        SELECT n.*, EXISTS (SELECT FROM nightshift.all_lookups l WHERE l.id = n.lookup_id AND l.account_id = n.account_id) AS has_lookup
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::numeric[],
          $9::timestamptz[]) AS n(id, account_id, lookup_id, source, bucket, request_key, description, units, sent_at)
        WHERE NOT EXISTS (SELECT FROM nightshift.source_calls c WHERE c.id = n.id)
      ), known AS (
        INSERT INTO nightshift.source_calls (id, account_id, lookup_id, source, bucket, request_key, description, units, sent_at)
        OVERRIDING SYSTEM VALUE
        SELECT id, account_id, lookup_id, source, bucket, request_key, description, units, sent_at FROM unknown WHERE has_lookup
        ON CONFLICT DO NOTHING RETURNING id
      ), lost AS (
        INSERT INTO nightshift.restored_calls (id, account_id, source, bucket, description, units, sent_at)
        SELECT id, account_id, source, bucket, description, units, sent_at FROM unknown WHERE NOT has_lookup
        ON CONFLICT DO NOTHING RETURNING id
      )
      SELECT ((SELECT count(*) FROM known) + (SELECT count(*) FROM lost))::integer AS added`,
    [
      records.map(({ call }) => String(call)),
      records.map(({ accountId }) => accountId),
      records.map(({ lookupId }) => String(lookupId)),
      records.map(({ source }) => source),
      records.map(({ bucket }) => bucket),
      records.map(({ requestKey }) => requestKey),
      records.map(({ about }) => about),
      records.map(({ unitsMax }) => String(unitsMax)),
      records.map(({ begunAt }) => begunAt),
    ],
  );
  return rows[0]?.added ?? 0;
}

/** Moves the sequences beyond the ids of the records. */
async function advanceIds(client: pg.Client, records: readonly BegunRecord[]): Promise<void> {
  const callMax = records.reduce((max, { call }) => (call > max ? call : max), 0n);
  const lookupMax = records.reduce((max, { lookupId }) => (lookupId > max ? lookupId : max), 0n);
  await client.query<{ call: string; lookup: string }>(
    `SELECT setval('nightshift.source_calls_id_seq', greatest($1::bigint, s.last_value)) AS call,
      setval('nightshift.lookup_id_blocks', greatest(($2::bigint / 1000 + 1) * 1000, l.last_value)) AS lookup
     FROM nightshift.source_calls_id_seq s, nightshift.lookup_id_blocks l`,
    [String(callMax), String(lookupMax)],
  );
}

async function addEnded(client: pg.Client, records: readonly EndedRecord[]): Promise<number> {
  if (records.length === 0) return 0;
  const { rows } = await client.query<{ added: number }>(
    `WITH ended AS (
        SELECT * FROM unnest($1::bigint[], $2::timestamptz[], $3::text[], $4::numeric[], $5::numeric[], $6::bytea[], $7::bytea[])
          AS e(id, answered_at, answer, units, charged, hash, body)
      ), known AS (
        UPDATE nightshift.source_calls c SET answered_at = e.answered_at, answer = e.answer, units = e.units, source_charge = e.charged,
          response_hash = e.hash
        FROM ended e WHERE c.id = e.id AND c.answered_at IS NULL
        RETURNING e.hash, e.body
      ), lost AS (
        UPDATE nightshift.restored_calls c SET answered_at = e.answered_at, answer = e.answer, units = e.units, source_charge = e.charged,
          response_hash = e.hash
        FROM ended e WHERE c.id = e.id AND c.answered_at IS NULL
        RETURNING e.hash, e.body
      ), replies AS (
        INSERT INTO nightshift.raw_responses (hash, body)
        SELECT DISTINCT ON (hash) hash, body FROM (SELECT hash, body FROM known UNION ALL SELECT hash, body FROM lost) r
        WHERE hash IS NOT NULL AND body IS NOT NULL
        ON CONFLICT (hash) DO UPDATE SET received_at = now()
      )
      SELECT ((SELECT count(*) FROM known) + (SELECT count(*) FROM lost))::integer AS added`,
    [
      records.map(({ call }) => String(call)),
      records.map(({ endedAt }) => endedAt),
      records.map(({ answer }) => answer),
      records.map(({ units }) => String(units)),
      records.map(({ charged }) => (charged === null ? null : String(charged))),
      records.map(({ reply }) => reply?.hash ?? null),
      records.map(({ reply }) => reply?.body ?? null),
    ],
  );
  return rows[0]?.added ?? 0;
}

/** Counts the calls towards the limits of today, UTC, and towards the cost of their batches. */
async function countCalls(client: pg.Client): Promise<void> {
  const sentToday = `
    SELECT c.source, c.bucket, c.account_id FROM nightshift.source_calls c
    WHERE c.sent_at >= date_trunc('day', now(), 'UTC') AND c.answer IS DISTINCT FROM 'not_sent'
    UNION ALL
    SELECT r.source, r.bucket, r.account_id FROM nightshift.restored_calls r
    WHERE r.sent_at >= date_trunc('day', now(), 'UTC') AND r.answer IS DISTINCT FROM 'not_sent'`;
  await client.query(
    `INSERT INTO nightshift.source_states (bucket, source, day, day_calls)
      SELECT t.bucket, min(t.source), (now() AT TIME ZONE 'UTC')::date, count(*) FROM (${sentToday}) t GROUP BY t.bucket
      ON CONFLICT (bucket) DO UPDATE SET day = excluded.day, day_calls = excluded.day_calls, spent_day = NULL`,
  );
  await client.query(
    `UPDATE nightshift.account_source_limits a SET day = (now() AT TIME ZONE 'UTC')::date, day_calls = t.calls
      FROM (SELECT c.account_id, c.source, count(*) AS calls FROM (${sentToday}) c GROUP BY c.account_id, c.source) t
      WHERE t.account_id = a.account_id AND t.source = a.source`,
  );
  await client.query('UPDATE nightshift.batch_spending s SET spent = nightshift.spent_by_batch(s.batch_id)');
}

/** Drops lost calls that cost nothing, and stops the archiving: a copy of the record must not write into the archive of the original. */
async function finish(client: pg.Client): Promise<void> {
  await client.query('DELETE FROM nightshift.restored_calls WHERE answer <> ALL ($1)', [chargedAnswers]);
  await client.query('DELETE FROM nightshift.archive');
}
