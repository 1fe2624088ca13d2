import { and, desc, eq, lt, ne, type SQL } from 'drizzle-orm';
import type { LandingPage } from '../../../src/core/destinations/destination-store.ts';
import type { Landing } from '../../../src/core/destinations/landing.ts';
import type { Sql } from '../../connection/client.ts';
import { batches } from '../../schema/batches.ts';
import { destinations, landings } from '../../schema/destinations.ts';

/** Lists the landings of a destination, newest first. Null when the cursor is not a landing of it. */
export async function listLandings(
  db: Sql,
  destinationKey: number,
  { limit, before, state, batch }: LandingPage,
): Promise<readonly Landing[] | null> {
  const ofDestination = eq(landings.destinationId, destinationKey);
  const [cursor] =
    before === null
      ? []
      : await db
          .select({ id: landings.id })
          .from(landings)
          .where(and(ofDestination, eq(landings.contentKey, before)));
  if (before !== null && cursor === undefined) return null;
  const found = await select(
    db,
    and(
      ofDestination,
      cursor === undefined ? undefined : lt(landings.id, cursor.id),
      state === null ? undefined : eq(landings.state, state),
      batch === null ? undefined : eq(batches.publicId, batch),
    ),
  )
    .orderBy(desc(landings.id))
    .limit(limit);
  return found.map(toLanding);
}

/** Lists the landings of a batch, without those of removed destinations. */
export async function listOfBatch(db: Sql, batchId: number): Promise<readonly Landing[]> {
  const found = await select(
    db,
    and(eq(landings.batchId, batchId), ne(destinations.state, 'removed')),
  ).orderBy(destinations.id, landings.id);
  return found.map(toLanding);
}

function select(db: Sql, condition: SQL | undefined) {
  return db
    .select({
      destinationId: destinations.publicId,
      destination: destinations.name,
      batch: batches.publicId,
      shape: landings.shape,
      revision: landings.revision,
      contentKey: landings.contentKey,
      state: landings.state,
      attempts: landings.attempts,
      nextAt: landings.nextAt,
      triedAt: landings.triedAt,
      lastError: landings.lastError,
      landedAt: landings.landedAt,
      note: landings.note,
      rows: landings.rows,
      bytes: landings.bytes,
      parts: landings.parts,
      createdAt: landings.createdAt,
    })
    .from(landings)
    .innerJoin(destinations, eq(destinations.id, landings.destinationId))
    .innerJoin(batches, eq(batches.id, landings.batchId))
    .where(condition)
    .$dynamic();
}

function toLanding(row: Landing & { readonly nextAt: Date | null }): Landing {
  return { ...row, nextAt: row.state === 'pending' ? row.nextAt : null };
}
