import type { paths } from '../../../../examples/typescript-client/schema.ts';
import type { Query } from '../../api/use-query.ts';

type RowsQuery = NonNullable<paths['/v1/batches/{id}/rows']['get']['parameters']['query']>;

/** Filter of results, as the API takes it. */
export type ResultFilter = Omit<RowsQuery, 'limit' | 'after'>;

/** Labels of outcomes, in display order. */
export const outcomeNames = {
  found: 'Ads found',
  none: 'No ads',
  no_match: 'Company not recognised',
  failed: 'Failed',
  rejected: 'Row not usable',
  cancelled: 'Cancelled',
  open: 'Not looked up yet',
} as const;

/** Labels of verdicts. */
export const emailStatusNames = {
  valid: 'Valid',
  invalid: 'Invalid',
  catch_all: 'Accepts anything',
  unknown: 'Not known',
} as const;

/** Labels of recommendations. */
export const recommendationNames = {
  send: 'Write to it',
  review: 'Look at it first',
  do_not_send: 'Do not write',
} as const;

/** The fields of a filter that stand in the address as they are. */
const texts = [
  'q',
  'company_domain',
  'company_name',
  'reason',
  'advertiser_id',
  'ad_format',
  'seen_since',
] as const;
export const filterNames = [...texts, 'outcome', 'email_status', 'recommendation'] as const;

/** Filter in the address; unknown values are ignored. */
export function filterOf(query: Pick<Query, 'get'>): ResultFilter {
  const given = texts.flatMap((name) => (query.get(name) === '' ? [] : [[name, query.get(name)] as const]));
  return {
    ...Object.fromEntries(given),
    ...chosen('outcome', outcomeNames, query),
    ...chosen('email_status', emailStatusNames, query),
    ...chosen('recommendation', recommendationNames, query),
  };
}

/** The key of `names` that a text is, if it is one. */
export function keyOf<Names extends Readonly<Record<string, string>>>(
  names: Names,
  text: string,
): (keyof Names & string) | undefined {
  return Object.keys(names).find((key): key is keyof Names & string => key === text);
}

function chosen<Name extends string, Names extends Readonly<Record<string, string>>>(
  name: Name,
  names: Names,
  query: Pick<Query, 'get'>,
): { readonly [each in Name]?: keyof Names & string } {
  const key = keyOf(names, query.get(name));
  return key === undefined ? {} : ({ [name]: key } as { readonly [each in Name]?: keyof Names & string });
}

/** A filter as the end of an address. */
export function filterText(filter: ResultFilter): string {
  return new URLSearchParams(
    Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString();
}
