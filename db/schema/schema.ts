import { customType, pgSchema, timestamp } from 'drizzle-orm/pg-core';

/** Schema of the tables. Users query the views in `reports`, which stay stable when tables change. */
export const nightshift = pgSchema('nightshift');

/** Raw bytes, such as a SHA-256. */
export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** Set of ids, as ranges. */
export const int8multirange = customType<{ data: string }>({ dataType: () => 'int8multirange' });

/** Time of the database clock. Clocks of workers are never used. */
export function moment(name: string) {
  return timestamp(name, { withTimezone: true, mode: 'date' });
}
