import { isNotNull, sql } from 'drizzle-orm';
import { notApplicable, reportOf, type InvariantReport } from '../../src/core/reports/invariants.ts';
import type { Sql } from '../connection/client.ts';
import { scans } from '../schema/schedules.ts';
import { countOf, evaluate, type Clause } from './clause.ts';
import { replaySchedules } from './replay/replay-schedules.ts';
import { checkObservationHashes } from './replay/content-hashes.ts';
import { appendOnly } from './triggers.ts';

/** Invariant 13. The answers of scans are in their lookups; everything is derived from them again. */
export async function checkScans(db: Sql): Promise<InvariantReport> {
  const [evaluated] = await db
    .select({ id: scans.id })
    .from(scans)
    .where(isNotNull(scans.evaluatedAt))
    .limit(1);
  if (evaluated === undefined) return notApplicable(13, 'No scan is evaluated yet.');
  const clauses = await evaluate(db, 13, [
    scansAreEvaluatedInOrder,
    observationsAreTheirScans,
    observationsAreAllHeard,
    nothingStandsAlone,
    answersAreThoseOfTheLastScan,
    changesAreReported,
    appendOnly(['scan_companies', 'ad_changes']),
  ]);
  const hashes = await checkObservationHashes(db);
  const replayed = await replaySchedules(db);
  const parts = [hashes, replayed];
  return reportOf(13, {
    checked: clauses.checked + parts.reduce((sum, { checked }) => sum + checked, 0),
    findings: [...clauses.broken, ...parts.flatMap(({ findings }) => findings)],
    findingsTotal: clauses.brokenCount + parts.reduce((sum, { findings }) => sum + findings.length, 0),
    note: replayed.note,
  });
}

/** A scan is evaluated after it has ended, with recorded settings, and after all earlier scans of its schedule. */
const scansAreEvaluatedInOrder: Clause = {
  checked: countOf(sql`nightshift.scans WHERE evaluated_at IS NOT NULL`),
  broken: sql`SELECT format('scan %s is %s, and says it was evaluated %s times', public_id, state, evaluations) AS finding
    FROM nightshift.scans
    WHERE (evaluated_at IS NULL) <> (evaluations = 0) OR (evaluated_at IS NOT NULL AND state NOT IN ('finished', 'cancelled') AND NOT (state = 'running' AND retried_at IS NOT NULL))
    UNION ALL
    SELECT format('scan %s is evaluated, and nothing says how sure its schedule wanted to be', public_id)
    FROM nightshift.scans WHERE evaluated_at IS NOT NULL AND (misses_to_end IS NULL OR stale_days IS NULL)
    UNION ALL
    SELECT format('scan %s is evaluated, and scan %s before it is not', s.public_id, s.open_before)
    FROM (
      SELECT public_id, evaluated_at, max(public_id) FILTER (WHERE evaluated_at IS NULL AND state IN ('waiting', 'running', 'finished', 'cancelled'))
        OVER (PARTITION BY schedule_id ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS open_before
      FROM nightshift.scans
    ) s WHERE s.evaluated_at IS NOT NULL AND s.open_before IS NOT NULL`,
};

/** Every observation of a scan comes from a lookup of its own batch, about that company, once. */
const observationsAreTheirScans: Clause = {
  checked: countOf(sql`nightshift.scan_companies`),
  broken: sql`SELECT format('scan %s speaks of %s by lookup %s%s', coalesce(s.public_id, k.scan_id::text), substr(k.company_key, 3),
        k.lookup_id, CASE
          WHEN s.id IS NULL THEN ', and there is no such scan'
          WHEN s.schedule_id <> k.schedule_id THEN ' for another schedule'
          WHEN l.batch_id IS DISTINCT FROM s.batch_id THEN ', which is of another batch'
          ELSE format(', which is about %s', substr(l.subject_key, 3)) END) AS finding
    FROM nightshift.scan_companies k
    LEFT JOIN nightshift.scans s ON s.id = k.scan_id
    LEFT JOIN nightshift.all_lookups l ON l.id = k.lookup_id
    WHERE s.id IS NULL OR s.schedule_id <> k.schedule_id
      OR (l.id IS NOT NULL AND (l.batch_id IS DISTINCT FROM s.batch_id OR l.subject_key <> k.company_key))`,
};

/** Every company of an evaluated scan with an answer is evaluated, in this scan or in a later one. */
const observationsAreAllHeard: Clause = {
  checked: null,
  broken: sql`SELECT format('scan %s has heard of %s (lookup %s), and does not say so', s.public_id, substr(l.subject_key, 3), l.id) AS finding
    FROM nightshift.scans s
    JOIN nightshift.all_lookups l ON l.batch_id = s.batch_id AND l.operation = 'ads_search' AND l.outcome IN ('found', 'none', 'no_match')
    LEFT JOIN (
      SELECT schedule_id, company_key, max(scan_id) AS last_scan_id FROM nightshift.scan_companies GROUP BY 1, 2
    ) k ON k.schedule_id = s.schedule_id AND k.company_key = l.subject_key
    WHERE s.evaluated_at IS NOT NULL AND s.retried_at IS NULL AND (k.last_scan_id IS NULL OR k.last_scan_id < s.id)`,
};

