import type { InvariantNumber } from '../../../src/core/reports/invariants.ts';
import { editRows } from '../db/edit-rows.ts';
import type { EmailFixture } from '../dns-smtp/email-fixture.ts';

/** A `Breakage` of a batch of addresses. */
export interface EmailBreakage {
  readonly number: InvariantNumber;
  readonly name: string;
  readonly by: (fixture: EmailFixture) => string;
  readonly finding: (fixture: EmailFixture) => string;
  readonly also?: readonly InvariantNumber[];
}

/** Manual damage to a healthy batch of addresses, and the invariant that must report it. */
export const emailBreakages: readonly EmailBreakage[] = [
  {
    number: 2,
    name: 'a wrong count of addresses',
    by: ({ publicId }) =>
      `UPDATE nightshift.batches SET email_lookups_total = 3 WHERE public_id = '${publicId}'`,
    finding: ({ publicId }) => `batch ${publicId} says 3 addresses; stored are 2`,
  },
  {
    number: 2,
    name: 'a missing verdict',
    by: ({ free }) => `DELETE FROM nightshift.email_results WHERE lookup_id = ${free}`,
    finding: ({ free }) => `lookup ${free} is completed, and its verdict is missing`,
    also: [3],
  },
  {
    number: 2,
    name: 'a verdict without a lookup',
    by: ({ free }) =>
      `INSERT INTO nightshift.email_results SELECT (e).* FROM (
        SELECT jsonb_populate_record(e, '{"lookup_id": 424242}') AS e FROM nightshift.email_results e WHERE lookup_id = ${free}) c`,
    finding: () => 'a verdict is stored for lookup 424242, which does not exist',
  },
  {
    number: 3,
    name: 'a charge for an unknown verdict',
    by: ({ charged }) =>
      `UPDATE nightshift.email_results SET status = 'unknown' WHERE lookup_id = ${charged};
      UPDATE nightshift.chunks SET invalid = invalid - 1, unknown = unknown + 1 WHERE first_lookup_id <= ${charged} AND last_lookup_id >= ${charged}`,
    finding: ({ charged }) => `lookup ${charged} got the verdict unknown, which is free, and cost 0.01`,
  },
  {
    number: 2,
    name: 'wrong counts of verdicts in a chunk',
    by: ({ charged }) =>
      `UPDATE nightshift.chunks SET invalid = 0, valid = 1 WHERE first_lookup_id <= ${charged} AND last_lookup_id >= ${charged}`,
    finding: () =>
      'counts 1 valid, 1 unknown of 2 lookups; its lookups are 1 invalid, 1 unknown of 2 lookups',
  },
  {
    number: 1,
    name: 'a row whose company lookup is an address lookup',
    by: ({ charged }) =>
      editRows(
        `UPDATE nightshift.batch_rows SET ads_lookup_id = ${charged} WHERE email_lookup_id = ${charged}`,
      ),
    finding: ({ charged }) => `points at lookup ${charged} for ads_search, which is for email_validation`,
  },
];
