import { and, desc, eq, lt, sql } from 'drizzle-orm';
import { NotFound } from '../../../src/core/errors.ts';
import type { Delivery, DeliveryPage, Replay } from '../../../src/core/events/webhook-store.ts';
import type { Sql } from '../../connection/client.ts';
import { notices, webhookDeliveries } from '../../schema/events.ts';
import { msAgo } from '../sql/moments.ts';

/** The deliveries of a webhook, the newest notices first. Null when the page is to go on after what is no notice of the account. */
export async function listDeliveries(
  db: Sql,
  accountId: number,
  webhookKey: number,
  { limit, before, state }: DeliveryPage,
): Promise<readonly Delivery[] | null> {
  const beforeKey = before === null ? null : await findNotice(db, accountId, before);
  if (before !== null && beforeKey === null) return null;
  const { publicId: noticeId, event, createdAt } = notices;
  const {
    state: stateNow,
    attempts,
    nextAt,
    triedAt,
    lastStatus,
    lastError,
    deliveredAt,
  } = webhookDeliveries;
  const deliveries = await db
    .select({
      noticeId,
      event,
      state: stateNow,
      attempts,
      nextAt,
      triedAt,
      lastStatus,
      lastError,
      deliveredAt,
      createdAt,
    })
    .from(webhookDeliveries)
    .innerJoin(notices, eq(notices.id, webhookDeliveries.noticeId))
    .where(
      and(
        eq(webhookDeliveries.webhookId, webhookKey),
        beforeKey === null ? undefined : lt(webhookDeliveries.noticeId, beforeKey),
        state === null ? undefined : eq(stateNow, state),
      ),
    )
    .orderBy(desc(webhookDeliveries.noticeId))
    .limit(limit);
  return deliveries.map((each) => ({ ...each, nextAt: each.state === 'pending' ? each.nextAt : null }));
}

/** Sends notices again, at once and with all attempts anew; the caller's transaction, which has the webhook locked. Answers how many. */
export async function replayNotices(
  db: Sql,
  accountId: number,
  webhookKey: number,
  replay: Replay,
): Promise<number> {
  switch (replay.kind) {
    case 'notice': {
      const key = await findNotice(db, accountId, replay.noticeId);
      if (key === null) throw new NotFound(`There is no notice ${replay.noticeId}.`);
      return sendAgain(db, webhookKey, sql`n.id = ${key}`);
    }
    case 'dead':
      return sendAgain(db, webhookKey, sql`d.state = 'dead'`);
    case 'since':
      return sendAgain(
        db,
        webhookKey,
        sql`n.created_at > ${msAgo(replay.ageMs)} AND n.event = ANY (w.events)
          AND (n.for_webhooks IS NULL OR w.id = ANY (n.for_webhooks)) AND (d.state IS NULL OR d.state = 'dead')`,
      );
  }
}

/** Sends events `n` to webhook `w` again, over delivery `d`, where there is one. */
async function sendAgain(db: Sql, webhookKey: number, condition: ReturnType<typeof sql>): Promise<number> {
  const sent = await db.execute(
    sql`INSERT INTO nightshift.webhook_deliveries AS o (notice_id, webhook_id)
      SELECT n.id, w.id FROM nightshift.webhooks w
      JOIN nightshift.notices n ON n.account_id = w.account_id
      LEFT JOIN nightshift.webhook_deliveries d ON d.notice_id = n.id AND d.webhook_id = w.id
      WHERE w.id = ${webhookKey} AND ${condition}
      ON CONFLICT (notice_id, webhook_id) DO UPDATE SET state = 'pending', attempts = 0, next_at = now(), lease_until = NULL,
        last_status = NULL, last_error = NULL, delivered_at = NULL`,
  );
  return sent.rowCount ?? 0;
}

async function findNotice(db: Sql, accountId: number, noticeId: string): Promise<bigint | null> {
  const [notice] = await db
    .select({ id: notices.id })
    .from(notices)
    .where(and(eq(notices.accountId, accountId), eq(notices.publicId, noticeId)));
  return notice?.id ?? null;
}
