import type { StandInCreative } from './bigquery-table.ts';

/** The id of the n-th advertiser, `AR` and 20 digits. */
export function advertiserId(n: number): string {
  return `AR${String(n).padStart(20, '0')}`;
}

/** A synthetic creative; what is not given is filled in. `days` says by region when it was first and last shown. */
export function makeCreative(
  advertiser: number,
  creative: number,
  days: Readonly<Record<string, readonly [string, string]>>,
  rest: Partial<StandInCreative> = {},
): StandInCreative {
  return {
    advertiser_id: advertiserId(advertiser),
    creative_id: `CR${String(creative).padStart(20, '0')}`,
    ad_format_type: 'TEXT',
    advertiser_disclosed_name: 'Acme GmbH',
    advertiser_legal_name: null,
    advertiser_location: 'DE',
    region_stats: Object.entries(days).map(([code, [first, last]]) => ({
      region_code: code,
      first_shown: first,
      last_shown: last,
    })),
    ...rest,
  };
}
