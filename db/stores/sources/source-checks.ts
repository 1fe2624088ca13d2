import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { LiveCheck, SourceChecks } from '../../../src/core/sources/reply-shape.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { lookups } from '../../schema/lookups.ts';
import { sourceCalls, sourceSmokes } from '../../schema/sources.ts';
import { findReply } from './raw-responses.ts';

export type { SourceChecks };

/** Checks in `nightshift.source_smokes`, replies in `nightshift.raw_responses`. */
export function createSourceChecks(db: Sql): SourceChecks {
  return {
    list: () => withDatabase(() => listChecks(db)),
    keep: (check) => withDatabase(() => keepCheck(db, check)),
    readReplies: (requestId) => withDatabase(() => readReplies(db, requestId)),
  };
}

function listChecks(db: Sql): Promise<readonly LiveCheck[]> {
  return db.select().from(sourceSmokes).orderBy(sourceSmokes.source);
}

async function keepCheck(
  db: Sql,
  { source, outcome, missing, added }: Omit<LiveCheck, 'checkedAt'>,
): Promise<void> {
  await db
    .insert(sourceSmokes)
    .values({ source, outcome, missing, added })
    .onConflictDoUpdate({
      target: sourceSmokes.source,
      set: { checkedAt: sql`now()`, outcome, missing, added },
    });
}

async function readReplies(db: Sql, requestId: string): Promise<readonly string[]> {
  const { id, lookupId, responseHash } = sourceCalls;
  const calls = await db
    .select({ id })
    .from(lookups)
    .innerJoin(sourceCalls, eq(lookupId, lookups.id))
    .where(and(eq(lookups.requestId, requestId), isNotNull(responseHash)))
    .orderBy(id);
  const replies = await Promise.all(calls.map((call) => findReply(db, call.id)));
  return replies.flatMap((reply) => reply ?? []);
}
