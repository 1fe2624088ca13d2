import type { StandInCreative } from './bigquery-table.ts';

/** Id of the nth advertiser: `AR` and 20 digits. */
export function advertiserId(n: number): string {
  return `AR${String(n).padStart(20, '0')}`;
}

/** A synthetic creative with defaults for omitted fields. `days` has the first and last day by region. */
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
    advertiser_verification_status: 'VERIFIED',
    region_stats: Object.entries(days).map(([code, [first, last]]) => ({
      region_code: code,
      first_shown: first,
      last_shown: last,
    })),
    ...rest,
  };
}
