import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { eq, inArray, lt, sql } from 'drizzle-orm';
import type { Sql } from '../../connection/client.ts';
import { rawResponses, sourceCalls } from '../../schema/sources.ts';
import { texts } from '../sql/arrays.ts';

/** A compressed reply. */
export interface PackedReply {
  /** SHA-256 of its text. */
  readonly hash: Buffer;
  readonly body: Buffer;
}

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** JSON shrinks to a tenth at this quality, in a millisecond per page; higher qualities cost more than they save. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

export async function pack(reply: string): Promise<PackedReply> {
  const bytes = Buffer.from(reply, 'utf8');
  return { hash: createHash('sha256').update(bytes).digest(), body: await compress(bytes, quality) };
}

/** Equal replies are stored once, with the time of the last one. Sorted, so that two processes with the same replies do not deadlock. */
export async function keepReplies(db: Sql, replies: readonly PackedReply[]): Promise<void> {
  if (replies.length === 0) return;
  const distinct = new Map(replies.map(({ hash, body }) => [hash.toString('hex'), body.toString('hex')]));
  const sorted = [...distinct].sort(([a], [b]) => (a < b ? -1 : 1));
  await db.execute(
    sql`INSERT INTO nightshift.raw_responses (hash, body)
      SELECT decode(r.hash, 'hex'), decode(r.body, 'hex')
      FROM unnest(${texts(sorted.map(([hash]) => hash))}, ${texts(sorted.map(([, body]) => body))}) AS r(hash, body)
      ON CONFLICT (hash) DO UPDATE SET received_at = now()`,
  );
}

/** Reads the reply to a call; null if it no longer exists. */
export async function findReply(db: Sql, callId: bigint): Promise<string | null> {
  const [found] = await db
    .select({ body: rawResponses.body })
    .from(sourceCalls)
    .innerJoin(rawResponses, eq(rawResponses.hash, sourceCalls.responseHash))
    .where(eq(sourceCalls.id, callId));
  return found === undefined ? null : (await decompress(found.body)).toString('utf8');
}

/** Deletes replies whose last receipt is older, at most `limit`. Returns their number. */
export async function deleteRawResponses(db: Sql, before: Date, limit: number): Promise<number> {
  const { hash, receivedAt } = rawResponses;
  const old = db
    .select({ hash })
    .from(rawResponses)
    .where(lt(receivedAt, before))
    .orderBy(receivedAt)
    .limit(limit)
    .for('update', { skipLocked: true });
  const gone = await db.delete(rawResponses).where(inArray(hash, old));
  return gone.rowCount ?? 0;
}
