import { sql, type SQL } from 'drizzle-orm';

/** An array parameter. Drizzle would spread a bare array into one parameter per element. */
export function bigints(values: readonly (bigint | number | null)[]): SQL {
  return sql`${sql.param(values)}::bigint[]`;
}

export function ints(values: readonly (number | null)[]): SQL {
  return sql`${sql.param(values)}::integer[]`;
}

export function texts(values: readonly (string | null)[]): SQL {
  return sql`${sql.param(values)}::text[]`;
}

export function booleans(values: readonly (boolean | null)[]): SQL {
  return sql`${sql.param(values)}::boolean[]`;
}
