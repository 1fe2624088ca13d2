import type { Breakage } from './breakage.ts';
import { unguarded } from './by-hand.ts';

/** Query for the id of a lookup's answer. */
function answerOf(lookupId: bigint): string {
  return `SELECT answer_id FROM nightshift.lookup_answers WHERE lookup_id = ${lookupId}`;
}

/** Changes a lookup, which its constraints reject. */
function editing(lookupId: bigint, change: string): string {
  return unguarded(
    'lookups',
    `ALTER TABLE nightshift.lookups DROP CONSTRAINT lookups_answer, DROP CONSTRAINT lookups_found_has_ads;
      UPDATE nightshift.lookups SET ${change} WHERE id = ${lookupId}`,
  );
}

/** Ways to break invariant 6. */
export const ads: readonly Breakage[] = [
  {
    number: 6,
    name: 'a missing answer of a lookup',
    by: ({ foundTwo }) => editing(foundTwo, 'answer_id = NULL'),
    finding: ({ foundTwo }) => `lookup ${foundTwo} (found) says it saw 2 ads; stored are 0`,
  },
  {
    number: 6,
    name: 'an answer that does not exist',
    by: ({ foundTwo }) =>
      unguarded('answers', `DELETE FROM nightshift.answers WHERE id = (${answerOf(foundTwo)})`),
    finding: ({ foundTwo }) => `lookup ${foundTwo} refers to answer `,
  },
  {
    number: 6,
    name: 'an answer without one of its ads',
    by: ({ foundTwo }) =>
      unguarded(
        'answers',
        `UPDATE nightshift.answers SET versions = versions[:1] WHERE id = (${answerOf(foundTwo)})`,
      ),
    finding: () => 'says it has 2 ads; stored are 1 versions, 2 starts and 2 last days',
  },
  {
    number: 6,
    name: 'an answer in another order',
    by: ({ foundTwo }) =>
      unguarded(
        'answers',
        `UPDATE nightshift.answers SET versions = ARRAY[versions[2], versions[1]] WHERE id = (${answerOf(foundTwo)})`,
      ),
    finding: () => 'no longer fits the hash of its content',
  },
  {
    number: 6,
    name: 'an answer with another day',
    by: ({ foundTwo }) =>
      unguarded(
        'answers',
        `UPDATE nightshift.answers SET starts[1] = '1999-01-01' WHERE id = (${answerOf(foundTwo)})`,
      ),
    finding: () => 'no longer fits the hash of its content',
  },
  {
    number: 6,
    name: 'a lookup with a wrong count of ads',
    by: ({ foundOne }) => editing(foundOne, 'ads_count = 2'),
    finding: ({ foundOne }) => `lookup ${foundOne} (found) says it saw 2 ads; stored are 1`,
  },
  {
    number: 6,
    name: 'ads of a lookup that found none',
    by: ({ none, foundOne }) => editing(none, `answer_id = (${answerOf(foundOne)})`),
    finding: ({ none }) => `lookup ${none} (none) says it saw 0 ads; stored are 1`,
  },
  {
    number: 6,
    name: 'a missing advertiser of an answer',
    by: ({ foundTwo }) =>
      unguarded(
        'answer_advertisers',
        `DELETE FROM nightshift.answer_advertisers WHERE answer_id = (${answerOf(foundTwo)})`,
      ),
    finding: () => ', and does not record it',
  },
  {
    number: 6,
    name: 'an advertiser of an answer that does not exist',
    by: () => `INSERT INTO nightshift.answer_advertisers (answer_id, subject) VALUES (424242, 'AR1')`,
    finding: () => 'advertiser AR1 is recorded for answer 424242, which does not exist',
  },
  {
    number: 6,
    name: 'an advertiser without ads in the answer',
    by: ({ foundTwo }) =>
      `INSERT INTO nightshift.answer_advertisers (answer_id, subject) VALUES ((${answerOf(foundTwo)}), 'AR-other')`,
    finding: () => 'records AR-other, and has no ads of it',
  },
  {
    number: 6,
    name: 'an advertiser of a snapshot with the answer of another day',
    by: () => `INSERT INTO nightshift.snapshots (name, is_generated) VALUES ('snapshot', false) ON CONFLICT DO NOTHING;
      INSERT INTO nightshift.advertisers (snapshot_id, advertiser_id, newest_day) SELECT id, 'AR-stale', '1999-01-01' FROM nightshift.snapshots LIMIT 1`,
    finding: () => 'the answer of advertiser AR-stale of snapshot ',
  },
  {
    number: 6,
    name: 'a missing version',
    by: () => unguarded('ad_versions', 'DELETE FROM nightshift.ad_versions WHERE id = 2'),
    finding: () => ' has version 2 at position 2, and there is no such version',
  },
  {
    number: 6,
    name: 'an ad without its ids',
    by: () => 'DELETE FROM nightshift.ads WHERE id = 2',
    finding: () => ' has version 2 at position 2, and its ad 2 does not exist',
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
    by: () => 'ALTER TABLE nightshift.answers DISABLE TRIGGER append_only',
    finding: () => 'trigger append_only of table answers is disabled',
  },
];
