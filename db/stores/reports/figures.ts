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
  /** Counts under way by subject and state, which the stores of a process share. */
  readonly underWay: Map<string, Promise<unknown>>;
}

/** Stale data is shown for this many times the duration of its count, so that counting costs at most a twentieth of the time. */
const shownFactor = 20;

/**
 * Reads the data of a subject: cached data if it is current or only recently outdated; otherwise it is counted now, from one
 * snapshot, and cached. Callers at the same moment share a count of the state that they have found, so that each sees its own writes.
 */
export async function readFigures<Figures>(
  db: NodePgDatabase,
  subject: FigureSubject<Figures>,
  { primary, limit, underWay }: Counting,
): Promise<KeptFigures<Figures>> {
  const { kept, state } = await readKept(db, subject);
  if (kept !== null) return kept;
  const name = `${subject.kind} ${subject.id} ${state}`;
  const count = async () => (await readKept(db, subject)).kept ?? countFigures(db, subject, primary);
  const counting = underWay.get(name) ?? limit(count).finally(() => underWay.delete(name));
  underWay.set(name, counting);
  return (await counting) as KeptFigures<Figures>;
}

/** Reads the cached data, which is null if it must be counted, and the state of the subject. */
async function readKept<Figures>(
  db: Sql,
  subject: FigureSubject<Figures>,
): Promise<{ readonly kept: KeptFigures<Figures> | null; readonly state: string }> {
  const { rows } = await db.execute<{
    state: string;
    figures: Figures | null;
    as_of: string | null;
    is_current: boolean;
    is_shown: boolean | null;
  }>(
    sql`SELECT s.state, f.figures, f.as_of, f.state IS NOT DISTINCT FROM s.state AS is_current,
        now() - f.as_of < f.took_ms * ${shownFactor} * interval '1 millisecond' AS is_shown
      FROM (${subject.stateSql}) s LEFT JOIN nightshift.figures f ON ${ofSubject(subject)} AND f.form = ${subject.form}`,
  );
  const [{ state, figures, as_of: asOf, is_current: isCurrent, is_shown: isShown } = nothingKept] = rows;
  if (figures === null || asOf === null || !(isCurrent || isShown === true)) return { kept: null, state };
  return { kept: { figures, asOf: new Date(asOf), isCurrent }, state };
}

/** Result for a subject that was deleted. */
const nothingKept = { state: '', figures: null, as_of: null, is_current: false, is_shown: null };

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
  const keptAsOf = await keepFigures(primary, subject, { figures, state, asOf, tookMs });
  return { figures, asOf: new Date(keptAsOf ?? asOf), isCurrent: true };
}

/**
 * Stores nothing about a subject whose purge has started: both lock the same row. The clock of a replica may be ahead: figures of the future would
 * never be replaced.
 *
 * @returns the stored time of the count; null when nothing was stored.
 */
async function keepFigures<Figures>(
  db: Sql,
  { kind, id, form }: FigureSubject<Figures>,
  counted: {
    readonly figures: Figures;
    readonly state: string;
    readonly asOf: string;
    readonly tookMs: number;
  },
): Promise<string | null> {
  const { table, column } = places[kind];
  const { rows } = await db.execute<{ as_of: string }>(
    sql`INSERT INTO nightshift.figures (${column}, form, state, figures, as_of, took_ms)
      SELECT s.id, ${form}, ${counted.state}, ${JSON.stringify(counted.figures)}::jsonb,
        least(${counted.asOf}::timestamptz, clock_timestamp()), ${counted.tookMs}
      FROM ${table} s WHERE s.id = ${id} AND s.purged_at IS NULL FOR KEY SHARE
      ON CONFLICT (${column}) DO UPDATE SET form = excluded.form, state = excluded.state, figures = excluded.figures,
        as_of = excluded.as_of, took_ms = excluded.took_ms
      WHERE figures.as_of <= excluded.as_of
      RETURNING as_of`,
  );
  return rows[0]?.as_of ?? null;
}

const places = {
  batch: { table: sql`nightshift.batches`, column: sql`batch_id` },
  schedule: { table: sql`nightshift.schedules`, column: sql`schedule_id` },
} as const;

function ofSubject({ kind, id }: Pick<FigureSubject<unknown>, 'kind' | 'id'>): SQL {
  return sql`f.${places[kind].column} = ${id}`;
}
