import { sql } from 'drizzle-orm';
import { rowsArePurged } from '../../../src/core/batches/batch.ts';
import type { Facets, FacetStore } from '../../../src/core/batches/facets.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { readSummary } from '../batches/batch-summaries.ts';
import { countFacets } from './count-facets.ts';

/** Number of rows whose ads are counted while a batch runs: a page waits for it. */
const adRowsMax = 5000;

/** Store of a batch's facets: counted when the batch finished, or counted now. */
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
  const { rows } = await db.execute<{ facets: Facets }>(
    sql`SELECT f.facets FROM nightshift.batch_facets f
      JOIN nightshift.batches b ON b.id = f.batch_id AND b.finished_at = f.finished_at
      WHERE f.batch_id = ${batchId}`,
  );
  return rows[0]?.facets ?? null;
}
