import type { Breakage } from './breakage.ts';
import { unconstrained } from './by-hand.ts';

/** A webhook, and a pending delivery to it of the event of the finished batch. */
const reported = `INSERT INTO nightshift.webhooks (public_id, account_id, name, kind, target, events)
    VALUES ('whk_1', 1, 'jane', 'email', 'jane@acme.com', '{batch.completed}');
  INSERT INTO nightshift.webhook_deliveries (event_id, webhook_id)
    SELECT n.id, w.id FROM nightshift.events n, nightshift.webhooks w`;

function after(statement: string): string {
  return `${reported};\n${statement}`;
}

/** Ways to break invariants 8 and 12 in events. */
export const events: readonly Breakage[] = [
  {
    number: 8,
    name: 'a delivery that stays claimed after its lease',
    by: () => after(`UPDATE nightshift.webhook_deliveries SET lease_until = now() - interval '2 min'`),
    finding: () => 'is on its way to webhook whk_1, and the lease on it ended 120 s ago',
  },
  {
    number: 8,
    name: 'a delivery to a removed webhook',
    by: () => after(`UPDATE nightshift.webhooks SET state = 'removed'`),
    finding: () => 'is on its way to webhook whk_1, which was removed',
  },
  {
    number: 8,
    name: 'two deliveries of one event to one webhook',
    by: () =>
      after(
        unconstrained(
          'webhook_deliveries',
          'webhook_deliveries_event_id_webhook_id_pk',
          'INSERT INTO nightshift.webhook_deliveries SELECT * FROM nightshift.webhook_deliveries',
        ),
      ),
    finding: () => '2 times',
  },
  {
    number: 8,
    name: 'a delivered event without a time',
    by: () =>
      after(
        unconstrained(
          'webhook_deliveries',
          'webhook_deliveries_time',
          `UPDATE nightshift.webhook_deliveries SET state = 'delivered'`,
        ),
      ),
    finding: () => 'without a time',
  },
  {
    number: 8,
    name: 'an abandoned event with a lease',
    by: () =>
      after(
        unconstrained(
          'webhook_deliveries',
          'webhook_deliveries_lease',
          `UPDATE nightshift.webhook_deliveries SET state = 'dead', lease_until = now()`,
        ),
      ),
    finding: () => 'but is still claimed',
  },
  {
    number: 12,
    name: 'an event for a webhook of another account',
    by: () =>
      after(`INSERT INTO nightshift.accounts (id, name) OVERRIDING SYSTEM VALUE VALUES (2, 'other');
        UPDATE nightshift.webhooks SET account_id = 2`),
    finding: () => 'of account 1 goes to webhook whk_1 of account 2',
  },
  {
    number: 12,
    name: 'a delivery of a missing event',
    by: () => after('DELETE FROM nightshift.events'),
    finding: () => 'which does not exist',
  },
  {
    number: 12,
    name: 'a delivery to a missing webhook',
    by: () => after('DELETE FROM nightshift.webhooks'),
    finding: () => 'goes to webhook',
  },
  {
    number: 12,
    name: 'an event of an account that does not exist',
    by: () => 'UPDATE nightshift.events SET account_id = 99',
    finding: () => 'belongs to account 99, which does not exist',
  },
];
