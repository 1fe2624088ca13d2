import type { Asked } from './server-info.ts';

/** Events without a receiver. Subscriptions of users count as active only: no command replays their deliveries. */
export interface EventInfo {
  /** Number of active webhooks, and of those that send mail. */
  readonly active: number;
  readonly activeByMail: number;
  /** Webhooks that were disabled, but not by request. */
  readonly switchedOff: readonly {
    readonly name: string;
    readonly account: string;
    readonly reason: string;
  }[];
  /** Webhooks with abandoned deliveries, those with the most first. */
  readonly abandonedResult: readonly {
    readonly name: string;
    readonly account: string;
    readonly events: number;
    readonly lastError: string;
  }[];
}

export async function readEventInfo(asked: Asked): Promise<EventInfo> {
  const counts = await asked.query<{ active: number; byMail: number }>(
    `SELECT count(*)::integer AS active, count(*) FILTER (WHERE kind = 'email')::integer AS "byMail"
      FROM nightshift.webhooks WHERE state = 'active'`,
  );
  const switchedOff = await asked.query<EventInfo['switchedOff'][number]>(
    `SELECT w.name, a.name AS account, w.state_reason AS reason
      FROM nightshift.webhooks w JOIN nightshift.accounts a ON a.id = w.account_id
      WHERE w.state = 'disabled' AND w.state_reason <> 'by request' AND w.user_id IS NULL ORDER BY w.id LIMIT 10`,
  );
  const abandonedResult = await asked.query<EventInfo['abandonedResult'][number]>(
    `SELECT w.name, a.name AS account, count(*)::integer AS events,
        coalesce((array_agg(d.last_error ORDER BY d.event_id DESC))[1], '') AS "lastError"
      FROM nightshift.webhook_deliveries d
      JOIN nightshift.webhooks w ON w.id = d.webhook_id AND w.state = 'active' AND w.user_id IS NULL
      JOIN nightshift.accounts a ON a.id = w.account_id
      WHERE d.state = 'dead' GROUP BY w.id, w.name, a.name ORDER BY count(*) DESC, w.id LIMIT 10`,
  );
  const [found] = counts.rows;
  return {
    active: found?.active ?? 0,
    activeByMail: found?.byMail ?? 0,
    switchedOff: switchedOff.rows,
    abandonedResult: abandonedResult.rows,
  };
}
