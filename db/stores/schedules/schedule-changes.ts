import { sql } from 'drizzle-orm';
import type { ReportBounds } from '../../../src/core/reports/report-data.ts';
import type { Bounded } from '../../../src/core/reports/reported-ads.ts';
import type { ChangeCounts, ChangeKind } from '../../../src/core/reports/change-counts.ts';
import type { AdLabels, DayOfChanges, ReportedChange } from '../../../src/core/reports/schedule-data.ts';
import type { Sql } from '../../connection/client.ts';
import { namedBySql, scanDaySql, type HistoryPart } from '../sql/history-part.ts';
import { shownAdSql, toCompany, toShownAd, type ShownAdRow } from '../ads/shown-ads.ts';

/** Number of changes by kind, from counts by the names of kinds in SQL; without baselines. */
export function toChangeCounts(counts: Readonly<Record<string, number>>): ChangeCounts {
  const of = (kind: ChangeKind) => counts[kind] ?? 0;
  return { new: of('new'), reactivated: of('reactivated'), changed: of('changed'), ended: of('ended') };
}

/** Days of a part of the history with changes, and the number of baselines. */
export async function readDays(
  db: Sql,
  { scheduleId, firstScanId, from }: HistoryPart,
): Promise<{ readonly days: readonly DayOfChanges[]; readonly baseline: number }> {
  const { rows } = await db.execute<{ day: string; changes: Readonly<Record<string, number>> }>(
    sql`SELECT n.day::text AS day, jsonb_object_agg(n.kind, n.n) AS changes FROM (
        SELECT greatest((c.observed_at AT TIME ZONE 'UTC')::date, ${from}::date) AS day, c.kind, count(*) AS n
        FROM nightshift.ad_changes c
        WHERE c.schedule_id = ${scheduleId} AND c.scan_id >= ${firstScanId}::bigint GROUP BY 1, 2) n
      GROUP BY n.day ORDER BY n.day`,
  );
  return {
    days: rows
      .map(({ day, changes }) => ({ day, ...toChangeCounts(changes) }))
      .filter((each) => each.new + each.reactivated + each.changed + each.ended > 0),
    baseline: rows.reduce((sum, { changes }) => sum + (changes['baseline'] ?? 0), 0),
  };
}

interface ChangeRow extends ShownAdRow {
  readonly kind: ChangeKind;
  readonly reason: string | null;
  readonly observed_at: string;
  readonly ran_to: string | null;
  readonly rests_on: readonly string[];
  readonly before: {
    readonly format: string | null;
    readonly headline: string | null;
    readonly description: string | null;
    readonly display_url: string | null;
    readonly final_url: string | null;
  } | null;
  readonly total: string;
}

/** Newest changes of a part of the history except baselines, with their ads in the versions of that time. */
export async function readChangedAds(
  db: Sql,
  { scheduleId, firstScanId }: HistoryPart,
  bounds: ReportBounds,
): Promise<Bounded<ReportedChange>> {
  const { rows } = await db.execute<ChangeRow>(
    sql`SELECT p.company_key, l.company_domain, l.company_name, p.kind, p.reason, p.observed_at, p.total, p.ran_to::text AS ran_to,
        t.start::text AS start, t.last_seen::text AS last_seen, ${shownAdSql(bounds)},
        array(SELECT (${scanDaySql})::text FROM nightshift.scans s WHERE s.id = ANY (p.rests_on) ORDER BY s.id) AS rests_on,
        (SELECT jsonb_build_object('format', left(w.format, 500), 'headline', left(w.headline, 500),
            'description', left(w.description, 500), 'display_url', left(w.display_url, 500), 'final_url', left(w.final_url, 2100))
          FROM nightshift.ad_versions w WHERE w.id = p.version_before) AS before
      FROM (
        SELECT *, count(*) OVER () AS total FROM nightshift.ad_changes
        WHERE schedule_id = ${scheduleId} AND scan_id >= ${firstScanId}::bigint AND kind <> 'baseline'
        ORDER BY scan_id DESC, company_key COLLATE "C", ad_id LIMIT ${bounds.rowsMax}
      ) p
      JOIN nightshift.ad_versions v ON v.id = p.version_id
      JOIN nightshift.ads i ON i.id = p.ad_id
      LEFT JOIN nightshift.tracked_ads t
        ON t.schedule_id = p.schedule_id AND t.company_key = p.company_key AND t.ad_id = p.ad_id
      ${namedBySql}
      ORDER BY p.scan_id DESC, p.company_key COLLATE "C", p.ad_id`,
  );
  return { rows: rows.map(toChange), total: Number(rows[0]?.total ?? 0) };
}

function toChange(row: ChangeRow): ReportedChange {
  return {
    kind: row.kind,
    reason: row.reason,
    observedAt: new Date(row.observed_at),
    restsOn: row.rests_on,
    ranTo: row.ran_to,
    company: toCompany(row),
    ad: toShownAd(row),
    before: row.before === null ? null : toWords(row.before),
  };
}

function toWords(before: NonNullable<ChangeRow['before']>): AdLabels {
  const { format, headline, description, display_url: displayUrl, final_url: finalUrl } = before;
  return { format, headline, description, displayUrl, finalUrl };
}
