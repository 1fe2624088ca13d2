import { keysUnder } from './keys-under.ts';

/** Key paths of the ads in shape B (docs/architecture/contract.md, 2.2), which several sources share. */
export const shapeBKeys: readonly string[] = [
  'ads',
  ...keysUnder('ads[]', [
    'advertiser_id',
    'creative_id',
    'original_url',
    'variants',
    'start',
    'last_seen',
    'advertiser_name',
    'format',
  ]),
  ...keysUnder('ads[].variants[]', ['content', 'height', 'width']),
];
