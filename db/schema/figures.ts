import { sql } from 'drizzle-orm';
import { bigint, check, integer, jsonb, smallint, text, unique } from 'drizzle-orm/pg-core';
import { batches } from './batches.ts';
import { schedules } from './schedules.ts';
import { moment, nightshift } from './schema.ts';

/**
 * Cache of the charts of batches and schedules: counting over a million ads takes seconds. A copy of the record, removed with its subject;
 * see `db/stores/reports/figures.ts`.
 */
export const figures = nightshift.table(
  'figures',
  {
    batchId: bigint('batch_id', { mode: 'number' }).references(() => batches.id, { onDelete: 'cascade' }),
    scheduleId: bigint('schedule_id', { mode: 'number' }).references(() => schedules.id, {
      onDelete: 'cascade',
    }),
    /** The form of `figures`: those of another one are counted anew. */
    form: smallint().notNull(),
    /** State of the record at the time of counting: while it is the same, the figures are current. */
    state: text().notNull(),
    figures: jsonb().notNull(),
    asOf: moment('as_of').notNull(),
    /** Duration of counting. */
    tookMs: integer('took_ms').notNull(),
  },
  (table) => [
    unique('figures_of_batch').on(table.batchId),
    unique('figures_of_schedule').on(table.scheduleId),
    check('figures_one_subject', sql`num_nonnulls(${table.batchId}, ${table.scheduleId}) = 1`),
  ],
);
