import { eventTypes } from '../../../src/core/events/event.ts';
import type { TestApi } from '../api/test-api.ts';

const targetsMax = 12;
const by = { actor: 'test', address: null };

/**
 * Creates disabled notification targets with the texts in their names, addresses and reasons, and dead deliveries to the first one with
 * the texts as errors. Returns the id of the first.
 */
export async function insertTargets(
  { app, database }: Pick<TestApi, 'app' | 'database'>,
  texts: readonly string[],
): Promise<string> {
  const accountId = app.accounts.defaultId;
  const ids: string[] = [];
  for (const text of texts.slice(0, targetsMax)) {
    const query = new URLSearchParams({ text });
    const target = `https://receiver.invalid/${encodeURIComponent(text)}?${query}`;
    const wanted = { name: text.slice(0, 60).trim(), kind: 'webhook', target, events: eventTypes } as const;
    const { webhookId } = await app.events.webhooks.create(accountId, wanted, by);
    await app.events.webhooks.change(accountId, webhookId, { state: 'disabled' }, by);
    ids.push(webhookId);
  }
  const { pool } = database.owner;
  await pool.query(
    `UPDATE nightshift.webhooks SET state_reason = t.text
      FROM unnest($1::text[], $2::text[]) AS t(id, text) WHERE public_id = t.id`,
    [ids, ids.map((_, i) => texts.filter((__, n) => n % ids.length === i).join(' '))],
  );
  await pool.query(
    `WITH made AS (
      INSERT INTO nightshift.events (public_id, account_id, event, subject, payload)
      SELECT nightshift.new_id('evt'), $1, 'test', 'target ' || n, '{}' FROM generate_series(1, cardinality($3::text[])) n
      RETURNING id, split_part(subject, ' ', 2)::integer AS n
    )
    INSERT INTO nightshift.webhook_deliveries (event_id, webhook_id, state, attempts, tried_at, last_error)
    SELECT m.id, w.id, 'dead', 10, now(), ($3::text[])[m.n]
    FROM made m JOIN nightshift.webhooks w ON w.public_id = $2`,
    [accountId, ids[0], texts],
  );
  return ids[0] ?? '';
}
