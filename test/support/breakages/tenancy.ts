import type { Breakage } from './breakage.ts';
import { moveCredits, unguarded } from './by-hand.ts';

const otherAccount = `INSERT INTO nightshift.accounts (id, name) OVERRIDING SYSTEM VALUE VALUES (2, 'other')`;

/** A link to the report of the finished batch. */
const link = `INSERT INTO nightshift.report_links (public_id, account_id, digest, batch_id, created_by, expires_at)
  SELECT 'rpl_1', 1, sha256('x'), id, 'cli', now() + interval '7 days' FROM nightshift.batches WHERE state = 'finished'`;

/** Ways to break invariant 12. */
export const tenancy: readonly Breakage[] = [
  {
    number: 12,
    name: 'an audit log without its trigger',
    by: () => 'ALTER TABLE nightshift.audit_log DISABLE TRIGGER append_only',
    finding: () => 'trigger append_only of table audit_log is disabled',
  },
  {
    number: 12,
    name: 'a lookup of another account than its batch',
    by: ({ undispatched }) =>
      `${otherAccount}; UPDATE nightshift.lookup_blocks SET account_id = 2 WHERE ${undispatched} = ANY (ids)`,
    finding: ({ undispatched, runningId }) =>
      `lookup ${undispatched} belongs to account 2, its batch ${runningId} to account 1`,
  },
  {
    number: 12,
    name: 'a lookup of an account that does not exist',
    by: ({ request }) =>
      unguarded('lookups', `UPDATE nightshift.lookups SET account_id = 99 WHERE id = ${request}`),
    finding: ({ request }) => `lookup ${request} belongs to account 99, which does not exist`,
  },
  {
    number: 12,
    name: 'a chunk of another account than its lookups',
    by: ({ queued }) =>
      `${otherAccount}; UPDATE nightshift.chunks SET account_id = 2 WHERE first_lookup_id = ${queued}`,
    finding: ({ queued }) => `belongs to account 2, its lookups from ${queued} on to account 1`,
  },
  {
    number: 12,
    name: 'a ledger entry of one account for a lookup of another',
    by: ({ none }) => `${otherAccount};
      INSERT INTO nightshift.credit_balances (account_id) VALUES (2);
      SELECT nightshift.credit_grant(2, '{k}', '{1000000}', '{test}');
      ${moveCredits(none, { accountId: 2, end: 'release' })}`,
    finding: ({ none }) => `entry 2 of account 2 is for lookup ${none} of account 1`,
  },
  {
    number: 12,
    name: 'a link to the report of another account',
    by: () => `${otherAccount}; ${link}; UPDATE nightshift.report_links SET account_id = 2`,
    finding: ({ finishedId }) => `link rpl_1 of account 2 shows batch ${finishedId} of account 1`,
  },
  {
    number: 12,
    name: 'a link to a report that lasts longer than 90 days',
    by: () => `${link}; UPDATE nightshift.report_links SET expires_at = now() + interval '1 year'`,
    finding: () => 'link rpl_1 expires more than 90 days after it was created',
  },
  {
    number: 12,
    name: 'a view that its readers cannot read',
    by: () => 'REVOKE SELECT ON reports.rows FROM nightshift_reader',
    finding: () => 'nightshift_reader may not read reports.rows',
  },
  {
    number: 12,
    name: 'a table that readers can read',
    by: () => 'GRANT SELECT ON nightshift.lookups TO nightshift_reader',
    finding: () => 'nightshift_reader may read nightshift.lookups',
  },
  {
    number: 12,
    name: 'a table column that readers can read',
    by: () => 'GRANT SELECT (identity) ON nightshift.batches TO nightshift_reader',
    finding: () => 'nightshift_reader may read nightshift.batches',
  },
  {
    number: 12,
    name: 'a view that readers can write through',
    by: () => 'GRANT UPDATE ON reports.prices TO nightshift_reader',
    finding: () => 'nightshift_reader may UPDATE reports.prices',
  },
];
