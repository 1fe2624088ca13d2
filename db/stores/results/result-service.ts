import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { ResultDesk } from '../../../src/core/results/result-service.ts';
import { createAdHistories } from './ad-histories.ts';
import { createEmailList } from './email-list.ts';
import { createFacetStore } from './facet-store.ts';
import { createResultIndex } from './result-index.ts';

/** Results as people look at them. */
export function createResultDesk(db: NodePgDatabase): ResultDesk {
  return {
    facets: createFacetStore(db),
    histories: createAdHistories(db),
    emails: createEmailList(db),
    index: createResultIndex(db),
  };
}
