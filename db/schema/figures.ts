import { sql } from 'drizzle-orm';
import { bigint, check, integer, jsonb, smallint, text, unique } from 'drizzle-orm/pg-core';
import { batches } from './batches.ts';
import { schedules } from './schedules.ts';
import { moment, nightshift } from './schema.ts';

/**
 * What charts tell of a batch or of a schedule, counted once: over a million ads that takes seconds. A copy of what the record says, and
 * thrown away with what it is about; see `db/stores/reports/figures.ts`.
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
    /** What of the record they were counted from: as long as it says the same, they are still true. */
    state: text().notNull(),
    figures: jsonb().notNull(),
    asOf: moment('as_of').notNull(),
    /** How long counting took. */
    tookMs: integer('took_ms').notNull(),
  },
  (table) => [
    unique('figures_of_batch').on(table.batchId),
    unique('figures_of_schedule').on(table.scheduleId),
    check('figures_one_subject', sql`num_nonnulls(${table.batchId}, ${table.scheduleId}) = 1`),
  ],
);
