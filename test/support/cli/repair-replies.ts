import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { withClient } from '../db/test-postgres.ts';

/**
 * Replaces stored raw responses under their hashes with the result of `repair`. A test cannot run an old version that fails to
 * parse a response and a new one that parses it; for the current version a repaired response has the same effect.
 */
export async function repairReplies(databaseUrl: string, repair: (reply: string) => string): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const kept = await client.query<{ hash: Buffer; body: Buffer }>(
      'SELECT hash, body FROM nightshift.raw_responses',
    );
    for (const { hash, body } of kept.rows) {
      const repaired = brotliCompressSync(repair(brotliDecompressSync(body).toString()));
      await client.query('UPDATE nightshift.raw_responses SET body = $2 WHERE hash = $1', [hash, repaired]);
    }
    return kept.rows.length;
  });
}
