import { sql, type SQL } from 'drizzle-orm';
import type { Sql } from '../connection/client.ts';
import { texts } from '../stores/sql/arrays.ts';
import type { Clause } from './clause.ts';

/** True when BullMQ keeps its jobs on this Postgres. */
export async function queueIsHere(db: Sql): Promise<boolean> {
  const found = await db.execute<{ here: boolean }>(
    sql`SELECT to_regclass('bullmq.job') IS NOT NULL AS here`,
  );
  return found.rows[0]?.here ?? false;
}

/** Ids in jobs: of a chunk, of a recheck, and of a schedule or an inbox, which use letters for digits. */
const idsOfJobs =
  '"(chunkId|generation|lookupId|round)"[[:space:]]*:|"schedule"[[:space:]]*:[[:space:]]*"sch_[0-9a-f]{32}"|"inbox"[[:space:]]*:[[:space:]]*"inb_[0-9a-f]{32}"';

/** True when a payload, as JSON text, contains more than those ids: any other letter, or an at sign. */
function saysMore(payload: SQL): SQL {
  return sql`regexp_replace(${payload}, ${idsOfJobs}, '', 'g') ~ '[[:alpha:]@]'`;
}

/** An address, or a password in a URL, in a text that BullMQ keeps of a failed job. */
function tellsAnAddress(text: SQL): SQL {
  return sql`${text} ~ '[^[:space:]]@[^[:space:]]+[.]'`;
}

/** Findings name the job and never quote its content. */
export const queuedJobsCarryIdsOnly: readonly Clause[] = [
  {
    checked: sql`SELECT count(*) AS n FROM bullmq.job`,
    broken: sql`SELECT format('job %s of queue %s carries more than ids', id, queue) AS finding
      FROM bullmq.job WHERE ${saysMore(sql`data::text`)}`,
  },
  {
    checked: null,
    broken: sql`SELECT format('job %s of queue %s has an address in its error', id, queue) AS finding
      FROM bullmq.job WHERE ${tellsAnAddress(sql`failed_reason`)}
      UNION ALL
      SELECT DISTINCT format('job %s of queue %s has an address in its log', job_id, queue)
      FROM bullmq.job_log WHERE ${tellsAnAddress(sql`row`)}`,
  },
];

/** The same for payloads from elsewhere, such as Redis. They are named by their position, because the id may be missing. */
export function payloadsCarryIdsOnly(payloads: readonly string[]): Clause {
  return {
    checked: sql`SELECT ${payloads.length}::bigint AS n`,
    broken: sql`SELECT format('job payload %s of %s carries more than ids', p.place, ${payloads.length}::integer) AS finding
      FROM unnest(${texts(payloads)}) WITH ORDINALITY AS p(payload, place) WHERE ${saysMore(sql`p.payload`)}`,
  };
}
