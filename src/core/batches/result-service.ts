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

/** Port: the search index of large batches. It copies the results in the background. */
export interface ResultIndex {
  /**
   * Builds the index of every finished batch that lacks one, one after the other. Searches without it are correct, but slower.
   *
   * @throws the signal's reason when it aborts; finished parts remain.
   */
  update(signal: AbortSignal): Promise<void>;
}
