import { sql, type SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { readAtOnce, type Sql } from '../../connection/client.ts';

/** Subject of figures, and their queries. */
export interface FigureSubject<Figures> {
  readonly kind: 'batch' | 'schedule';
  readonly id: number;
  /** Version of the data format; a new version causes a recount. */
  readonly form: number;
  /** Query for the state behind the data: while its text is the same, the data is current. One column `state`. */
  readonly stateSql: SQL;
  readonly count: (db: Sql) => Promise<Figures>;
}

/** Cached data, the time of its count, and whether it is current. */
export interface KeptFigures<Figures> {
  readonly figures: Figures;
  readonly asOf: Date;
  readonly isCurrent: boolean;
}

/** Limits the concurrent runs of work. */
export type Limit = <T>(work: () => Promise<T>) => Promise<T>;

/** Parts of a count on demand. */
export interface Counting {
  /** Connections to the primary, which caches it. */
  readonly primary: Sql;
  readonly limit: Limit;
}

/** Stale data is shown for this many times the duration of its count, so that counting costs at most a twentieth of the time. */
const shownFactor = 20;

/**
 * Reads the data of a subject: cached data if it is current or only recently outdated; otherwise it is counted now, from one
 * snapshot, and cached.
 */
export async function readFigures<Figures>(
  db: NodePgDatabase,
  subject: FigureSubject<Figures>,
  { primary, limit }: Counting,
): Promise<KeptFigures<Figures>> {
  const { rows } = await db.execute<{
    figures: Figures;
    as_of: string;
    is_current: boolean;
    is_shown: boolean;
  }>(
    sql`SELECT f.figures, f.as_of, f.state = s.state AS is_current,
        now() - f.as_of < f.took_ms * ${shownFactor} * interval '1 millisecond' AS is_shown
      FROM nightshift.figures f CROSS JOIN (${subject.stateSql}) s
      WHERE ${ofSubject(subject)} AND f.form = ${subject.form}`,
  );
  const [kept] = rows;
  if (kept !== undefined && (kept.is_current || kept.is_shown))
    return { figures: kept.figures, asOf: new Date(kept.as_of), isCurrent: kept.is_current };
  return limit(() => countFigures(db, subject, primary));
}

/** Counts data, and caches it on the primary. */
export async function countFigures<Figures>(
  db: NodePgDatabase,
  subject: FigureSubject<Figures>,
  primary: Sql,
): Promise<KeptFigures<Figures>> {
  const counted = await readAtOnce(db, async (transaction) => {
    const figures = await subject.count(transaction);
    const { rows } = await transaction.execute<{ state: string; as_of: string; took_ms: number }>(
      sql`SELECT s.state, now()::text AS as_of, ceil(extract(epoch FROM clock_timestamp() - now()) * 1000)::integer AS took_ms
        FROM (${subject.stateSql}) s`,
    );
    return { figures, ...rows[0] };
  });
  const { figures, state, as_of: asOf, took_ms: tookMs } = counted;
  if (state === undefined || asOf === undefined || tookMs === undefined)
    throw new Error(`The ${subject.kind} ${subject.id} was deleted while it was counted.`);
  await keepFigures(primary, subject, { figures, state, asOf, tookMs });
  return { figures, asOf: new Date(asOf), isCurrent: true };
}

/** Stores nothing about a subject whose purge has started: both lock the same row. */
async function keepFigures<Figures>(
  db: Sql,
  { kind, id, form }: FigureSubject<Figures>,
  counted: {
    readonly figures: Figures;
    readonly state: string;
    readonly asOf: string;
    readonly tookMs: number;
  },
): Promise<void> {
  const { table, column } = places[kind];
  await db.execute(
    sql`INSERT INTO nightshift.figures (${column}, form, state, figures, as_of, took_ms)
      SELECT s.id, ${form}, ${counted.state}, ${JSON.stringify(counted.figures)}::jsonb, ${counted.asOf}::timestamptz,
        ${counted.tookMs}
      FROM ${table} s WHERE s.id = ${id} AND s.purged_at IS NULL FOR KEY SHARE
      ON CONFLICT (${column}) DO UPDATE SET form = excluded.form, state = excluded.state, figures = excluded.figures,
        as_of = excluded.as_of, took_ms = excluded.took_ms
      WHERE figures.as_of <= excluded.as_of`,
  );
}

const places = {
  batch: { table: sql`nightshift.batches`, column: sql`batch_id` },
  schedule: { table: sql`nightshift.schedules`, column: sql`schedule_id` },
} as const;

function ofSubject({ kind, id }: Pick<FigureSubject<unknown>, 'kind' | 'id'>): SQL {
  return sql`f.${places[kind].column} = ${id}`;
}
