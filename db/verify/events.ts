import { sql } from 'drizzle-orm';
import { countOf, type Clause } from './clause.ts';

/** A claim of a dead process is taken over by the next process that delivers. Disabled webhooks receive nothing. */
export function deliveriesAreRescued(rescueMs: number): Clause {
  return {
    checked: countOf(sql`nightshift.webhook_deliveries`),
    broken: sql`SELECT format('event %s is on its way to webhook %s, and the lease on it ended %s s ago',
          coalesce(n.public_id, d.event_id::text), w.public_id, floor(extract(epoch FROM now() - d.lease_until))) AS finding
      FROM nightshift.webhook_deliveries d
      JOIN nightshift.webhooks w ON w.id = d.webhook_id AND w.state = 'active'
      LEFT JOIN nightshift.events n ON n.id = d.event_id
      WHERE d.state = 'pending' AND d.lease_until < now() - ${rescueMs} * interval '1 millisecond'`,
  };
}

/**
 * An event goes to a webhook once, and a delivered one has a time; abandoned deliveries, and those of removed webhooks, are not
 * claimed.
 */
export const deliveriesAreWhole: Clause = {
  checked: null,
  broken: sql`SELECT format('event %s goes to webhook %s %s times', d.event_id, d.webhook_id, count(*)) AS finding
    FROM nightshift.webhook_deliveries d GROUP BY d.event_id, d.webhook_id HAVING count(*) > 1
    UNION ALL
    SELECT format('event %s is %s to webhook %s, %s', d.event_id, d.state, d.webhook_id, CASE
        WHEN d.state = 'delivered' AND d.delivered_at IS NULL THEN 'without a time'
        WHEN d.state <> 'delivered' AND d.delivered_at IS NOT NULL THEN 'but has a delivery time'
        ELSE 'but is still claimed' END)
    FROM nightshift.webhook_deliveries d
    WHERE (d.state = 'delivered') <> (d.delivered_at IS NOT NULL) OR (d.state <> 'pending' AND d.lease_until IS NOT NULL)
    UNION ALL
    SELECT format('event %s is on its way to webhook %s, which was removed', d.event_id, w.public_id)
    FROM nightshift.webhook_deliveries d JOIN nightshift.webhooks w ON w.id = d.webhook_id
    WHERE d.state = 'pending' AND w.state = 'removed'`,
};

/** Events of an account go to webhooks of that account. */
export const eventsStayInAccount: Clause = {
  checked: countOf(sql`nightshift.events`),
  broken: sql`SELECT format('a delivery is of event %s, which does not exist', d.event_id) AS finding
    FROM nightshift.webhook_deliveries d LEFT JOIN nightshift.events n ON n.id = d.event_id WHERE n.id IS NULL
    UNION ALL
    SELECT format('event %s goes to webhook %s, which does not exist', n.public_id, d.webhook_id)
    FROM nightshift.webhook_deliveries d JOIN nightshift.events n ON n.id = d.event_id
    LEFT JOIN nightshift.webhooks w ON w.id = d.webhook_id WHERE w.id IS NULL
    UNION ALL
    SELECT format('event %s of account %s goes to webhook %s of account %s', n.public_id, n.account_id, w.public_id, w.account_id)
    FROM nightshift.webhook_deliveries d JOIN nightshift.events n ON n.id = d.event_id
    JOIN nightshift.webhooks w ON w.id = d.webhook_id WHERE w.account_id <> n.account_id
    UNION ALL
    SELECT format('event %s belongs to account %s, which does not exist', n.public_id, n.account_id)
    FROM nightshift.events n LEFT JOIN nightshift.accounts a ON a.id = n.account_id WHERE a.id IS NULL`,
};
