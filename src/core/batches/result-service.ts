import type { AdHistories } from './ad-history.ts';
import type { EmailList } from '../validation/email-list.ts';
import type { FacetStore } from './facets.ts';

/** Pages of results: ad histories, verdicts, facets and their index. */
export interface ResultService {
  readonly facets: FacetStore;
  readonly histories: AdHistories;
  readonly emails: EmailList;
  readonly index: ResultIndex;
}

/** Port: what the results of long lists are found by. A copy of what the record says, made beside the work. */
export interface ResultIndex {
  /**
   * Makes it for every batch that is over and lacks it, one after the other. Searches are right without it, and slower.
   *
   * @throws the signal's reason once it is aborted; what was made until then stays.
   */
  update(signal: AbortSignal): Promise<void>;
}
