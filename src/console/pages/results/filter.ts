import type { components, paths } from '../../../../examples/typescript-client/schema.ts';
import { outcomeNames, emailStatusNames, recommendationNames } from '../../components/result-labels.ts';
import type { Query } from '../../api/use-query.ts';

type RowsQuery = NonNullable<paths['/v1/batches/{id}/rows']['get']['parameters']['query']>;

/** Filter of results in the form of the API. */
export type ResultFilter = Omit<RowsQuery, 'limit' | 'after'>;

/** Filters whose value in the URL is plain text. */
const texts = [
  'q',
  'company_domain',
  'company_name',
  'reason',
  'advertiser_id',
  'ad_format',
  'seen_since',
] as const;
/** Names of all filters in the URL. */
export const filterNames = [...texts, 'outcome', 'email_status', 'recommendation'] as const;

/** Filters that concern rows, not ads. */
export const rowFilterNames = ['outcome', 'reason', 'email_status', 'recommendation'] as const;

/** View of the results: ads as pictures, rows, or ads as a table. */
export type ResultTab = 'gallery' | 'companies' | 'ads';

/** Number of ads of a batch; undefined until the ads of all rows are counted. */
export function countedAds(
  facets: Pick<components['schemas']['Facets'], 'ads' | 'ads_of_rows' | 'rows'> | undefined,
): number | undefined {
  return facets?.ads_of_rows === facets?.rows ? facets?.ads : undefined;
}

/** Parses the filter of the URL. Ignores unknown values. */
export function parseResultFilter(query: Pick<Query, 'get'>): ResultFilter {
  const given = texts.flatMap((name) => (query.get(name) === '' ? [] : [[name, query.get(name)] as const]));
  return {
    ...Object.fromEntries(given),
    ...chosen('outcome', outcomeNames, query),
    ...chosen('email_status', emailStatusNames, query),
    ...chosen('recommendation', recommendationNames, query),
  };
}

/** Finds a text among the keys of `names`. */
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

/** Formats a filter as a query string. */
export function filterText(filter: ResultFilter): string {
  return new URLSearchParams(
    Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString();
}
