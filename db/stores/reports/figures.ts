import { sql, type SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { readAtOnce, type Sql } from '../../connection/client.ts';

/** Subject of figures, and their queries. */
export interface FigureSubject<Figures> {
  readonly kind: 'batch' | 'schedule';
  readonly id: number;
  /** The form of its figures; counted up when that changes, so that old ones are counted anew. */
  readonly form: number;
  /** State from which the figures follow: while the record answers the same text, they are current. One column `state`. */
  readonly stateSql: SQL;
  readonly count: (db: Sql) => Promise<Figures>;
}

/** Figures, when they were counted, and whether the record still says the same. */
export interface KeptFigures<Figures> {
  readonly figures: Figures;
  readonly asOf: Date;
  readonly isCurrent: boolean;
}

/** Runs work, only so much of it at a time. */
export type Limit = <T>(work: () => Promise<T>) => Promise<T>;

/** Stale figures are shown for so many times the duration of counting, which then costs a twentieth of the time. */
const shownFactor = 20;

/**
 * The figures of a subject: the kept ones as long as the record has not moved on, or has done so only a moment ago; else counted now, of
 * one moment of the record, and kept.
 */
export async function readFigures<Figures>(
  db: NodePgDatabase,
  subject: FigureSubject<Figures>,
  limit: Limit,
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
  return limit(() => countFigures(db, subject));
}

/** Counts them, and keeps them. */
export async function countFigures<Figures>(
  db: NodePgDatabase,
  subject: FigureSubject<Figures>,
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
    throw new Error(`The ${subject.kind} ${subject.id} went away while it was counted.`);
  await keepFigures(db, subject, { figures, state, asOf, tookMs });
  return { figures, asOf: new Date(asOf), isCurrent: true };
}

/** Nothing is kept of what a purge has begun with: the row that it marks is locked by whoever comes first. */
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
