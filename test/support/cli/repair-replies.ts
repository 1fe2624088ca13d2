import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { withClient } from '../db/test-postgres.ts';

/**
 * Changes kept replies under the hashes that they have, as `mend` says. A new version that reads what an old one could not is what a
 * test cannot have: to the one that runs, a reply that was mended is the same.
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
