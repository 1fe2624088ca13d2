import type { AdHistories } from './ad-history.ts';
import type { EmailList } from '../validation/email-list.ts';
import type { FacetStore } from './facets.ts';
import type { ResultIndex } from './result-index.ts';

/** Pages of results: ad histories, verdicts, facets and their index. */
export interface ResultService {
  readonly facets: FacetStore;
  readonly histories: AdHistories;
  readonly emails: EmailList;
  readonly index: ResultIndex;
}
