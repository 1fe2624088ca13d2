import { customType, pgSchema, timestamp } from 'drizzle-orm/pg-core';

/** The tables of Nightshift. People query the views in `reports` instead, which stay stable when tables change. */
export const nightshift = pgSchema('nightshift');

/** Raw bytes, such as a SHA-256. */
export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** A moment by the database's clock: no worker's clock decides anything. */
export function moment(name: string) {
  return timestamp(name, { withTimezone: true, mode: 'date' });
}
