import type { RecordedShape } from '../../core/sources/reply-shape.ts';
import { keysUnder } from '../replies/keys-under.ts';
import { shapeBKeys } from '../replies/shape-b-keys.ts';

const shapeA = ['headline', 'description', 'display_url', 'final_url', 'ad_type'];

/** Fields that published samples lack, and additions of Nightshift as a server of the contract. */
const contractRest = [
  ...['message', 'partial', 'truncated', 'estimate_low', 'estimate_high', 'matched_by', 'source'],
  ...['from_cache', 'observed_at', 'partial_reason', 'uncertain_advertisers'],
];

/**
 * The two shapes of the service contract (docs/architecture/contract.md, 2.2), and Nightshift's own, which is B with the known
 * fields of A.
 */
export const upstreamShapes: readonly RecordedShape[] = [
  {
    always: [...shapeBKeys, 'credits_consumed'],
    sometimes: ['ads_count', 'company_name', ...keysUnder('ads[]', shapeA), ...contractRest],
  },
  {
    always: ['ads', ...keysUnder('ads[]', shapeA), 'credits_consumed', 'company_name'],
    sometimes: ['ads_count', ...contractRest],
  },
];
