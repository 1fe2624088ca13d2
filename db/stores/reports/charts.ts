import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { rowsArePurged } from '../../../src/core/batches/batch.ts';
import type { BatchFigures, ChartStore, ScheduleFigures } from '../../../src/core/reports/charts.ts';
import { lastDays } from '../../../src/core/reports/last-days.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { batches } from '../../schema/batches.ts';
import { countBatch } from './batch-figures.ts';
import { noSuchBatch } from '../batches/batch-summaries.ts';
import { countFigures, readFigures, type Counting, type FigureSubject, type Limit } from './figures.ts';
import { readReportedSchedule } from './schedule-data.ts';
import { countSchedule } from './schedule-figures.ts';

/** Minimum number of lookups; smaller batches are counted quickly on demand. */
const lookupsMin = 5000;
const companiesMin = 1000;
/** Per call of `keepUp`, so that an upgrade with many batches does not take long. */
const subjectsMax = 20;

/** Creates the store of charts, whose data is cached. `limit` bounds concurrent counts. */
export function createChartStore(db: NodePgDatabase, limit: Limit): ChartStore {
  return {
    ...createChartReadings(db, { primary: db, limit, underWay: new Map() }),
    keepUp: (signal) => withDatabase(() => keepUp(db, limit, signal)),
  };
}

/** Creates the readings of charts, which may be on a replica. */
export function createChartReadings(db: NodePgDatabase, counting: Counting): Omit<ChartStore, 'keepUp'> {
  return {
    readBatch: (accountId, publicId, days) =>
      withDatabase(async () => {
        const { batchId, fileName } = await findBatch(db, accountId, publicId);
        const { figures, ...kept } = await readFigures(db, batchSubject(batchId), counting);
        return { publicId, name: fileName, ...kept, figures: lastDays(figures, days) };
      }),
    readSchedule: (accountId, named, days) =>
      withDatabase(async () => {
        const { scheduleId, schedule } = await readReportedSchedule(db, accountId, named);
        const { figures, ...kept } = await readFigures(db, scheduleSubject(scheduleId), counting);
        const { publicId, name } = schedule;
        return { publicId, name, ...kept, figures: lastDays(figures, days) };
      }),
  };
}

/** @throws NotFound | Conflict */
async function findBatch(db: Sql, accountId: number, publicId: string) {
  const { id: batchId, fileName, purgedAt } = batches;
  const [found] = await db
    .select({ batchId, fileName, purgedAt })
    .from(batches)
    .where(and(eq(batches.accountId, accountId), eq(batches.publicId, publicId), isNull(batches.deletedAt)));
  if (found === undefined) throw noSuchBatch(publicId);
  if (found.purgedAt !== null) throw rowsArePurged(publicId, found.purgedAt);
  return found;
}

/** An outcome never changes, so the number of companies with one identifies the state; a retry creates new lookups. */
function batchSubject(id: number): FigureSubject<BatchFigures> {
  const stateSql = sql`SELECT concat_ws(' ', b.lookups_total, b.retried, (
      SELECT coalesce(sum(c.found + c.none + c.no_match + c.failed + c.cancelled), 0) FROM nightshift.chunks c
      WHERE c.batch_id = b.id AND c.operation = 'ads_search')) AS state
    FROM nightshift.batches b WHERE b.id = ${id}`;
  return { kind: 'batch', id, form: 2, stateSql, count: (db) => countBatch(db, id) };
}

/** Subject of a schedule's charts. Companies and ads change only with an evaluation; the days change when a scan starts. */
function scheduleSubject(id: number): FigureSubject<ScheduleFigures> {
  const stateSql = sql`SELECT concat_ws(' ', max(s.id), count(s.begun_at), sum(s.evaluations)) AS state
    FROM nightshift.scans s WHERE s.schedule_id = ${id}`;
  return { kind: 'schedule', id, form: 1, stateSql, count: (db) => countSchedule(db, id) };
}

async function keepUp(db: NodePgDatabase, limit: Limit, signal: AbortSignal): Promise<void> {
  for (const subject of [
    ...(await listIds(db, endedBatches)).map(batchSubject),
    ...(await listIds(db, evaluatedSchedules)).map(scheduleSubject),
  ]) {
    signal.throwIfAborted();
    await limit<unknown>(() => countFigures<BatchFigures | ScheduleFigures>(db, subject, db));
  }
}

const endedBatches = sql`SELECT b.id FROM nightshift.batches b LEFT JOIN nightshift.figures f ON f.batch_id = b.id
  WHERE b.finished_at > now() - interval '1 day' AND b.lookups_total >= ${lookupsMin} AND b.purged_at IS NULL
    AND (f.as_of < b.finished_at) IS NOT FALSE
  ORDER BY b.id LIMIT ${subjectsMax}`;

const evaluatedSchedules = sql`SELECT c.id FROM nightshift.schedules c LEFT JOIN nightshift.figures f ON f.schedule_id = c.id
  WHERE c.companies >= ${companiesMin} AND c.state <> 'removed' AND EXISTS (
    SELECT FROM nightshift.scans s WHERE s.schedule_id = c.id AND s.evaluated_at > now() - interval '1 day'
      AND (f.as_of < s.evaluated_at) IS NOT FALSE)
  ORDER BY c.id LIMIT ${subjectsMax}`;

async function listIds(db: Sql, query: SQL): Promise<readonly number[]> {
  const { rows } = await db.execute<{ id: string }>(query);
  return rows.map(({ id }) => Number(id));
}
