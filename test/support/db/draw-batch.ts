import { addDays } from '../../../src/core/time/day.ts';
import type { BatchFigures } from '../../../src/core/reports/charts.ts';
import type { AdRankings } from '../../../src/core/reports/reported-ads.ts';
import type { TestDatabase } from './database.ts';

interface AdRow {
  readonly company_key: string;
  readonly format: string | null;
  readonly start: string | null;
  readonly last_seen: string | null;
}

/** Expected charts of a batch, computed from its rows one by one, independent of the SQL. */
export async function drawBatch(
  { owner }: Pick<TestDatabase, 'owner'>,
  batchId: number,
): Promise<
  Omit<BatchFigures, 'longest' | 'mostAds' | 'activity' | keyof AdRankings> & { readonly activity: readonly object[] }
> {
  const { rows: lookups } = await owner.pool.query<{ company_key: string; outcome: string | null }>(
    `SELECT l.subject_key AS company_key, l.outcome FROM nightshift.all_lookups l
      WHERE l.batch_id = ${batchId} AND l.operation = 'ads_search' AND l.generation = (
        SELECT max(n.generation) FROM nightshift.all_lookups n WHERE n.batch_id = l.batch_id AND n.subject_key = l.subject_key)`,
  );
  const { rows: ads } = await owner.pool.query<AdRow>(
    `SELECT l.subject_key AS company_key, v.format, a.start::text, a.last_seen::text FROM nightshift.lookup_ads a
      JOIN nightshift.all_lookups l ON l.id = a.lookup_id JOIN nightshift.ad_versions v ON v.id = a.version_id
      WHERE l.batch_id = ${batchId}`,
  );
  const dated = ads.filter(({ start, last_seen: lastSeen }) => start !== null && lastSeen !== null);
  const to = maxOf(ads.flatMap(({ last_seen: lastSeen }) => lastSeen ?? []));
  const window = to === undefined ? null : { from: firstDay(ads, to), to };
  return {
    companies: lookups.length,
    outcomes: Object.fromEntries(countBy(lookups.map(({ outcome }) => outcome ?? 'open'))),
    ads: ads.length,
    adsDated: dated.length,
    window,
    days: window === null ? [] : daysOf(ads, window.from, window.to),
    formats: [...countBy(ads.map(({ format }) => format))]
      .map(([format, count]) => ({ format, ads: count }))
      .sort((a, b) => b.ads - a.ads || ((a.format ?? '~') < (b.format ?? '~') ? -1 : 1)),
    activity: window === null ? [] : busiest(ads).map((key) => activityOf(key, dated, window)),
  };
}

function firstDay(ads: readonly AdRow[], to: string): string {
  const first = ads.flatMap(({ start }) => start ?? []).sort()[0] ?? to;
  const earliest = addDays(to, -365);
  return first > earliest ? first : earliest;
}

function daysOf(ads: readonly AdRow[], from: string, to: string) {
  return daysFrom(from, to)
    .map((day) => ({
      day,
      begun: ads.filter(({ start }) => start === day).length,
      lastSeen: ads.filter(({ last_seen: lastSeen }) => lastSeen === day).length,
    }))
    .filter(({ begun, lastSeen }) => begun + lastSeen > 0);
}

function busiest(ads: readonly AdRow[]): readonly string[] {
  const counts = [...countBy(ads.map(({ company_key: key }) => key))];
  return counts.sort(([, a], [, b]) => b - a).map(([key]) => key);
}

function activityOf(key: string, dated: readonly AdRow[], { from, to }: { from: string; to: string }) {
  const own = dated.filter((ad) => ad.company_key === key);
  const runningOn = (day: string) =>
    own.filter(({ start, last_seen: lastSeen }) => (start ?? '') <= day && day <= (lastSeen ?? '')).length;
  const before = runningOn(addDays(from, -1));
  const days = daysFrom(from, to)
    .map((day) => ({ day, adsActive: runningOn(day) }))
    .filter(({ day, adsActive }) => adsActive !== runningOn(addDays(day, -1)));
  return { company: { key }, before, days };
}

function daysFrom(from: string, to: string): readonly string[] {
  const days = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

function countBy<T>(values: readonly T[]): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function maxOf(days: readonly string[]): string | undefined {
  return [...days].sort().at(-1);
}
