import { queueSchema, type QueueInfo } from '../../../db/info/queue-info.ts';
import { ok, problem, type Finding } from './check-result.ts';

/** Remedy: recreate the queue's schema. It is a to-do list, and Postgres is the record. */
const makeAnew =
  '`DROP SCHEMA bullmq CASCADE`. Nothing is lost: the next command makes it again, and it is filled again from the record.';

/** The queue on Postgres. */
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
    findings.push(problem(name, 'on Postgres, where nightshift_app may not make its tables', remedy));
  }
  if (owner === null)
    return [...findings, ok(name, 'on Postgres; its tables are made when they are needed first')];
  if (owner !== 'nightshift_app') {
    const remedy =
      '`ALTER SCHEMA bullmq OWNER TO nightshift_app`; or, when there are tables in it: ' + makeAnew;
    findings.push(problem(name, `on Postgres, in a schema bullmq that belongs to ${owner}`, remedy));
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
    const remedy = `Run the newer Nightshift on every machine; or, to go back: ${makeAnew}`;
    return problem(name, `${place}, which a newer BullMQ (${clientVersion ?? ''}) has made`, remedy);
  }
  const missing = queueSchema.tables.filter((table) => !tables.includes(table));
  // An older version has fewer tables, and is brought up to date when the queue is opened.
  if ((version ?? 0) < queueSchema.version || missing.length === 0) return ok(name, place);
  return problem(name, `${place}, and yet these tables are missing: ${missing.join(', ')}`, makeAnew);
}
