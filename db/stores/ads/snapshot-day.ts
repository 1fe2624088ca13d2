import { sql } from 'drizzle-orm';
import { ValidationError } from '../../../src/core/errors.ts';
import type { SnapshotName } from '../../../src/core/sources/snapshot-store.ts';
import type { Sql } from '../../connection/client.ts';
import type { LoadMoment } from './ad-details.ts';

interface DayRow extends Record<string, unknown> {
  readonly as_of: string;
  readonly today: string;
  readonly newest: string | null;
  readonly recorded_at: string;
}

/**
 * Day and moment of a load; the day is today, UTC, if `asOf` is null. A transaction that holds the lock on loads calls it after it has the
 * lock, so that moments and days of loads have the same order.
 *
 * @throws ValidationError for a day before that of the newest load, or in the future.
 */
export async function chooseMoment(db: Sql, name: SnapshotName, asOf: string | null): Promise<LoadMoment> {
  const { rows } = await db.execute<DayRow>(
    sql`SELECT coalesce(${asOf}::date, n.today)::text AS as_of, n.today::text AS today,
        (SELECT s.as_of::text FROM nightshift.snapshots s WHERE s.name = ${name}) AS newest,
        date_trunc('milliseconds', clock_timestamp())::text AS recorded_at
      FROM (SELECT (now() AT TIME ZONE 'UTC')::date AS today) n`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('The day of the load is unknown.');
  const { as_of: day, newest, today } = row;
  if (day > today)
    throw new ValidationError(
      `The day of the export, ${day}, is in the future. Give the day on which it was made.`,
      { where: 'as_of' },
    );
  if (newest !== null && day < newest)
    throw new ValidationError(
      `The ${name} has an export of ${newest}, which is newer than this one of ${day}. Load exports in the order of their days: ` +
        'an older one cannot be added afterwards.',
      { where: 'as_of' },
    );
  return { asOf: day, recordedAt: row.recorded_at };
}

/** The day of the database's clock, UTC. */
export async function readToday(db: Sql): Promise<string> {
  const { rows } = await db.execute<{ readonly today: string }>(
    sql`SELECT (now() AT TIME ZONE 'UTC')::date::text AS today`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('The day of the database is unknown.');
  return row.today;
}
