import { sql, type SQL } from 'drizzle-orm';
import type { PurgeKind } from '../../../src/core/purge/purge-kinds.ts';
import type { PurgeCounts, PurgeScope, SweptAds } from '../../../src/core/purge/purge-store.ts';
import type { Sql } from '../../connection/client.ts';
import { batchesIn, callsIn, eventsIn, inboxesIn, lookupsIn, momentSql, schedulesIn } from './purge-scope.ts';

/** A count that a purge reports. */
interface Count {
  readonly name: string;
  /** A query for one number, over `batch`, `lookup` and `schedule`: the ids in the scope. */
  readonly query: SQL;
}

const batches: Count = { name: 'batches', query: sql`SELECT count(*) FROM batch` };
const rows: Count = {
  name: 'rows',
  query: sql`SELECT coalesce(sum(r.rows), 0) FROM nightshift.row_blocks r JOIN batch b ON b.id = r.batch_id`,
};
const lookups: Count = { name: 'lookups', query: sql`SELECT count(*) FROM lookup` };
const ads: Count = {
  name: 'ads',
  query: sql`SELECT coalesce(sum(a.ads), 0) FROM nightshift.lookup_answers a JOIN lookup l ON l.id = a.lookup_id`,
};
const verdicts: Count = {
  name: 'verdicts',
  query: sql`SELECT count(*) FROM nightshift.email_results e JOIN lookup l ON l.id = e.lookup_id`,
};
const schedules: Count = { name: 'schedules', query: sql`SELECT count(*) FROM schedule` };
const changes: Count = {
  name: 'changes',
  query: sql`SELECT count(*) FROM nightshift.ad_changes c JOIN schedule s ON s.id = c.schedule_id`,
};

const countsOf: Readonly<Record<PurgeKind, (scope: PurgeScope) => readonly Count[]>> = {
  batches: (scope) => [
    batches,
    rows,
    lookups,
    ads,
    { name: 'inboxes', query: countIn(inboxesIn(scope)) },
    {
      name: 'files',
      query: sql`SELECT count(*) FROM nightshift.inbox_files f WHERE f.inbox_id IN (${inboxesIn(scope)})`,
    },
  ],
  addresses: () => [batches, rows, lookups, ads, verdicts],
  searches: () => [lookups, ads],
  scans: () => [{ ...batches, name: 'scans' }, rows, lookups, ads, schedules, changes],
  calls: (scope) => [{ name: 'calls', query: countIn(callsIn(scope)) }],
  // They belong to no account.
  raw_responses: ({ before, accountId }) => [
    {
      name: 'raw_responses',
      query: sql`SELECT count(*) FROM nightshift.raw_responses WHERE received_at < ${momentSql(before)} AND ${accountId === null}`,
    },
  ],
  events: (scope) => [
    { name: 'events', query: countIn(eventsIn(scope)) },
    {
      name: 'deliveries',
      query: sql`SELECT count(*) FROM nightshift.webhook_deliveries d WHERE d.event_id IN (${eventsIn(scope)})`,
    },
  ],
};

function countIn(ids: SQL): SQL {
  return sql`SELECT count(*) FROM (${ids}) i`;
}

/** Counts what a purge of a kind would remove. */
export async function countScope(db: Sql, scope: PurgeScope): Promise<PurgeCounts> {
  const counts = countsOf[scope.kind](scope).map(
    ({ name, query }) => sql`SELECT ${name}::text AS name, (${query}) AS removed`,
  );
  const found = await db.execute<{ name: string; removed: string }>(
    sql`WITH batch AS (${batchesIn(scope)}), lookup AS (${lookupsIn(scope)}),
        schedule AS (${schedulesIn(scope, { alsoBatches: true })})
      ${sql.join(counts, sql` UNION ALL `)}`,
  );
  return Object.fromEntries(found.rows.map(({ name, removed }) => [name, Number(removed)]));
}

/** No counts of a kind yet. */
export function noCounts(kind: PurgeKind): PurgeCounts {
  const scope = { kind, before: new Date(0), accountId: null };
  return Object.fromEntries(countsOf[kind](scope).map(({ name }) => [name, 0]));
}

/**
 * Counts the versions that would be unreferenced, as `nightshift.unreferenced_versions` defines them, if all of these scopes
 * were purged; and the ads that would have no version left.
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
        staying AS (
          SELECT r.answer_id FROM nightshift.lookup_answers r WHERE NOT EXISTS (SELECT FROM going g WHERE g.id = r.lookup_id)
          UNION
          SELECT d.answer_id FROM nightshift.advertisers d
        ), seen AS (
          SELECT unnest(a.versions) AS version_id FROM nightshift.answers a WHERE EXISTS (SELECT FROM staying s WHERE s.answer_id = a.id)
        ), unseen AS (
          SELECT v.id, v.ad_id FROM nightshift.ad_versions v
          WHERE NOT EXISTS (SELECT FROM seen s WHERE s.version_id = v.id)
            AND NOT EXISTS (SELECT FROM nightshift.snapshot_ads s WHERE s.version_id = v.id)
            AND NOT EXISTS (SELECT FROM nightshift.tracked_ad_rows t WHERE t.version_id = v.id AND t.${stays})
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
