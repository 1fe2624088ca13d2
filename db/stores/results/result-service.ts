import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { ResultService } from '../../../src/core/batches/result-service.ts';
import { createAdHistories } from './ad-histories.ts';
import { createEmailList } from './email-list.ts';
import { createFacetStore } from './facet-store.ts';
import { createResultIndex } from './result-index.ts';

/** Implements the pages of results. */
export function createResultService(db: NodePgDatabase): ResultService {
  return {
    facets: createFacetStore(db),
    histories: createAdHistories(db),
    emails: createEmailList(db),
    index: createResultIndex(db),
  };
}
