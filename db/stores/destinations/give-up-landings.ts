import { and, eq } from 'drizzle-orm';
import type { Sql } from '../../connection/client.ts';
import { landings } from '../../schema/destinations.ts';

/** Abandons all pending landings of a destination; in the caller's transaction, which has locked the destination. */
export async function giveUpLandings(db: Sql, destinationKey: number, reason: string): Promise<void> {
  await db
    .update(landings)
    .set({ state: 'dead', leaseUntil: null, lastError: reason })
    .where(and(eq(landings.destinationId, destinationKey), eq(landings.state, 'pending')));
}
