import { sql } from 'drizzle-orm';
import type { Sql } from '../../connection/client.ts';
import type { CheckpointKind, CheckpointStore } from '../checkpoints.ts';
import { readPeaks, sumPeaks } from '../pace.ts';
import type { ListedBatch } from './closed-batches.ts';
import type { Plan } from './plan-parts.ts';
import { formatMark, noMark, storeProofs, type Mark, type MarkKind, type Proofs } from './proofs.ts';
import { hasFindings, type PartResults } from './run-parts.ts';
import type { Extent } from '../scope/scope.ts';

/** A snapshot of ads in the view of `nightshift verify`. */
export interface ListedSnapshot {
  readonly id: bigint;
  /** Each load changes it. */
  readonly marker: string;
}

/** Lists the snapshots of ads. */
export async function listSnapshots(db: Sql): Promise<readonly ListedSnapshot[]> {
  const { rows } = await db.execute<{ id: number; marker: string }>(
    sql`SELECT s.id, concat_ws('|', s.loaded_at, (SELECT count(*) FROM nightshift.advertisers a WHERE a.snapshot_id = s.id)) AS marker
      FROM nightshift.snapshots s ORDER BY s.id`,
  );
  return rows.map(({ id, marker }) => ({ id: BigInt(id), marker }));
}

/** Proofs of a run that has no finding. Null: not yet, because a transaction may still add to it. */
export interface NewProofs {
  readonly marks: Readonly<Record<MarkKind, Mark | null>>;
  readonly entries: ReadonlyMap<bigint, bigint>;
}

interface RunSoFar {
  readonly proofs: Proofs;
  readonly plan: Plan;
  readonly before: PartResults;
}

/** Reads, in the snapshot of the last part, up to where the run proves each kind. */
export async function readNewProofs(
  db: Sql,
  { proofs: { marks }, plan: { ends, nextTransaction }, before }: RunSoFar,
  extent: Extent,
): Promise<NewProofs> {
  const row = await readCounts(db, marks, ends);
  const isSettled = BigInt(row.oldest_transaction) >= nextTransaction;
  const own = await readPeaks(db, { after: extent.calls.after, to: ends.calls }, 0);
  const peaks = sumPeaks([...marks.calls.peaks, ...before.peaks, ...own]);
  const mark = (kind: MarkKind, to: bigint, items: string): Mark => ({
    ...noMark,
    to,
    items: marks[kind].items + Number(items),
  });
  return {
    marks: {
      requests: { ...mark('requests', ends.requests, row.requests), chunksTo: BigInt(row.chunks_to) },
      verdicts: mark('verdicts', BigInt(row.verdicts_to), '0'),
      calls: { ...noMark, to: ends.calls, items: callsOf(peaks), peaks },
      answers: isSettled ? mark('answers', ends.answers, row.answers) : null,
      versions: isSettled ? mark('versions', ends.versions, row.versions) : null,
    },
    entries: await readLastEntries(db),
  };
}

function callsOf(peaks: Mark['peaks']): number {
  return peaks.reduce((sum, { calls }) => sum + calls, 0);
}

