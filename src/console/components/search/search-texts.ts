import type { components } from '../../../../examples/typescript-client/schema.ts';

type Schedule = components['schemas']['Schedule'];

/** Search options as text; empty: not set. */
export interface SearchTexts {
  /** Names of sources, separated by commas. */
  readonly sources: string;
  readonly region: string;
  readonly max_ads: string;
  readonly own_only: boolean;
  readonly max_age: string;
}

/** No options: the default sources, and all of their ads. */
export const noSearch: SearchTexts = { sources: '', region: '', max_ads: '', own_only: false, max_age: '' };

/** Converts search options to text. */
export function searchTextsOf(
  terms: Pick<Schedule, 'sources' | 'region' | 'max_ads' | 'own_only' | 'max_age'>,
): SearchTexts {
  return {
    sources: terms.sources.join(', '),
    region: optionText(terms.region),
    max_ads: optionText(terms.max_ads),
    own_only: terms.own_only,
    max_age: optionText(terms.max_age),
  };
}

/** Converts an option to text; null: empty. */
export function optionText(value: string | number | null): string {
  return value === null ? '' : String(value);
}

/** Converts search options to the parameters of a batch, without those not set. */
export function searchQuery({
  sources,
  own_only: own,
  ...texts
}: SearchTexts): readonly (readonly [name: string, value: string])[] {
  return [
    ...Object.entries({ source: sources, ...texts })
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ''),
    ...(own ? [['own_only', 'true'] as const] : []),
  ];
}
