import { sql } from 'drizzle-orm';
import { countOf, type Clause } from './clause.ts';

/** A claim whose process died is taken over by the next that delivers. To a webhook that is switched off nothing is delivered. */
export function deliveriesAreRescued(rescueMs: number): Clause {
  return {
    checked: countOf(sql`nightshift.webhook_deliveries`),
    broken: sql`SELECT format('notice %s is on its way to webhook %s, and the lease on it ended %s s ago',
          coalesce(n.public_id, d.notice_id::text), w.public_id, floor(extract(epoch FROM now() - d.lease_until))) AS finding
      FROM nightshift.webhook_deliveries d
      JOIN nightshift.webhooks w ON w.id = d.webhook_id AND w.state = 'active'
      LEFT JOIN nightshift.notices n ON n.id = d.notice_id
      WHERE d.state = 'pending' AND d.lease_until < now() - ${rescueMs} * interval '1 millisecond'`,
  };
}

/** A notice goes to a webhook once, and what has arrived says when; what is given up, or was for a removed webhook, rests. */
export const deliveriesAreWhole: Clause = {
  checked: null,
  broken: sql`SELECT format('notice %s goes to webhook %s %s times', d.notice_id, d.webhook_id, count(*)) AS finding
    FROM nightshift.webhook_deliveries d GROUP BY d.notice_id, d.webhook_id HAVING count(*) > 1
    UNION ALL
    SELECT format('notice %s is %s to webhook %s, %s', d.notice_id, d.state, d.webhook_id, CASE
        WHEN d.state = 'delivered' AND d.delivered_at IS NULL THEN 'and nobody knows when'
        WHEN d.state <> 'delivered' AND d.delivered_at IS NOT NULL THEN 'and yet it has arrived'
        ELSE 'and yet it is claimed' END)
    FROM nightshift.webhook_deliveries d
    WHERE (d.state = 'delivered') <> (d.delivered_at IS NOT NULL) OR (d.state <> 'pending' AND d.lease_until IS NOT NULL)
    UNION ALL
    SELECT format('notice %s is on its way to webhook %s, which was removed', d.notice_id, w.public_id)
    FROM nightshift.webhook_deliveries d JOIN nightshift.webhooks w ON w.id = d.webhook_id
    WHERE d.state = 'pending' AND w.state = 'removed'`,
};

/** Events of an account go to webhooks of that account. */
export const noticesStayAtHome: Clause = {
  checked: countOf(sql`nightshift.notices`),
  broken: sql`SELECT format('a delivery is of notice %s, which does not exist', d.notice_id) AS finding
    FROM nightshift.webhook_deliveries d LEFT JOIN nightshift.notices n ON n.id = d.notice_id WHERE n.id IS NULL
    UNION ALL
    SELECT format('notice %s goes to webhook %s, which does not exist', n.public_id, d.webhook_id)
    FROM nightshift.webhook_deliveries d JOIN nightshift.notices n ON n.id = d.notice_id
    LEFT JOIN nightshift.webhooks w ON w.id = d.webhook_id WHERE w.id IS NULL
    UNION ALL
    SELECT format('notice %s of account %s goes to webhook %s of account %s', n.public_id, n.account_id, w.public_id, w.account_id)
    FROM nightshift.webhook_deliveries d JOIN nightshift.notices n ON n.id = d.notice_id
    JOIN nightshift.webhooks w ON w.id = d.webhook_id WHERE w.account_id <> n.account_id
    UNION ALL
    SELECT format('notice %s belongs to account %s, which does not exist', n.public_id, n.account_id)
    FROM nightshift.notices n LEFT JOIN nightshift.accounts a ON a.id = n.account_id WHERE a.id IS NULL`,
};
