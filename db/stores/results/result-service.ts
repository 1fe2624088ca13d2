import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { ResultService } from '../../../src/core/batches/result-service.ts';
import { createReader, type Reader } from '../../replica/reader.ts';
import { createAdHistories } from './ad-histories.ts';
import { createEmailList } from './email-list.ts';
import { createFacetStore } from './facet-store.ts';
import { createResultIndex } from './result-index.ts';

/** Implements the pages of results. @param reader of the pages; default: they are read from `db`, which keeps the index. */
export function createResultService(
  db: NodePgDatabase,
  reader: Reader = createReader(db, null),
): ResultService {
  return {
    facets: reader.of(createFacetStore),
    histories: reader.of(createAdHistories),
    emails: reader.of(createEmailList),
    index: createResultIndex(db),
  };
}
