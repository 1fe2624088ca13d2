import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type {
  ActivityStore,
  FailedDelivery,
  RecentLanding,
  RecentScan,
} from '../../../src/core/work/service-activity.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';

/** Number of newest scans and events that are read, so that a read takes the same time in a large database. */
const newest = 1000;

/** Implements `ActivityStore`. */
export function createActivityStore(db: NodePgDatabase): ActivityStore {
  return {
    readRecent: (windowMs) =>
      withDatabase(async () => ({
        scans: await listScans(db, windowMs),
        landings: await listLandings(db, windowMs),
        failures: await listFailures(db, windowMs),
      })),
    countMailWebhooks: () => withDatabase(() => countMailWebhooks(db)),
  };
}

interface ScanRow extends Record<string, unknown> {
  readonly scan: string;
  readonly batch: string;
  readonly schedule: string;
  readonly begun_at: string;
  readonly state: 'running' | 'finished' | 'cancelled';
  readonly finished_at: string | null;
  readonly changes: NonNullable<RecentScan['ended']>['changes'] | null;
}

async function listScans(db: Sql, windowMs: number): Promise<readonly RecentScan[]> {
  const { rows } = await db.execute<ScanRow>(
    sql`SELECT n.public_id AS scan, b.public_id AS batch, s.name AS schedule, n.begun_at, n.state,
        CASE WHEN n.evaluated_at >= n.finished_at THEN n.finished_at END AS finished_at,
        (SELECT jsonb_object_agg(k.kind, k.changes) FROM (
          SELECT h.kind, count(*) AS changes FROM nightshift.ad_changes h
          WHERE h.account_id = n.account_id AND h.scan_id = n.id AND h.kind <> 'baseline' GROUP BY h.kind
        ) k) AS changes
      FROM nightshift.scans n
      JOIN nightshift.schedules s ON s.id = n.schedule_id
      JOIN nightshift.batches b ON b.id = n.batch_id
      WHERE n.id > (SELECT max(id) FROM nightshift.scans) - ${newest}
        AND greatest(n.begun_at, n.evaluated_at) > now() - ${windowMs}::double precision * interval '1 millisecond'
      ORDER BY greatest(n.begun_at, n.evaluated_at), n.id`,
  );
  return rows.map((row) => ({
    scan: row.scan,
    batch: row.batch,
    schedule: row.schedule,
    begunAt: new Date(row.begun_at),
    ended:
      row.finished_at === null || row.state === 'running'
        ? null
        : { state: row.state, at: new Date(row.finished_at), changes: row.changes ?? {} },
  }));
}

interface LandingRow extends Record<string, unknown> {
  readonly batch: string;
  readonly destination: string;
  readonly shape: string;
  readonly content_key: string;
  readonly attempts: number;
  readonly rows: string | null;
  readonly last_error: string | null;
  readonly next_at: string | null;
}

async function listLandings(db: Sql, windowMs: number): Promise<readonly RecentLanding[]> {
  const { rows } = await db.execute<LandingRow>(
    sql`SELECT b.public_id AS batch, d.name AS destination, l.shape, l.content_key, l.attempts, l.last_error,
        CASE WHEN l.state = 'landed' THEN l.rows END AS rows, CASE WHEN l.state = 'pending' THEN l.next_at END AS next_at
      FROM nightshift.landings l
      JOIN nightshift.destinations d ON d.id = l.destination_id AND d.state <> 'removed'
      JOIN nightshift.batches b ON b.id = l.batch_id
      WHERE l.id > (SELECT max(id) FROM nightshift.landings) - ${newest}
        AND (l.state = 'landed' OR l.last_error IS NOT NULL)
        AND greatest(l.tried_at, l.landed_at) > now() - ${windowMs}::double precision * interval '1 millisecond'
      ORDER BY greatest(l.tried_at, l.landed_at), l.id`,
  );
  return rows.map((row) => ({
    batch: row.batch,
    destination: row.destination,
    shape: row.shape,
    contentKey: row.content_key,
    attempts: row.attempts,
    rows: row.rows === null ? null : Number(row.rows),
    error: row.last_error,
    nextAt: row.next_at === null ? null : new Date(row.next_at),
  }));
}

interface FailureRow extends Record<string, unknown> {
  readonly event_id: string;
  readonly event: string;
  readonly webhook: string;
  readonly attempts: number;
  readonly last_error: string;
  readonly next_at: string | null;
}

async function listFailures(db: Sql, windowMs: number): Promise<readonly FailedDelivery[]> {
  const { rows } = await db.execute<FailureRow>(
    sql`SELECT e.public_id AS event_id, e.event, w.name AS webhook, d.attempts, d.last_error,
        CASE WHEN d.state = 'pending' THEN d.next_at END AS next_at
      FROM nightshift.webhook_deliveries d
      JOIN nightshift.events e ON e.id = d.event_id
      JOIN nightshift.webhooks w ON w.id = d.webhook_id
      WHERE d.event_id > (SELECT max(id) FROM nightshift.events) - ${newest}
        AND d.state <> 'delivered' AND d.last_error IS NOT NULL
        AND d.tried_at > now() - ${windowMs}::double precision * interval '1 millisecond'
      ORDER BY d.tried_at, d.event_id`,
  );
  return rows.map((row) => ({
    eventId: row.event_id,
    event: row.event,
    webhook: row.webhook,
    attempts: row.attempts,
    error: row.last_error,
    nextAt: row.next_at === null ? null : new Date(row.next_at),
  }));
}

async function countMailWebhooks(db: Sql): Promise<number> {
  const { rows } = await db.execute<{ webhooks: number }>(
    sql`SELECT count(*)::integer AS webhooks FROM nightshift.webhooks WHERE state = 'active' AND kind = 'email'`,
  );
  return rows[0]?.webhooks ?? 0;
}
