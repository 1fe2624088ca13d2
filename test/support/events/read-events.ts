import type { TestDatabase } from '../db/database.ts';

/** A notice as it lies in the outbox. */
export interface StoredNotice {
  readonly noticeId: string;
  readonly event: string;
  readonly subject: string;
  readonly about: Readonly<Record<string, unknown>>;
  /** The names of the webhooks that it is for, in the order in which they were made. */
  readonly webhooks: readonly string[];
}

/** All notices, in the order in which they were made. */
export async function readNotices({ owner }: TestDatabase): Promise<readonly StoredNotice[]> {
  const { rows } = await owner.pool.query<StoredNotice>(
    `SELECT n.public_id AS "noticeId", n.event, n.subject, n.about,
        array(SELECT w.name FROM nightshift.webhook_deliveries d JOIN nightshift.webhooks w ON w.id = d.webhook_id
          WHERE d.notice_id = n.id ORDER BY w.id) AS webhooks
      FROM nightshift.notices n ORDER BY n.id`,
  );
  return rows;
}
