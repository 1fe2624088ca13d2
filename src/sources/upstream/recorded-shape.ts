import type { RecordedShape } from '../../core/sources/reply-shape.ts';
import { keysUnder } from '../replies/keys-under.ts';
import { shapeBKeys } from '../replies/shape-b-keys.ts';

const shapeA = ['headline', 'description', 'display_url', 'final_url', 'ad_type'];
/** An addition of Nightshift to an ad with ids. */
const added = ['platform'];

/** `AdDetailsJson`, an addition of Nightshift as a server of the contract, and the platform of the ids. */
const timesShown = ['times_shown_lower', 'times_shown_upper', 'times_shown_available_on'];
const beside = [
  ...keysUnder('ads[]', ['platform', 'details']),
  ...keysUnder('ads[].details', [
    ...['days_shown', 'target_domain', 'preview_url', 'topic', 'payer', 'is_grant_funded'],
    ...['targeting', 'regions', 'advertiser'],
  ]),
  ...keysUnder('ads[].details.targeting', [
    ...['demographic_info', 'geo_location', 'contextual_signals', 'customer_lists', 'topics_of_interest'],
  ]),
  ...keysUnder('ads[].details.regions[]', [
    ...['region', 'first_shown', 'last_shown', 'times_shown_from', 'times_shown_to', 'surfaces'],
    ...timesShown,
  ]),
  ...keysUnder('ads[].details.regions[].surfaces[]', ['surface', ...timesShown]),
  ...keysUnder('ads[].details.advertiser', ['legal_name', 'location', 'verification']),
];

/** Fields that published samples lack, and additions of Nightshift as a server of the contract. */
const contractRest = [
  ...['message', 'partial', 'truncated', 'estimate_low', 'estimate_high', 'matched_by', 'source'],
  ...['from_cache', 'observed_at', 'partial_reason', 'uncertain_advertisers'],
  ...beside,
];

/**
 * The two shapes of the service contract (docs/architecture/contract.md, 2.2), and Nightshift's own, which is B with the known
 * fields of A.
 */
export const upstreamShapes: readonly RecordedShape[] = [
  {
    always: [...shapeBKeys, 'credits_consumed'],
    sometimes: ['ads_count', 'company_name', ...keysUnder('ads[]', [...shapeA, ...added]), ...contractRest],
  },
  {
    always: ['ads', ...keysUnder('ads[]', shapeA), 'credits_consumed', 'company_name'],
    sometimes: ['ads_count', ...contractRest],
  },
];
