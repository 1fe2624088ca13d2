import { sql } from 'drizzle-orm';

/** Changes of a batch that continues after a wait, for the SET of an UPDATE. */
export const resumedSql = sql`state = 'running', state_reason = NULL, state_since = now(), wait_until = NULL, wait_kind = NULL`;
