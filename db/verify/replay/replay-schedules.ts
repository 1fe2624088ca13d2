import { sql } from 'drizzle-orm';
import type { SearchOptions } from '../../../src/core/ads/ads-answer.ts';
import type { AdChange } from '../../../src/core/changes/ad-change.ts';
import { laterDay } from '../../../src/core/changes/observation.ts';
import type { TrackSettings } from '../../../src/core/changes/observation-context.ts';
import { applyObservation, type Tracked } from '../../../src/core/changes/apply-observation.ts';
import type { TrackedState } from '../../../src/core/changes/tracked-ad.ts';
import type { Sql } from '../../connection/client.ts';
import { texts } from '../../stores/sql/arrays.ts';
import {
  observationColumnsSql,
  readSeenAds,
  sourcesOf,
  toObservation,
  type ObservationRow,
} from '../../stores/changes/scan-observations.ts';
import { readTrackedStates } from '../../stores/changes/tracked-states.ts';
import { changeText, readStoredChanges, stateText, storedChangesOf } from './stored-changes.ts';

/** Result of a check that is not a single query. */
export interface Part {
  readonly checked: number;
  readonly findings: readonly string[];
  readonly note: string | null;
}

/** Number of companies in memory at a time, with their complete history. */
const companiesPerPage = 50;

/**
 * Replays all observations of a company through `applyObservation`, in order: the result must equal the stored state. A company
 * whose first observations were purged is skipped and counted.
 */
export async function replaySchedules(db: Sql): Promise<Part> {
  // The session's settings are for queries that read whole tables; these read a few companies each.
  await db.execute(sql`SELECT set_config('enable_nestloop', 'on', true)`);
  const findings: string[] = [];
  let [checked, leftOut] = [0, 0];
  for (let place: Place = { scheduleId: 0, company: '' }; ;) {
    const page = await listCompanies(db, place);
    for (const [scheduleId, companies] of bySchedule(page)) {
      const part = await replayCompanies(db, scheduleId, companies);
      findings.push(...part.findings);
      checked += part.checked;
      leftOut += part.leftOut;
    }
    const last = page.at(-1);
    if (last === undefined || page.length < companiesPerPage) break;
    place = last;
  }
  await db.execute(sql`SELECT set_config('enable_nestloop', 'off', true)`);
  const note =
    leftOut === 0 ? null : `${leftOut} companies were left out, because their first answers were purged.`;
  return { checked, findings, note };
}

interface Place {
  readonly scheduleId: number;
  readonly company: string;
}

async function listCompanies(db: Sql, { scheduleId, company }: Place): Promise<readonly Place[]> {
  const { rows } = await db.execute<{ schedule_id: string; company_key: string }>(
    sql`SELECT schedule_id, company_key FROM nightshift.scan_companies
      WHERE (schedule_id, company_key) > (${scheduleId}, ${company})
      GROUP BY schedule_id, company_key ORDER BY schedule_id, company_key LIMIT ${companiesPerPage}`,
  );
  return rows.map((row) => ({ scheduleId: Number(row.schedule_id), company: row.company_key }));
}

function bySchedule(places: readonly Place[]): ReadonlyMap<number, readonly string[]> {
  const companies = new Map<number, string[]>();
  for (const { scheduleId, company } of places)
    companies.set(scheduleId, [...(companies.get(scheduleId) ?? []), company]);
  return companies;
}

/** A stored observation, with its lookup if it still exists. */
interface StoredObservation extends ObservationRow {
  readonly scan_id: string;
  readonly scan: string;
  readonly company_key: string;
  readonly completeness: string;
  readonly is_baseline: boolean;
  readonly stored_source: string | null;
  readonly stored_at: string;
  readonly day: string;
  readonly ads_active: number;
  readonly misses_to_end: number | null;
  readonly stale_days: number | null;
  readonly lookup_is_kept: boolean;
  readonly search: SearchOptions | null;
}

