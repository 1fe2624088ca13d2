import type { TestDatabase } from '../db/database.ts';

/** An event as it lies in the outbox. */
export interface StoredEvent {
  readonly eventId: string;
  readonly event: string;
  readonly subject: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The names of the webhooks that it is for, in the order in which they were made. */
  readonly webhooks: readonly string[];
}

/** All events, in the order in which they were made. */
export async function readStoredEvents({ owner }: TestDatabase): Promise<readonly StoredEvent[]> {
  const { rows } = await owner.pool.query<StoredEvent>(
    `SELECT n.public_id AS "eventId", n.event, n.subject, n.payload,
        array(SELECT w.name FROM nightshift.webhook_deliveries d JOIN nightshift.webhooks w ON w.id = d.webhook_id
          WHERE d.event_id = n.id ORDER BY w.id) AS webhooks
      FROM nightshift.events n ORDER BY n.id`,
  );
  return rows;
}
