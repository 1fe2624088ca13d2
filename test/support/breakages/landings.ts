import type { Breakage } from './breakage.ts';
import { unconstrained } from './by-hand.ts';

/** A destination that takes the finished batch, and its landing with a part of seven rows and a manifest. */
const landed = `INSERT INTO nightshift.destinations (public_id, account_id, name, location, is_of_account, format, shapes, options, takes_since)
    VALUES ('dst_1', 1, 'lake', '{"kind": "folder", "path": "/lake"}', false, 'csv', '{rows}', '{}', now() - interval '1 hour');
  SELECT nightshift.open_landings(b) FROM nightshift.batches b WHERE b.state = 'finished';
  INSERT INTO nightshift.landing_parts SELECT id, part, 'file-' || part, 7 * part, 100, 'aa', now()
    FROM nightshift.landings, generate_series(0, 1) part;
  UPDATE nightshift.landings SET state = 'landed', landed_at = now(), rows = 7, bytes = 100, parts = 1`;

function after(statement: string): string {
  return `${landed};\n${statement}`;
}

/** Ways to break invariants 8, 12 and 15 in landings. */
export const landings: readonly Breakage[] = [
  {
    number: 8,
    name: 'a landing that stays claimed after its lease',
    by: () =>
      after(
        `UPDATE nightshift.landings SET state = 'pending', landed_at = NULL, lease_until = now() - interval '2 min'`,
      ),
    finding: () => 'is being written to destination dst_1, and the lease on it ended 120 s ago',
  },
  {
    number: 12,
    name: 'a batch that lands in a destination of another account',
    by: () =>
      after(`INSERT INTO nightshift.accounts (id, name) OVERRIDING SYSTEM VALUE VALUES (2, 'other');
        UPDATE nightshift.destinations SET account_id = 2`),
    finding: () => 'of account 1 lands in destination dst_1 of account 2',
  },
  {
    number: 15,
    name: 'a finished batch without a landing',
    by: () => after('DELETE FROM nightshift.landing_parts; DELETE FROM nightshift.landings'),
    finding: ({ finishedId }) => `batch ${finishedId} has no landing of its rows in destination dst_1`,
  },
  {
    number: 15,
    name: 'a landing of an earlier completion',
    by: () => after(`UPDATE nightshift.landings SET content_key = 'older'`),
    finding: () => 'is of an earlier completion',
  },
  {
    number: 15,
    name: 'a landing with fewer rows than its size',
    by: () => after('UPDATE nightshift.landing_parts SET rows = 6 WHERE part = 1'),
    finding: () => 'has 1 parts with 7 rows and 100 bytes, and its parts are 1 with 6 rows',
  },
  {
    number: 15,
    name: 'a landing with a part that was not confirmed',
    by: () => after('UPDATE nightshift.landing_parts SET written_at = NULL WHERE part = 1'),
    finding: () => 'and its parts are 0 with 0 rows',
  },
  {
    number: 15,
    name: 'a landing without a manifest',
    by: () => after('DELETE FROM nightshift.landing_parts WHERE part = 0'),
    finding: () => 'has landed without a manifest',
  },
  {
    number: 15,
    name: 'a part without a landing',
    by: () =>
      after(
        unconstrained(
          'landing_parts',
          'landing_parts_landing_id_landings_id_fk',
          `UPDATE nightshift.landing_parts SET landing_id = 99 WHERE part = 1;
           UPDATE nightshift.landings SET state = 'pending', landed_at = NULL`,
        ),
      ),
    finding: () => 'belongs to no landing',
  },
  {
    number: 15,
    name: 'two parts with one path',
    by: () => after(`UPDATE nightshift.landing_parts SET path = 'same'`),
    finding: () => '2 parts of destination dst_1 have the path same',
  },
];
