import { sql } from 'drizzle-orm';
import { bigint, check, integer, jsonb, smallint, text, unique } from 'drizzle-orm/pg-core';
import { batches } from './batches.ts';
import { schedules } from './schedules.ts';
import { moment, nightshift } from './schema.ts';

/**
 * Cache of the charts of batches and schedules, because counting a million ads takes seconds. Deleted with its batch or schedule; see
 * `db/stores/reports/figures.ts`.
 */
export const figures = nightshift.table(
  'figures',
  {
    batchId: bigint('batch_id', { mode: 'number' }).references(() => batches.id, { onDelete: 'cascade' }),
    scheduleId: bigint('schedule_id', { mode: 'number' }).references(() => schedules.id, {
      onDelete: 'cascade',
    }),
    /** Version of the format of `figures`; another version is counted again. */
    form: smallint().notNull(),
    /** State of the counted data; the figures are current while it is unchanged. */
    state: text().notNull(),
    figures: jsonb().notNull(),
    asOf: moment('as_of').notNull(),
    /** Duration of the count. */
    tookMs: integer('took_ms').notNull(),
  },
  (table) => [
    unique('figures_of_batch').on(table.batchId),
    unique('figures_of_schedule').on(table.scheduleId),
    check('figures_one_subject', sql`num_nonnulls(${table.batchId}, ${table.scheduleId}) = 1`),
  ],
);
