import type { Asked } from './server-info.ts';

/** Schema of the queue as BullMQ 6.7 makes it. */
export const queueSchema = {
  version: 11,
  /** Major version of BullMQ; a schema may require a newer one. */
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
  /** True when the application may create the schema, and use temporary tables, through which BullMQ adds jobs. */
  readonly mayCreate: boolean;
  /** Null while there is no schema. */
  readonly owner: string | null;
  readonly tables: readonly string[];
  /** Version of the schema, and of BullMQ that it requires; null without one. */
  readonly version: number | null;
  readonly clientVersion: number | null;
}

/** Reads the state of the queue. Fails without the role nightshift_app. */
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
