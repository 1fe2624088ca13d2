import type { TestDatabase } from '../db/database.ts';

/** An event in the outbox. */
export interface StoredEvent {
  readonly eventId: string;
  readonly event: string;
  readonly subject: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Names of the webhooks that receive it, in order of creation. */
  readonly webhooks: readonly string[];
}

/** Reads all events in order of creation. */
export async function readStoredEvents({ owner }: TestDatabase): Promise<readonly StoredEvent[]> {
  const { rows } = await owner.pool.query<StoredEvent>(
    `SELECT n.public_id AS "eventId", n.event, n.subject, n.payload,
        array(SELECT w.name FROM nightshift.webhook_deliveries d JOIN nightshift.webhooks w ON w.id = d.webhook_id
          WHERE d.event_id = n.id ORDER BY w.id) AS webhooks
      FROM nightshift.events n ORDER BY n.id`,
  );
  return rows;
}
