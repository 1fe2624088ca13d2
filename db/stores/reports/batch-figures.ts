import { sql } from 'drizzle-orm';
import { addDays } from '../../../src/core/time/day.ts';
import { chartDaysMax, type BatchFigures, type DayOfAds } from '../../../src/core/reports/charts.ts';
import { countRunning, type AdRuns } from '../../../src/core/reports/count-running.ts';
import type { NamedCompany } from '../../../src/core/reports/reported-ads.ts';
import type { CompanyActivity } from '../../../src/core/reports/schedule-data.ts';
import type { Sql } from '../../connection/client.ts';
import { texts } from '../sql/arrays.ts';
import { readRankings } from './ad-rankings.ts';
import { linksSql, readFormats, readLongest, readMostAds, readOutcomes } from './batch-data.ts';
import { drawnMax } from '../sql/history-part.ts';

/** Counts the charts of a batch. Several passes over all its ads: three or four seconds for a million. */
export async function countBatch(db: Sql, batchId: number): Promise<BatchFigures> {
  const outcomes = await readOutcomes(db, batchId);
  const mostAds = await readMostAds(db, batchId);
  const dated = await readDays(db, batchId);
  const window = await windowOf(db, dated);
  const drawn = mostAds.slice(0, drawnMax).map(({ company }) => company);
  return {
    companies: [...outcomes.values()].reduce((sum, companies) => sum + companies, 0),
    outcomes: Object.fromEntries(outcomes),
    ads: dated.ads,
    adsDated: dated.adsDated,
    window,
    activity: window === null ? [] : await readRunning(db, batchId, drawn, window),
    days: window === null ? [] : dated.days.filter(({ day }) => day >= window.from && day <= window.to),
    formats: await readFormats(db, batchId),
    longest: await readLongest(db, batchId, { rowsMax: 0, withMarkup: false }),
    ...(await readRankings(db, batchId, { rowsMax: 0, withMarkup: false })),
    mostAds,
  };
}

interface Dated {
  readonly ads: number;
  readonly adsDated: number;
  /** Oldest first. */
  readonly days: readonly DayOfAds[];
}

/** One pass for both days. */
async function readDays(db: Sql, batchId: number): Promise<Dated> {
  const { rows } = await db.execute<{
    start: string | null;
    last_seen: string | null;
    is_start: boolean;
    ads: string;
    dated: string;
  }>(
    sql`SELECT la.start::text AS start, la.last_seen::text AS last_seen, grouping(la.start) = 0 AS is_start, count(*) AS ads,
        count(*) FILTER (WHERE la.start IS NOT NULL AND la.last_seen IS NOT NULL) AS dated
      FROM ${linksSql(batchId)} GROUP BY GROUPING SETS ((la.start), (la.last_seen))`,
  );
  const days = new Map<string, DayOfAds>();
  let [ads, adsDated] = [0, 0];
  for (const row of rows) {
    const day = row.is_start ? row.start : row.last_seen;
    if (row.is_start) {
      ads += Number(row.ads);
      adsDated += Number(row.dated);
    }
    if (day === null) continue;
    const known = days.get(day) ?? { day, begun: 0, lastSeen: 0 };
    days.set(day, { ...known, [row.is_start ? 'begun' : 'lastSeen']: Number(row.ads) });
  }
  return { ads, adsDated, days: [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1)) };
}

/** Span of days; future days of a source do not extend it. */
async function windowOf(db: Sql, { days }: Dated): Promise<BatchFigures['window']> {
  const { rows } = await db.execute<{ today: string }>(
    sql`SELECT (now() AT TIME ZONE 'UTC')::date::text AS today`,
  );
  const today = rows[0]?.today ?? '';
  const to = days.findLast(({ day, lastSeen }) => lastSeen > 0 && day <= today)?.day;
  const first = days.find(({ begun }) => begun > 0)?.day;
  if (to === undefined || first === undefined) return null;
  const earliest = addDays(to, 1 - chartDaysMax);
  return { from: first > earliest && first <= to ? first : earliest, to };
}

interface RunRow extends Record<string, unknown> {
  readonly company_key: string;
  readonly start: string;
  readonly last_seen: string;
  readonly ads: string;
}

async function readRunning(
  db: Sql,
  batchId: number,
  companies: readonly NamedCompany[],
  window: NonNullable<BatchFigures['window']>,
): Promise<readonly CompanyActivity[]> {
  const { rows } = await db.execute<RunRow>(
    sql`SELECT l.subject_key AS company_key, la.start::text AS start, la.last_seen::text AS last_seen, count(*) AS ads
      FROM ${linksSql(batchId)} AND l.subject_key = ANY (${texts(companies.map(({ key }) => key))})
        AND la.start IS NOT NULL AND la.last_seen IS NOT NULL
      GROUP BY 1, 2, 3`,
  );
  return companies.map((company) => {
    const runs = rows.filter((row) => row.company_key === company.key).map(toRuns);
    return { company, ...countRunning(runs, window) };
  });
}

function toRuns({ start, last_seen: lastSeen, ads }: RunRow): AdRuns {
  return { start, lastSeen, ads: Number(ads) };
}
