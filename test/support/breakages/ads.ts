import type { Breakage } from './breakage.ts';
import { unguarded } from './by-hand.ts';

/** Ways to break invariant 6. */
export const ads: readonly Breakage[] = [
  {
    number: 6,
    name: 'a missing ad',
    by: ({ foundTwo }) =>
      unguarded(
        'lookup_ads',
        `DELETE FROM nightshift.lookup_ads WHERE lookup_id = ${foundTwo} AND position = 2`,
      ),
    finding: ({ foundTwo }) =>
      `lookup ${foundTwo} (found) says it saw 2 ads; stored are 1, at positions 1 to 1`,
  },
  {
    number: 6,
    name: 'a gap in the positions',
    by: ({ foundTwo }) =>
      unguarded(
        'lookup_ads',
        `UPDATE nightshift.lookup_ads SET position = 3 WHERE lookup_id = ${foundTwo} AND position = 2`,
      ),
    finding: ({ foundTwo }) =>
      `lookup ${foundTwo} (found) says it saw 2 ads; stored are 2, at positions 1 to 3`,
  },
  {
    number: 6,
    name: 'a lookup with a wrong count of ads',
    by: ({ foundOne }) =>
      unguarded('lookups', `UPDATE nightshift.lookups SET ads_count = 2 WHERE id = ${foundOne}`),
    finding: ({ foundOne }) => `lookup ${foundOne} (found) says it saw 2 ads; stored are 1`,
  },
  {
    number: 6,
    name: 'ads of a lookup that found none',
    by: ({ none }) =>
      `INSERT INTO nightshift.lookup_ads (lookup_id, position, version_id) VALUES (${none}, 1, 1)`,
    finding: ({ none }) => `lookup ${none} (none) says it saw 0 ads; stored are 1`,
  },
  {
    number: 6,
    name: 'ads of a lookup that does not exist',
    by: () => 'INSERT INTO nightshift.lookup_ads (lookup_id, position, version_id) VALUES (424242, 1, 1)',
    finding: () => '1 ads are stored for lookup 424242, which does not exist',
  },
  {
    number: 6,
    name: 'a missing advertiser of a lookup',
    by: ({ foundTwo }) => `DELETE FROM nightshift.lookup_advertisers WHERE lookup_id = ${foundTwo}`,
    finding: ({ foundTwo }) => `lookup ${foundTwo} saw ads of `,
  },
  {
    number: 6,
    name: 'an advertiser of a lookup that does not exist',
    by: () =>
      `INSERT INTO nightshift.lookup_advertisers (lookup_id, subject, account_id) VALUES (424242, 'AR1', 1)`,
    finding: () => 'lookup 424242 is sighted with ads of AR1, and does not exist',
  },
  {
    number: 6,
    name: 'a missing version',
    by: () => unguarded('ad_versions', 'DELETE FROM nightshift.ad_versions WHERE id = 2'),
    finding: ({ foundTwo }) => `lookup ${foundTwo} saw version 2 at position 2, and there is no such version`,
  },
  {
    number: 6,
    name: 'an ad without its ids',
    by: () => 'DELETE FROM nightshift.ads WHERE id = 2',
    finding: ({ foundTwo }) => `lookup ${foundTwo} saw version 2 at position 2, and its ad 2 does not exist`,
  },
  {
    number: 6,
    name: 'a missing variant',
    by: () =>
      unguarded('ad_variants', 'DELETE FROM nightshift.ad_variants WHERE version_id = 1 AND position = 2'),
    finding: () => 'version 1 says it has 2 variants; stored are 1',
  },
  {
    number: 6,
    name: 'variants of a version without variants',
    by: () => `INSERT INTO nightshift.ad_variants (version_id, position, content) VALUES (999, 1, 'x')`,
    finding: () => '1 variants are stored for version 999, which says it has none or does not exist',
  },
  {
    number: 6,
    name: 'a version that was edited',
    by: () => unguarded('ad_versions', `UPDATE nightshift.ad_versions SET headline = 'Sell' WHERE id = 1`),
    finding: () => 'version 1 of ad 1 no longer fits the hash of its content',
  },
  {
    number: 6,
    name: 'a variant that was edited',
    by: () =>
      unguarded(
        'ad_variants',
        'UPDATE nightshift.ad_variants SET width = 301 WHERE version_id = 1 AND position = 1',
      ),
    finding: () => 'version 1 of ad 1 no longer fits the hash of its content',
  },
  {
    number: 6,
    name: 'ads without their trigger',
    by: () => 'ALTER TABLE nightshift.lookup_ads DISABLE TRIGGER append_only',
    finding: () => 'trigger append_only of table lookup_ads is disabled',
  },
];
