import { queueSchema, type QueueInfo } from '../../../db/info/queue-info.ts';
import { ok, problem, type Finding } from './check-result.ts';

/** Remedy: recreate the schema of the queue, which holds no data of its own. */
const recreate =
  '`DROP SCHEMA bullmq CASCADE`. Nothing is lost: the next command recreates the schema and refills the queue.';

/** Checks the queue on Postgres. */
export function evaluatePostgresQueue({
  database,
  mayCreate,
  owner,
  tables,
  version,
  clientVersion,
}: QueueInfo): readonly Finding[] {
  const name = 'queue';
  const findings: Finding[] = [];
  if (!mayCreate) {
    const remedy = `As the owner: \`GRANT CREATE, TEMPORARY ON DATABASE "${database}" TO nightshift_app\`.`;
    findings.push(problem(name, 'on Postgres, but nightshift_app cannot create its tables', remedy));
  }
  if (owner === null) return [...findings, ok(name, 'on Postgres; its tables are created on first use')];
  if (owner !== 'nightshift_app') {
    const remedy = '`ALTER SCHEMA bullmq OWNER TO nightshift_app`; or, if it has tables: ' + recreate;
    findings.push(problem(name, `on Postgres, but the schema bullmq belongs to ${owner}`, remedy));
  }
  return [...findings, evaluateTables({ tables, version, clientVersion })];
}

function evaluateTables({
  tables,
  version,
  clientVersion,
}: Pick<QueueInfo, 'tables' | 'version' | 'clientVersion'>): Finding {
  const name = 'queue';
  const place = `on Postgres, schema bullmq version ${version ?? 0}`;
  if ((clientVersion ?? 0) > queueSchema.clientVersion) {
    const remedy = `Run the newer Nightshift on every machine; or, to downgrade: ${recreate}`;
    return problem(name, `${place}, created by a newer BullMQ (${clientVersion ?? ''})`, remedy);
  }
  const missing = queueSchema.tables.filter((table) => !tables.includes(table));
  // An older version has fewer tables and is migrated when the queue is opened.
  if ((version ?? 0) < queueSchema.version || missing.length === 0) return ok(name, place);
  return problem(name, `${place}, but tables are missing: ${missing.join(', ')}`, recreate);
}
