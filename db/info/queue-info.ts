import type { Asked } from './server-info.ts';

/** What the queue's own schema looks like once BullMQ has made it, by BullMQ 6.7. */
export const queueSchema = {
  version: 11,
  /** The major version of BullMQ; a schema may ask for a newer one. */
  clientVersion: 6,
  tables: [
    'dedup',
    'dedup_next',
    'event',
    'job',
    'job_dependency',
    'job_log',
    'meta',
    'metrics',
    'migration',
    'rate_limit',
    'relay_inbox',
    'relay_node',
    'relay_retained',
    'relay_subscription',
    'scheduler',
  ],
} as const;

/** The queue's own schema on Postgres. */
export interface QueueInfo {
  readonly database: string;
  /** Whether the application may make the schema, and use temporary tables, which BullMQ adds jobs through. */
  readonly mayCreate: boolean;
  /** Null while there is no schema. */
  readonly owner: string | null;
  readonly tables: readonly string[];
  /** Of the schema, and of the BullMQ it asks for; null while there is none. */
  readonly version: number | null;
  readonly clientVersion: number | null;
}

/** Reads it. The role nightshift_app exists, or this fails. */
export async function readQueueInfo(asked: Asked): Promise<QueueInfo> {
  const { rows } = await asked.query<Omit<QueueInfo, 'version' | 'clientVersion'>>(
    `SELECT current_database()::text AS database,
      has_database_privilege('nightshift_app', current_database(), 'CREATE')
        AND has_database_privilege('nightshift_app', current_database(), 'TEMPORARY') AS "mayCreate",
      (SELECT nspowner::regrole::text FROM pg_namespace WHERE nspname = 'bullmq') AS owner,
      ARRAY(SELECT tablename::text FROM pg_tables WHERE schemaname = 'bullmq' ORDER BY 1) AS tables`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('Postgres answered no row about the queue.');
  const none = { version: null, clientVersion: null };
  return { ...row, ...(row.tables.includes('migration') ? await readVersion(asked) : none) };
}

async function readVersion(asked: Asked): Promise<Pick<QueueInfo, 'version' | 'clientVersion'>> {
  const { rows } = await asked.query<{ version: number | null; clientVersion: number | null }>(
    'SELECT max(version) AS version, max(min_client_version) AS "clientVersion" FROM bullmq.migration',
  );
  return rows[0] ?? { version: null, clientVersion: null };
}
