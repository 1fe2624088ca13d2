import type { RecordedShape } from '../../core/sources/reply-shape.ts';
import { shapeBKeys } from '../replies/shape-b-keys.ts';

/** Recorded form of a page: docs.adyntel.com/ad-libraries/google; `total_ad_count` as public callers read it. */
export const adyntelShape: RecordedShape = {
  always: [...shapeBKeys, 'continuation_token'],
  sometimes: ['country_code', 'total_ad_count'],
};
