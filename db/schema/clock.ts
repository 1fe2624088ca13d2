import { sql } from 'drizzle-orm';
import { check, primaryKey, smallint } from 'drizzle-orm/pg-core';
import { moment, nightshift } from './schema.ts';

/** The clock of the server as it was seen last: at most one row. */
export const serverClock = nightshift.table(
  'server_clock',
  {
    id: smallint().primaryKey().default(1),
    seenAt: moment('seen_at').notNull(),
  },
  (table) => [check('server_clock_one', sql`${table.id} = 1`)],
);

/** Times at which the clock of the server was set back: the moments between both happened twice. */
export const clockSetbacks = nightshift.table(
  'clock_setbacks',
  {
    setFrom: moment('set_from').notNull(),
    setTo: moment('set_to').notNull(),
  },
  (table) => [primaryKey({ columns: [table.setFrom, table.setTo] })],
);
