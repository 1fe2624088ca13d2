import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { eq, inArray, lt, sql } from 'drizzle-orm';
import type { Sql } from '../../connection/client.ts';
import { rawReplies, sourceCalls } from '../../schema/lookups.ts';
import { texts } from '../sql/arrays.ts';

/** A reply as it is kept. */
export interface PackedReply {
  /** SHA-256 of its text. */
  readonly hash: Buffer;
  readonly body: Buffer;
}

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** JSON shrinks to a tenth at this quality, in a millisecond a page; more would cost more than it saves. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

export async function pack(reply: string): Promise<PackedReply> {
  const bytes = Buffer.from(reply, 'utf8');
  return { hash: createHash('sha256').update(bytes).digest(), body: await compress(bytes, quality) };
}

/** The same reply is kept once, from its last coming on. Sorted: two that keep the same replies wait for each other. */
export async function keepReplies(db: Sql, replies: readonly PackedReply[]): Promise<void> {
  if (replies.length === 0) return;
  const distinct = new Map(replies.map(({ hash, body }) => [hash.toString('hex'), body.toString('hex')]));
  const sorted = [...distinct].sort(([a], [b]) => (a < b ? -1 : 1));
  await db.execute(
    sql`INSERT INTO nightshift.raw_replies (hash, body)
      SELECT decode(r.hash, 'hex'), decode(r.body, 'hex')
      FROM unnest(${texts(sorted.map(([hash]) => hash))}, ${texts(sorted.map(([, body]) => body))}) AS r(hash, body)
      ON CONFLICT (hash) DO UPDATE SET kept_at = now()`,
  );
}

/** The reply to a call; null when it is not there any more. */
export async function findReply(db: Sql, callId: bigint): Promise<string | null> {
  const [found] = await db
    .select({ body: rawReplies.body })
    .from(sourceCalls)
    .innerJoin(rawReplies, eq(rawReplies.hash, sourceCalls.replyHash))
    .where(eq(sourceCalls.id, callId));
  return found === undefined ? null : (await decompress(found.body)).toString('utf8');
}

/** Forgets replies that came last before that, `limit` of them at most. Answers how many. */
export async function forgetRawReplies(db: Sql, before: Date, limit: number): Promise<number> {
  const { hash, keptAt } = rawReplies;
  const old = db
    .select({ hash })
    .from(rawReplies)
    .where(lt(keptAt, before))
    .orderBy(keptAt)
    .limit(limit)
    .for('update', { skipLocked: true });
  const gone = await db.delete(rawReplies).where(inArray(hash, old));
  return gone.rowCount ?? 0;
}
