import type { Change, Completeness, EvaluatedObservation } from './history.ts';
import type { Query } from './scenario-store.ts';

/** Stored results of all scenarios, in the terms of the scenarios, by schedule and company (`0/2`). */
export interface Stored {
  readonly changes: Readonly<Record<string, readonly Change[]>>;
  readonly observations: Readonly<Record<string, readonly EvaluatedObservation[]>>;
  /** Number of running ads. */
  readonly active: Readonly<Record<string, number>>;
}

/** `others` are companies outside of the scenarios: they have no changes. */
const companySql = `CASE WHEN c.company_key LIKE 'd:c%' THEN split_part(substr(c.company_key, 4), '.', 1) ELSE 'others' END`;
const keySql = `c.schedule_id - 1000 || '/' || ${companySql} AS key`;

export async function readStored(query: Query): Promise<Stored> {
  const changes = await query<Change & { readonly key: string }>(
    `SELECT ${keySql}, n.no AS scan, substr(i.creative_id, 4)::integer AS ad, c.kind, c.reason, v.advertiser_name::integer AS version,
      b.advertiser_name::integer AS "versionBefore", c.is_active AS "isActive",
      ARRAY(SELECT split_part(o.public_id, '_', 3)::integer FROM unnest(c.rests_on) WITH ORDINALITY r(id, position)
        JOIN nightshift.scans o ON o.id = r.id ORDER BY r.position) AS "restsOn"
    FROM nightshift.ad_changes c
    JOIN nightshift.scans s ON s.id = c.scan_id CROSS JOIN LATERAL (SELECT split_part(s.public_id, '_', 3)::integer AS no) n
    JOIN nightshift.ads i ON i.id = c.ad_id
    JOIN nightshift.ad_versions v ON v.id = c.version_id LEFT JOIN nightshift.ad_versions b ON b.id = c.version_before
    ORDER BY n.no, ad`,
  );
  const observations = await query<
    EvaluatedObservation & { readonly key: string; readonly completeness: Completeness }
  >(
    `SELECT ${keySql}, split_part(s.public_id, '_', 3)::integer AS scan, c.completeness, c.is_baseline AS "isBaseline",
      c.ads_active AS "adsActive"
    FROM nightshift.scan_companies c JOIN nightshift.scans s ON s.id = c.scan_id WHERE c.company_key LIKE 'd:c%' ORDER BY s.id`,
  );
  const active = await query<{ readonly key: string; readonly ads: number }>(
    `SELECT ${keySql}, count(*) FILTER (WHERE c.is_active)::integer AS ads FROM nightshift.tracked_ads c GROUP BY 1`,
  );
  return {
    changes: byKey(changes),
    observations: byKey(observations),
    active: Object.fromEntries(active.map(({ key, ads }) => [key, ads])),
  };
}

function byKey<Row extends { readonly key: string }>(
  rows: readonly Row[],
): Readonly<Record<string, readonly Omit<Row, 'key'>[]>> {
  const groups = new Map<string, Omit<Row, 'key'>[]>();
  for (const { key, ...row } of rows) groups.set(key, [...(groups.get(key) ?? []), row]);
  return Object.fromEntries(groups);
}