async function replayCompanies(db: Sql, scheduleId: number, companies: readonly string[]) {
  const { rows } = await db.execute<StoredObservation>(
    sql`SELECT k.scan_id, s.public_id AS scan, k.company_key, k.completeness, k.is_baseline, k.source AS stored_source,
        k.observed_at AS stored_at, k.day::text AS day, k.ads_active, s.misses_to_end, s.stale_days, l.id IS NOT NULL AS lookup_is_kept,
        b.search, ${observationColumnsSql}
      FROM nightshift.scan_companies k
      JOIN nightshift.scans s ON s.id = k.scan_id
      LEFT JOIN nightshift.batches b ON b.id = s.batch_id
      LEFT JOIN nightshift.all_lookups l ON l.id = k.lookup_id
      LEFT JOIN nightshift.all_lookups r ON r.id = l.repeats
      WHERE k.schedule_id = ${scheduleId} AND k.company_key = ANY (${texts(companies)})
      ORDER BY k.company_key, k.scan_id`,
  );
  const [ads, states, changes] = [
    await readSeenAds(
      db,
      rows.flatMap(({ id, lookup_is_kept: isKept }) => (isKept ? [BigInt(id)] : [])),
    ),
    await readTrackedStates(db, scheduleId, companies),
    await readStoredChanges(db, scheduleId, companies),
  ];
  const findings: string[] = [];
  let leftOut = 0;
  for (const company of companies) {
    const observations = rows.filter((row) => row.company_key === company);
    const state = states.get(company) ?? null;
    if (!beginsWithItsBaseline(observations, state)) {
      leftOut += 1;
      continue;
    }
    findings.push(
      ...replayCompany({ company, observations, ads, state, changes: changes.get(company) ?? new Map() }),
    );
  }
  return { checked: rows.length, findings, leftOut };
}

/** True when nothing of the schedule was purged. */
function beginsWithItsBaseline(
  observations: readonly StoredObservation[],
  state: TrackedState | null,
): boolean {
  const isThere =
    state === null || observations.some(({ scan_id: id }) => BigInt(id) === state.company.baselineScanId);
  return isThere && observations.every((observation) => observation.lookup_is_kept);
}

interface Replay {
  readonly company: string;
  readonly observations: readonly StoredObservation[];
  readonly ads: Awaited<ReturnType<typeof readSeenAds>>;
  readonly state: TrackedState | null;
  /** By scan. */
  readonly changes: ReadonlyMap<string, readonly AdChange[]>;
}

function replayCompany({ company, observations, ads, state, changes }: Replay): readonly string[] {
  const name = company.slice(2);
  const findings: string[] = [];
  let replayed: TrackedState | null = null;
  for (const stored of observations) {
    const settings = settingsOf(stored);
    if (settings === null) return [`scan ${stored.scan} of ${name} cannot be replayed: it has no settings`];
    const scanId = BigInt(stored.scan_id);
    const { search } = stored;
    const heard = toObservation(stored, { scanId, newestSeen: new Map(), search });
    const observation = { ...heard, ads: ads.get(stored.id) ?? [], day: stored.day };
    const tracked = applyObservation(replayed, observation, settings);
    const latest = laterDay(replayed?.company.lastDay ?? null, heard.day);
    const reported = reportedBy(stored);
    const worked = {
      ...resultOf(tracked),
      source: sourcesOf(stored)[0] ?? null,
      observedAt: heard.observedAt.toISOString(),
    };
    if (JSON.stringify(reported) !== JSON.stringify(worked))
      findings.push(
        `scan ${stored.scan} says of ${name} ${JSON.stringify(reported)}; its answer says ${JSON.stringify(worked)}`,
      );
    if (stored.day > latest || stored.day !== tracked.day)
      findings.push(
        `scan ${stored.scan} takes the answer about ${name} for one of ${stored.day}, which is not its day`,
      );
    const storedChanges = storedChangesOf(changes, stored.scan_id);
    const worth = tracked.changes.map(changeText);
    for (const text of storedChanges.filter((each) => !worth.includes(each)))
      findings.push(
        `scan ${stored.scan} changed ${name}: ${text}, which does not follow from what was heard`,
      );
    for (const text of worth.filter((each) => !storedChanges.includes(each)))
      findings.push(`scan ${stored.scan} changed ${name}: ${text}, which is not stored`);
    replayed = tracked.state;
  }
  const strays = [...changes.keys()].filter(
    (scanId) => !observations.some((observation) => observation.scan_id === scanId),
  );
  for (const scanId of strays)
    findings.push(`scan number ${scanId} changed ${name}, of which it says nothing`);
  if (stateText(state) !== stateText(replayed))
    findings.push(
      `the stored state of ${name} differs from the result of its ${observations.length} observations`,
    );
  return findings;
}

function settingsOf({
  misses_to_end: missesToEnd,
  stale_days: staleDays,
}: StoredObservation): TrackSettings | null {
  return missesToEnd === null || staleDays === null ? null : { missesToEnd, staleDays };
}

function reportedBy(stored: StoredObservation) {
  return {
    completeness: stored.completeness,
    isBaseline: stored.is_baseline,
    adsActive: stored.ads_active,
    source: stored.stored_source,
    observedAt: new Date(stored.stored_at).toISOString(),
  };
}

function resultOf({ completeness, isBaseline, adsActive }: Tracked) {
  return { completeness, isBaseline, adsActive };
}
