import type { paths } from '../../../../examples/typescript-client/schema.ts';
import type { Query } from '../../api/use-query.ts';
import { emailStatusNames, recommendationNames } from '../../components/result-labels.ts';
import { keyOf } from '../results/filter.ts';

type EmailsQuery = NonNullable<paths['/v1/emails']['get']['parameters']['query']>;
type Reason = NonNullable<EmailsQuery['reason']>;

/** Filter of verdicts in the form of the API. */
export type EmailFilter = Omit<EmailsQuery, 'limit' | 'after'>;

/** Names of the filters in the URL. */
export const emailFilterNames = ['q', 'batch', 'reason', 'status', 'recommendation'] as const;

/** Parses the filter of the URL into parameters of the API. */
export function parseEmailFilter(query: Pick<Query, 'get'>): EmailFilter {
  const status = keyOf(emailStatusNames, query.get('status'));
  const recommendation = keyOf(recommendationNames, query.get('recommendation'));
  const [q, batch, reason] = [query.get('q'), query.get('batch'), query.get('reason')];
  return {
    ...(q === '' ? {} : { q }),
    ...(batch === '' ? {} : { batch }),
    // The server rejects unknown reasons.
    ...(reason === '' ? {} : { reason: reason as Reason }),
    ...(status === undefined ? {} : { status }),
    ...(recommendation === undefined ? {} : { recommendation }),
  };
}
