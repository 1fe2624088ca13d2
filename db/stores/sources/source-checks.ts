import { sql } from 'drizzle-orm';
import type { LiveCheck, SourceChecks } from '../../../src/core/sources/reply-shape.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { texts } from '../sql/arrays.ts';
import { findReply } from './raw-responses.ts';

export type { SourceChecks };

/** Checks in `nightshift.source_smokes`, replies in `nightshift.raw_replies`. */
export function createSourceChecks(db: Sql): SourceChecks {
  return {
    list: () => withDatabase(() => listChecks(db)),
    keep: (check) => withDatabase(() => keepCheck(db, check)),
    readReplies: (requestId) => withDatabase(() => readReplies(db, requestId)),
  };
}

async function listChecks(db: Sql): Promise<readonly LiveCheck[]> {
  const found = await db.execute<{
    source: string;
    checked_at: string;
    outcome: string;
    missing: readonly string[];
    added: readonly string[];
  }>(sql`SELECT source, checked_at, outcome, missing, added FROM nightshift.source_smokes ORDER BY source`);
  return found.rows.map(({ checked_at: checkedAt, ...row }) => ({ ...row, checkedAt: new Date(checkedAt) }));
}

async function keepCheck(
  db: Sql,
  { source, outcome, missing, added }: Omit<LiveCheck, 'checkedAt'>,
): Promise<void> {
  await db.execute(
    sql`INSERT INTO nightshift.source_smokes (source, outcome, missing, added)
      VALUES (${source}, ${outcome}, ${texts(missing)}, ${texts(added)})
      ON CONFLICT (source) DO UPDATE SET checked_at = now(), outcome = excluded.outcome, missing = excluded.missing,
        added = excluded.added`,
  );
}

async function readReplies(db: Sql, requestId: string): Promise<readonly string[]> {
  const calls = await db.execute<{ id: string }>(
    sql`SELECT c.id FROM nightshift.lookups l JOIN nightshift.source_calls c ON c.lookup_id = l.id
      WHERE l.request_id = ${requestId} AND c.reply_hash IS NOT NULL ORDER BY c.id`,
  );
  const replies = await Promise.all(calls.rows.map(({ id }) => findReply(db, BigInt(id))));
  return replies.flatMap((reply) => reply ?? []);
}
