import type { AdHistories } from './ad-history.ts';
import type { EmailList } from '../validation/email-list.ts';
import type { FacetStore } from './facets.ts';
import type { ResultIndex } from './result-index.ts';

/** What people look at results with, beside lists of rows and of ads. */
export interface ResultService {
  readonly facets: FacetStore;
  readonly histories: AdHistories;
  readonly emails: EmailList;
  readonly index: ResultIndex;
}
