import { sql } from 'drizzle-orm';
import type { Tracked } from '../../../src/core/changes/apply-observation.ts';
import type { Sql } from '../../connection/client.ts';
import type { CompanyObservation } from './scan-observations.ts';
import type { ClaimedScan } from './claim-evaluation.ts';

/** An observation of a company, and its changes. */
export interface CompanyResult extends CompanyObservation {
  readonly tracked: Tracked;
}

/** Writes observations and their changes. Fails for a company that the scan has already observed. */
export async function writeResults(
  db: Sql,
  { scheduleId, accountId }: ClaimedScan,
  results: readonly CompanyResult[],
): Promise<void> {
  await db.execute(
    sql`INSERT INTO nightshift.scan_companies (schedule_id, scan_id, company_key, lookup_id, completeness, is_baseline, source,
        observed_at, day, ads_active)
      SELECT ${scheduleId}::bigint, n.* FROM jsonb_to_recordset(${JSON.stringify(results.map(resultJson))}::jsonb)
        AS n(scan_id bigint, company_key text, lookup_id bigint, completeness text, is_baseline boolean, source text,
          observed_at timestamptz, day date, ads_active integer)`,
  );
  const changes = results.flatMap(changesJson);
  if (changes.length === 0) return;
  await db.execute(
    sql`INSERT INTO nightshift.ad_changes (account_id, schedule_id, scan_id, company_key, ad_id, kind, reason, version_id,
        version_before, is_active, ran_from, ran_to, rests_on, observed_at)
      SELECT ${accountId}::bigint, ${scheduleId}::bigint, n.* FROM jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
        AS n(scan_id bigint, company_key text, ad_id bigint, kind text, reason text, version_id bigint, version_before bigint,
          is_active boolean, ran_from date, ran_to date, rests_on bigint[], observed_at timestamptz)`,
  );
}

function resultJson({ companyKey, lookupId, source, observation, tracked }: CompanyResult) {
  return {
    scan_id: String(observation.scanId),
    company_key: companyKey,
    lookup_id: String(lookupId),
    completeness: tracked.completeness,
    is_baseline: tracked.isBaseline,
    source,
    observed_at: observation.observedAt.toISOString(),
    day: tracked.day,
    ads_active: tracked.adsActive,
  };
}

function changesJson({ companyKey, observation, tracked }: CompanyResult) {
  return tracked.changes.map((change) => ({
    scan_id: String(observation.scanId),
    company_key: companyKey,
    ad_id: String(change.adId),
    kind: change.kind,
    reason: change.reason,
    version_id: String(change.versionId),
    version_before: change.versionBefore === null ? null : String(change.versionBefore),
    is_active: change.isActive,
    ran_from: change.ranFrom,
    ran_to: change.ranTo,
    rests_on: change.restsOn.map(String),
    observed_at: observation.observedAt.toISOString(),
  }));
}
