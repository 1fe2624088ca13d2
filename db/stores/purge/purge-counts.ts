import { sql, type SQL } from 'drizzle-orm';
import type { PurgeKind } from '../../../src/core/purge/purge-kinds.ts';
import type { PurgeCounts, PurgeScope, SweptAds } from '../../../src/core/purge/purge-store.ts';
import type { Sql } from '../../connection/client.ts';
import { batchesIn, callsIn, lookupsIn, momentSql, eventsIn, schedulesIn } from './purge-scope.ts';

const batches = sql`SELECT count(*) FROM batch`;
const rows = sql`SELECT count(*) FROM nightshift.batch_rows r JOIN batch b ON b.id = r.batch_id`;
const lookups = sql`SELECT count(*) FROM lookup`;
const ads = sql`SELECT count(*) FROM nightshift.lookup_ads a JOIN lookup l ON l.id = a.lookup_id`;
const verdicts = sql`SELECT count(*) FROM nightshift.email_results e JOIN lookup l ON l.id = e.lookup_id`;
const schedules = sql`SELECT count(*) FROM schedule`;
const changes = sql`SELECT count(*) FROM nightshift.ad_changes c JOIN schedule s ON s.id = c.schedule_id`;

/** Counts of each kind, over `batch`, `lookup` and `schedule`: the ids in the scope. */
const countsOf: Readonly<Record<PurgeKind, (scope: PurgeScope) => Readonly<Record<string, SQL>>>> = {
  batches: () => ({ batches, rows, lookups, ads }),
  addresses: () => ({ batches, rows, lookups, ads, verdicts }),
  searches: () => ({ lookups, ads }),
  scans: () => ({ scans: batches, rows, lookups, ads, schedules, changes }),
  calls: (scope) => ({ calls: countIn(callsIn(scope)) }),
  // They belong to no account.
  raw_responses: ({ before, accountId }) => ({
    raw_responses: sql`SELECT count(*) FROM nightshift.raw_responses WHERE received_at < ${momentSql(before)} AND ${accountId === null}`,
  }),
  events: (scope) => ({
    events: countIn(eventsIn(scope)),
    deliveries: sql`SELECT count(*) FROM nightshift.webhook_deliveries d WHERE d.event_id IN (${eventsIn(scope)})`,
  }),
};

function countIn(ids: SQL): SQL {
  return sql`SELECT count(*) FROM (${ids}) i`;
}

/** Counts what a purge of a kind would remove. */
export async function countScope(db: Sql, scope: PurgeScope): Promise<PurgeCounts> {
  const counts = Object.entries(countsOf[scope.kind](scope));
  const columns = counts.map(([name, count]) => sql`(${count}) AS ${sql.identifier(name)}`);
  const found = await db.execute<Record<string, string>>(
    sql`WITH batch AS (${batchesIn(scope)}), lookup AS (${lookupsIn(scope)}),
        schedule AS (${schedulesIn(scope, { alsoBatches: true })})
      SELECT ${sql.join(columns, sql`, `)}`,
  );
  return Object.fromEntries(counts.map(([name]) => [name, Number(found.rows[0]?.[name] ?? 0)]));
}

/** No counts of a kind yet. */
export function noCounts(kind: PurgeKind): PurgeCounts {
  const scope = { kind, before: new Date(0), accountId: null };
  return Object.fromEntries(Object.keys(countsOf[kind](scope)).map((name) => [name, 0]));
}

/**
 * The versions that nobody would refer to, as `nightshift.unreferenced_versions` has them, were all of these scopes purged; and the ads that
 * would have none left.
 */
export async function countUnseen(db: Sql, scopes: readonly PurgeScope[]): Promise<SweptAds> {
  const going = sql.join(scopes.map(lookupsIn), sql` UNION ALL `);
  const ending = sql.join(
    scopes.map((scope) => schedulesIn(scope, { alsoBatches: true })),
    sql` UNION ALL `,
  );
  const stays = sql`schedule_id NOT IN (SELECT id FROM ending)`;
  const found = await db.execute<{ versions: string; ads: string }>(
    sql`WITH going AS (${going}), ending AS (${ending}),
        unseen AS (
          SELECT v.id, v.ad_id FROM nightshift.ad_versions v
          WHERE NOT EXISTS (SELECT FROM nightshift.lookup_ads l
              WHERE l.version_id = v.id AND NOT EXISTS (SELECT FROM going g WHERE g.id = l.lookup_id))
            AND NOT EXISTS (SELECT FROM nightshift.snapshot_ads s WHERE s.version_id = v.id)
            AND NOT EXISTS (SELECT FROM nightshift.tracked_ads t WHERE t.version_id = v.id AND t.${stays})
            AND NOT EXISTS (SELECT FROM nightshift.ad_changes c WHERE c.version_id = v.id AND c.${stays})
            AND NOT EXISTS (SELECT FROM nightshift.ad_changes c WHERE c.version_before = v.id AND c.${stays})
        )
      SELECT (SELECT count(*) FROM unseen) AS versions,
        (SELECT count(*) FROM (SELECT DISTINCT ad_id FROM unseen) u
          WHERE NOT EXISTS (SELECT FROM nightshift.ad_versions v
            WHERE v.ad_id = u.ad_id AND NOT EXISTS (SELECT FROM unseen x WHERE x.id = v.id))) AS ads`,
  );
  const [row] = found.rows;
  return { versions: Number(row?.versions ?? 0), ads: Number(row?.ads ?? 0) };
}
