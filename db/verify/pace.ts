import { sql } from 'drizzle-orm';
import type { SourcePace } from '../../src/core/sources/source-call.ts';
import {
  notApplicable,
  reportOf,
  type InvariantReport,
  type VerifyOptions,
} from '../../src/core/reports/invariants.ts';
import type { Sql } from '../connection/client.ts';
import type { IdRange } from './scope/scope.ts';

/** As many calls before a part are read again, for the seconds in which it begins. */
const callsPerSecondMax = 10_000n;

/** Default of `VerifyOptions.paceAgeMsMax`. */
export const paceAgeMsMaxDefault = 3_600_000;

/** The peak of recorded calls of a source within a sliding second. */
export interface Peak {
  readonly source: string;
  readonly calls: number;
  readonly peak: number;
  readonly peakAt: string;
  /** The peak among recent calls, which are checked; 0 without any. */
  readonly evaluatedPeak: number;
}

interface PaceOptions extends VerifyOptions {
  /** Calls to read. */
  readonly calls: IdRange;
  /** Peaks of the calls before. */
  readonly before: readonly Peak[];
  /** Number of calls among them that an earlier run has read. */
  readonly proved: number;
}

/**
 * Invariant 9, from the log of calls; the source's own count is authoritative.
 *
 * A call is recorded shortly before its slot, calls that start together are recorded together, and a call that misses its slot
 * takes another, which is recorded only if it comes half a second later or more. So the recorded time may be earlier than the sending, by the
 * latency of the database and the distance of the next slot. Our choice: up to one second is tolerated, so one recorded second may hold the
 * slots of two: twice the rate, and the burst. More breaks the invariant. Calls count from their end, unless they were never sent: one that
 * runs may still wait for another slot, and of one that was cut off no process knows whether it was sent. A host that comes back to the network
 * may record many of those in a second.
 */
export async function checkPace(
  db: Sql,
  { paces = new Map(), paceAgeMsMax = paceAgeMsMaxDefault, calls, before, proved }: PaceOptions,
): Promise<InvariantReport> {
  const peaks = sumPeaks([...before, ...(await readPeaks(db, calls, paceAgeMsMax))]);
  if (peaks.length === 0) return notApplicable(9, 'No call to a live source is recorded.');
  const findings = peaks.flatMap((peak) => tooFast(peak, paces.get(peak.source)));
  return reportOf(9, {
    checked: peaks.reduce((sum, { calls }) => sum + calls, -proved),
    proved,
    findings,
    findingsTotal: findings.length,
    note: `As recorded, not as the source counted. Most calls in a sliding second: ${peaks.map(describe).join('; ')}.`,
  });
}

/** Seconds around a clock that was set back within which its steps are not known exactly: it is looked at every ten seconds. */
const setbackSeconds = 15;

/** Not a moment that the clock of the server showed twice, because it was set back: its calls are those of two seconds. */
const happenedOnce = sql`NOT EXISTS (SELECT FROM nightshift.clock_setbacks b
  WHERE sent_at BETWEEN b.set_to - ${setbackSeconds} * interval '1 second' AND b.set_from + ${setbackSeconds} * interval '1 second')`;

/** The second is half-open: a call exactly one second after another is not in it. Times are in microseconds. */
export async function readPeaks(db: Sql, { after, to }: IdRange, ageMsMax: number): Promise<readonly Peak[]> {
  const { rows } = await db.execute<PeakRow>(
    sql`SELECT source, count(*) AS calls, max(in_second)::integer AS peak,
        to_char((array_agg(sent_at ORDER BY in_second DESC, sent_at))[1] AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS peak_at,
        coalesce(max(judged_in_second), 0)::integer AS evaluated_peak
      FROM (
        SELECT id, source, sent_at, count(*) OVER in_second AS in_second, count(*) FILTER (
            WHERE sent_at >= now() - ${ageMsMax} * interval '1 millisecond') OVER in_second AS judged_in_second
        FROM nightshift.source_calls
        WHERE answered_at IS NOT NULL AND answer IS DISTINCT FROM 'not_sent' AND ${happenedOnce} AND id > ${after - callsPerSecondMax}::bigint AND id <= ${to}::bigint
        WINDOW in_second AS (PARTITION BY source ORDER BY sent_at RANGE interval '999999 microseconds' PRECEDING)
      ) c WHERE id > ${after}::bigint GROUP BY source ORDER BY source`,
  );
  return rows.map((row) => ({
    source: row.source,
    calls: Number(row.calls),
    peak: row.peak,
    peakAt: row.peak_at,
    evaluatedPeak: row.evaluated_peak,
  }));
}

interface PeakRow extends Record<string, unknown> {
  readonly source: string;
  readonly calls: string;
  readonly peak: number;
  readonly peak_at: string;
  readonly evaluated_peak: number;
}

/** One peak for each source: the first of the highest. */
export function sumPeaks(peaks: readonly Peak[]): readonly Peak[] {
  const bySource = new Map<string, Peak>();
  for (const peak of peaks) {
    const other = bySource.get(peak.source);
    const higher = other !== undefined && other.peak >= peak.peak ? other : peak;
    bySource.set(peak.source, {
      ...higher,
      calls: peak.calls + (other?.calls ?? 0),
      evaluatedPeak: Math.max(peak.evaluatedPeak, other?.evaluatedPeak ?? 0),
    });
  }
  return [...bySource.values()].sort((a, b) => (a.source < b.source ? -1 : 1));
}

function tooFast({ source, evaluatedPeak: peak }: Peak, pace: SourcePace | undefined): readonly string[] {
  if (pace === undefined || peak <= 2 * pace.requestsPerSecond + pace.burst) return [];
  const { requestsPerSecond, burst } = pace;
  return [
    `source ${source} has ${peak} calls in one recorded second, with a rate limit of ${requestsPerSecond} a second and a burst of ${burst}`,
  ];
}

function describe({ source, calls, peak, peakAt }: Peak): string {
  return `${source} ${peak} (of ${calls}) at ${peakAt}`;
}
