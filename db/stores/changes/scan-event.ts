import { sql } from 'drizzle-orm';
import { changeKinds, type ChangeKind } from '../../../src/core/changes/ad-change.ts';
import type { Sql } from '../../connection/client.ts';
import type { CompanyResult } from './scan-results.ts';
import type { ClaimedScan } from './claim-evaluation.ts';

/** Maximum number of companies in an event. */
const namedMax = 5;

type KindCounts = Readonly<Record<ChangeKind, number>>;

/** Running count of an evaluation's changes. */
export interface ChangeCount {
  readonly companies: number;
  readonly kinds: KindCounts;
  /** Number of new and ended ads by company key. */
  readonly busy: ReadonlyMap<string, Readonly<Pick<KindCounts, 'new' | 'ended'>>>;
}

/** An empty count. */
export const noChanges: ChangeCount = { companies: 0, kinds: countKinds([]), busy: new Map() };

/** Adds these results to the count. */
export function countChanges(before: ChangeCount, results: readonly CompanyResult[]): ChangeCount {
  const busy = new Map(before.busy);
  for (const { companyKey, tracked } of results) {
    const { new: appeared, ended } = countKinds(tracked.changes);
    if (appeared + ended > 0) busy.set(companyKey, { new: appeared, ended });
  }
  const now = countKinds(results.flatMap(({ tracked }) => tracked.changes));
  const kinds = changeKinds.map((kind) => [kind, before.kinds[kind] + now[kind]] as const);
  return {
    companies: before.companies + results.length,
    kinds: Object.fromEntries(kinds) as KindCounts,
    busy,
  };
}

function countKinds(changes: readonly { readonly kind: ChangeKind }[]): KindCounts {
  const counts = { baseline: 0, new: 0, reactivated: 0, ended: 0, changed: 0 };
  for (const { kind } of changes) counts[kind] += 1;
  return counts;
}

/** Total number of changes of all kinds. */
export function totalOf({ kinds }: ChangeCount): number {
  return changeKinds.reduce((sum, kind) => sum + kinds[kind], 0);
}

/**
 * Emits the event `scan.changes` of an evaluation: always for the first one, even without changes; after a retry, with its own
 * subject, if there are new observations. It contains the changes of this evaluation, and the completeness of the scan.
 */
export async function emitScanEvent(db: Sql, claimed: ClaimedScan, count: ChangeCount): Promise<void> {
  if (claimed.evaluations > 0 && count.companies === 0) return;
  const subject =
    claimed.evaluations === 0 ? claimed.publicId : `${claimed.publicId}:${claimed.evaluations + 1}`;
  const top = [...count.busy]
    .map(([key, counts]) => ({ key, ...counts }))
    .sort((a, b) => b.new + b.ended - a.new - a.ended || (a.key < b.key ? -1 : 1))
    .slice(0, namedMax);
  await db.execute(
    sql`SELECT nightshift.emit_event(s.account_id, 'scan.changes', ${subject}, jsonb_build_object(
        'scan', s.public_id, 'schedule', c.name, 'schedule_id', c.public_id, 'batch', b.public_id,
        'due_at', to_char(s.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'after_retry', ${claimed.evaluations > 0}::boolean,
        'companies', n.companies, 'changes', ${JSON.stringify(count.kinds)}::jsonb, 'top', t.top,
        'credits', jsonb_build_object('spent', trim_scale(n.charged_micro / 1000000.0), 'left', trim_scale(k.balance_micro / 1000000.0)),
        'retry_command', CASE WHEN n.failed > 0 THEN format('nightshift retry %s', b.public_id)
          WHEN n.in_doubt > 0 THEN format('nightshift retry %s --in-doubt', b.public_id) END), c.notify)
      FROM nightshift.scans s
      JOIN nightshift.schedules c ON c.id = s.schedule_id
      JOIN nightshift.batches b ON b.id = s.batch_id
      JOIN nightshift.credit_balances k ON k.account_id = s.account_id
      CROSS JOIN (${companiesSql(claimed)}) n
      CROSS JOIN (${topSql(claimed, top)}) t
      WHERE s.id = ${claimed.scanId}`,
  );
}

/** Completeness of the scan, its charges, and its final failures. */
function companiesSql({ scanId, batchId }: ClaimedScan) {
  const counted = (completeness: string) => sql`count(*) FILTER (WHERE c.completeness = ${completeness})`;
  const last = sql`l.outcome = 'failed' AND NOT EXISTS (SELECT FROM nightshift.lookups x WHERE x.batch_id = l.batch_id
    AND x.operation = l.operation AND x.subject_key = l.subject_key AND x.generation = l.generation + 1)`;
  return sql`SELECT jsonb_build_object('total', max(t.total), 'complete', ${counted('complete')}, 'truncated', ${counted('truncated')},
      'partial', ${counted('partial')}, 'unconfirmed_empty', ${counted('unconfirmed_empty')},
      'failed', max(t.total) - count(c.scan_id)) AS companies,
      max(t.charged_micro) AS charged_micro, max(t.failed) AS failed, max(t.in_doubt) AS in_doubt
    FROM (
      SELECT count(DISTINCT l.subject_key) AS total, coalesce(sum(l.charged_micro), 0) AS charged_micro,
        count(*) FILTER (WHERE l.reason <> 'in_doubt' AND ${last}) AS failed, count(*) FILTER (WHERE l.reason = 'in_doubt' AND ${last}) AS in_doubt
      FROM nightshift.lookups l WHERE l.batch_id = ${batchId} AND l.operation = 'ads_search'
    ) t
    LEFT JOIN nightshift.scan_companies c ON c.scan_id = ${scanId}`;
}

/** Companies by their names in the batch of the scan. */
function topSql(
  { batchId }: ClaimedScan,
  top: readonly ({ readonly key: string } & Pick<KindCounts, 'new' | 'ended'>)[],
) {
  return sql`SELECT coalesce(jsonb_agg(jsonb_build_object('company', coalesce(l.company_domain, l.company_name, w.key),
      'new', w.new, 'ended', w.ended) ORDER BY w.position), '[]') AS top
    FROM jsonb_to_recordset(${JSON.stringify(top.map((each, position) => ({ ...each, position })))}::jsonb)
      AS w(key text, new integer, ended integer, position integer)
    LEFT JOIN nightshift.lookups l ON l.batch_id = ${batchId} AND l.operation = 'ads_search' AND l.subject_key = w.key
      AND l.generation = 1`;
}
