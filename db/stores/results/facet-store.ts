import { and, eq } from 'drizzle-orm';
import { rowsArePurged } from '../../../src/core/batches/batch.ts';
import type { Facets, FacetStore } from '../../../src/core/batches/facets.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { batches } from '../../schema/batches.ts';
import { batchFacets } from '../../schema/results.ts';
import { readSummary } from '../batches/batch-summaries.ts';
import { countFacets } from './count-facets.ts';

/** Number of rows whose ads are counted while a batch runs, because a page waits for it. */
const adRowsMax = 5000;

/** Store of a batch's facets: counted when the batch finished, or on demand. */
export function createFacetStore(db: Sql): FacetStore {
  return {
    read: (accountId, batch) =>
      withDatabase(async () => {
        const { batchId, purgedAt } = await readSummary(db, accountId, batch);
        if (purgedAt !== null) throw rowsArePurged(batch, purgedAt);
        return (await readCounted(db, batchId)) ?? countFacets(db, batchId, adRowsMax);
      }),
  };
}

async function readCounted(db: Sql, batchId: number): Promise<Facets | null> {
  const { facets, finishedAt } = batchFacets;
  const [counted] = await db
    .select({ facets })
    .from(batchFacets)
    .innerJoin(batches, and(eq(batches.id, batchFacets.batchId), eq(batches.finishedAt, finishedAt)))
    .where(eq(batchFacets.batchId, batchId));
  return counted?.facets ?? null;
}