/** A change belongs to a company that its scan observed, and a tracked ad to a tracked company. */
const nothingStandsAlone: Clause = {
  checked: countOf(sql`nightshift.ad_changes`),
  broken: sql`SELECT format('scan %s changed ad %s of %s, of which it does not speak', coalesce(s.public_id, h.scan_id::text), h.ad_id,
        substr(h.company_key, 3)) AS finding
    FROM nightshift.ad_changes h
    LEFT JOIN nightshift.scan_companies k ON k.scan_id = h.scan_id AND k.company_key = h.company_key AND k.schedule_id = h.schedule_id
    LEFT JOIN nightshift.scans s ON s.id = h.scan_id
    WHERE k.scan_id IS NULL
    UNION ALL
    SELECT format('scan %s changed ad %s for account %s, and is of account %s', s.public_id, h.ad_id, h.account_id, s.account_id)
    FROM nightshift.ad_changes h JOIN nightshift.scans s ON s.id = h.scan_id WHERE h.account_id <> s.account_id
    UNION ALL
    SELECT format('ad %s is known of %s, and nothing is known of that', t.ad_id, substr(t.company_key, 3))
    FROM nightshift.tracked_ads t
    LEFT JOIN nightshift.tracked_companies k ON k.schedule_id = t.schedule_id AND k.company_key = t.company_key
    WHERE k.schedule_id IS NULL`,
};

/** The answer to which the next one of a company is compared is that of its last scan, unless that is purged. */
const answersAreThoseOfTheLastScan: Clause = {
  checked: countOf(sql`nightshift.tracked_companies WHERE seen_answer_id IS NOT NULL`),
  broken: sql`SELECT format('the next answer for %s would be compared with answer %s, which is not that of its last scan', substr(t.company_key, 3),
        t.seen_answer_id) AS finding
    FROM nightshift.tracked_companies t
    LEFT JOIN nightshift.scan_companies k ON k.scan_id = t.seen_scan_id AND k.company_key = t.company_key AND k.schedule_id = t.schedule_id
    LEFT JOIN nightshift.lookup_answers r ON r.lookup_id = k.lookup_id
    WHERE t.seen_answer_id IS NOT NULL AND (t.seen_scan_id <> t.last_scan_id OR k.scan_id IS NULL
      OR (r.answer_id, r.ads) <> (t.seen_answer_id, t.seen_ads) OR (r.lookup_id IS NOT NULL AND r.newest_day IS DISTINCT FROM t.seen_newest_day))
    UNION ALL
    SELECT format('ad %s of %s refers to an answer that its company does not have', a.ad_id, substr(a.company_key, 3))
    FROM nightshift.tracked_ad_rows a
    JOIN nightshift.tracked_companies t ON t.schedule_id = a.schedule_id AND t.company_key = a.company_key
    WHERE a.last_scan_id IS NULL AND t.seen_scan_id IS NULL`,
};

/** The events of a scan add up to its changes, by kind. Only as far back as events are kept. */
const changesAreReported: Clause = {
  checked: countOf(sql`nightshift.events WHERE event = 'scan.changes'`),
  broken: sql`SELECT CASE WHEN n.events IS NULL THEN format('scan %s was evaluated, but no event was created', s.public_id)
        ELSE format('scan %s has %s changes of the kind %s, and its events tell of %s', s.public_id, coalesce(c.changes, 0), t.kind,
          coalesce(n.told, 0)) END AS finding
    FROM nightshift.scans s
    JOIN nightshift.schedules h ON h.id = s.schedule_id AND h.purged_at IS NULL
    CROSS JOIN unnest(ARRAY['baseline', 'new', 'reactivated', 'ended', 'changed']) AS t(kind)
    LEFT JOIN (SELECT scan_id, kind, count(*) AS changes FROM nightshift.ad_changes GROUP BY 1, 2) c
      ON c.scan_id = s.id AND c.kind = t.kind
    LEFT JOIN (
      SELECT m.account_id, split_part(m.subject, ':', 1) AS scan, e.key AS kind, count(*) AS events, sum(e.value::bigint) AS told
      FROM nightshift.events m CROSS JOIN LATERAL jsonb_each_text(m.payload -> 'changes') e
      WHERE m.event = 'scan.changes' GROUP BY 1, 2, 3
    ) n ON n.account_id = s.account_id AND n.scan = s.public_id AND n.kind = t.kind
    WHERE s.evaluated_at >= (SELECT min(created_at) FROM nightshift.events WHERE event = 'scan.changes' AND purged_at IS NULL)
      AND coalesce(c.changes, 0) IS DISTINCT FROM n.told AND (n.events IS NOT NULL OR t.kind = 'new')`,
};