async function readCounts(db: Sql, marks: Proofs['marks'], ends: Plan['ends']) {
  const { rows } = await db.execute<
    Record<'requests' | 'chunks_to' | 'verdicts_to' | 'answers' | 'versions' | 'oldest_transaction', string>
  >(
    sql`SELECT (SELECT count(*) FROM nightshift.lookups
          WHERE batch_id IS NULL AND id > ${marks.requests.to}::bigint AND id <= ${ends.requests}::bigint) AS requests,
        (SELECT coalesce(min(id) FILTER (WHERE first_lookup_id > ${ends.requests}::bigint) - 1, max(id), ${marks.requests.chunksTo}::bigint)
          FROM nightshift.chunks WHERE batch_id IS NULL AND id > ${marks.requests.chunksTo}::bigint) AS chunks_to,
        coalesce(least((SELECT max(lookup_id) FROM nightshift.email_results),
          (SELECT min(first_lookup_id) - 1 FROM nightshift.chunks WHERE state <> 'done'),
          (SELECT min(first_id) - 1 FROM nightshift.lookup_blocks)), 0) AS verdicts_to,
        (SELECT count(*) FROM nightshift.answers WHERE id > ${marks.answers.to}::bigint AND id <= ${ends.answers}::bigint) AS answers,
        (SELECT count(*) FROM nightshift.ad_versions WHERE id > ${marks.versions.to}::bigint AND id <= ${ends.versions}::bigint) AS versions,
        pg_snapshot_xmin(pg_current_snapshot())::text AS oldest_transaction`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('A query without a table returned no row.');
  return row;
}

async function readLastEntries(db: Sql): Promise<ReadonlyMap<bigint, bigint>> {
  const { rows } = await db.execute<{ account_id: string; last_seq: string }>(
    sql`SELECT account_id, last_seq FROM nightshift.credit_balances`,
  );
  return new Map(rows.map((row) => [BigInt(row.account_id), BigInt(row.last_seq)]));
}

interface FinishedRun {
  readonly results: PartResults;
  readonly fresh: NewProofs;
  /** Closed batches that were read before the last part, and those of them in a part with a finding. */
  readonly read: readonly ListedBatch[];
  readonly broken: ReadonlySet<number>;
  /** Closed batches of the last part, and true if it has a finding about lookups. */
  readonly closed: readonly ListedBatch[];
  readonly mainIsBroken: boolean;
  readonly snapshots: readonly ListedSnapshot[];
  /** True if everything was read: a finding then withdraws what earlier runs had proved. */
  readonly isFull: boolean;
}

/** Stores checkpoints for all parts without a finding, and withdraws those of the others. */
export async function storeRun(checkpoints: CheckpointStore, run: FinishedRun): Promise<void> {
  const { results, fresh, isFull, closed, mainIsBroken } = run;
  const proved = [...run.read.filter(({ id }) => !run.broken.has(id)), ...(mainIsBroken ? [] : closed)];
  const withdrawn = [...run.broken, ...(mainIsBroken ? closed.map(({ id }) => id) : [])];
  await storeProofs(
    checkpoints,
    'batch',
    new Map(proved.map(({ id, marker }) => [BigInt(id), marker ?? ''])),
  );
  await checkpoints.remove('batch', withdrawn.map(BigInt));
  const storeUnless = async (
    isBroken: boolean,
    kind: CheckpointKind,
    states: ReadonlyMap<bigint, string>,
    scopes: readonly bigint[] = [...states.keys()],
  ) => {
    if (!isBroken) await storeProofs(checkpoints, kind, states);
    else if (isFull) await checkpoints.remove(kind, scopes);
  };
  // A finding withdraws a mark even if a transaction in progress keeps this run from setting one.
  const storeMark = (isBroken: boolean, kind: MarkKind, mark: Mark | null) =>
    storeUnless(isBroken, kind, new Map(mark === null ? [] : [[0n, formatMark(mark)]]), [0n]);
  const { requests, verdicts, calls, answers, versions } = fresh.marks;
  await storeMark(hasFindings(results, 'lookups'), 'requests', requests);
  await storeMark(hasFindings(results, 'verdicts'), 'verdicts', verdicts);
  await storeMark(hasFindings(results, 'calls'), 'calls', calls);
  await storeMark(hasFindings(results, 'answers'), 'answers', answers);
  await storeMark(hasFindings(results, 'versions'), 'versions', versions);
  const entries = new Map([...fresh.entries].map(([account, seq]) => [account, String(seq)]));
  await storeUnless(hasFindings(results, 'entries'), 'entries', entries);
  const snapshots = new Map(run.snapshots.map(({ id, marker }) => [id, marker]));
  await storeUnless(hasFindings(results, 'rest'), 'snapshot', snapshots);
}
