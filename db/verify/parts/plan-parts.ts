import { sql, type SQL } from 'drizzle-orm';
import type { Sql } from '../../connection/client.ts';
import type { PartKind } from '../clause.ts';
import { listLedgers } from '../ledger/list-ledgers.ts';
import type { ListedBatch } from './closed-batches.ts';
import type { Mark, MarkKind, Proofs } from './proofs.ts';
import { idMax, nothing, type EntryRange, type Extent, type IdRange } from '../scope/scope.ts';

/** Size of a part that is read in a snapshot of its own. */
export interface PartSize {
  /** Lookups, verdicts, calls, and versions of ads; as many entries of an account. */
  readonly lookups: number;
  readonly answers: number;
}

export const partSizeDefault: PartSize = { lookups: 1_000_000, answers: 250_000 };

/** A part that is read in a snapshot of its own. */
export interface PlannedPart {
  readonly kind: PartKind;
  readonly extent: Extent;
}

/** Parts of a run. What `main` has, and all that is open, is read last, in one snapshot. */
export interface Plan {
  readonly parts: readonly PlannedPart[];
  /** Without its batches. */
  readonly main: Extent;
  /** Ids up to which each kind can be proved by this run. */
  readonly ends: Readonly<Record<Exclude<MarkKind, 'verdicts'>, bigint>>;
  /** Transactions from this one on began later: when all earlier ones are over, there are no further answers up to the ends. */
  readonly nextTransaction: bigint;
}

interface PlanOptions {
  readonly proofs: Proofs;
  readonly batches: readonly ListedBatch[];
  readonly size: PartSize;
  /** Calls younger than this are read again. */
  readonly callAgeMs: number;
}

/** Cuts what is not proved into parts: the last part of each kind, which may be the only one, goes to `main`. */
export async function planParts(db: Sql, { proofs, batches, size, callAgeMs }: PlanOptions): Promise<Plan> {
  const { marks } = proofs;
  const { nextTransaction, ...ends } = await readEnds(db, marks, callAgeMs);
  const step = BigInt(size.lookups);
  const requests = cut(
    marks.requests,
    await listCuts(
      db,
      sql`nightshift.lookups WHERE batch_id IS NULL`,
      sql`id`,
      { after: marks.requests.to, to: ends.requests },
      size,
    ),
  );
  const verdicts = cut(
    marks.verdicts,
    await listCuts(
      db,
      sql`nightshift.email_results WHERE true`,
      sql`lookup_id`,
      { after: marks.verdicts.to, to: idMax },
      size,
    ),
  );
  const calls = cut(marks.calls, steps(marks.calls.to, ends.calls, step));
  const answers = cut(marks.answers, steps(marks.answers.to, ends.answers, BigInt(size.answers)));
  const versions = cut(marks.versions, steps(marks.versions.to, ends.versions, step));
  const entries = await cutEntries(db, proofs.entries, step);
  const part = (kind: PartKind, extent: Partial<Extent>): PlannedPart => ({
    kind,
    extent: { ...nothing, ...extent },
  });
  const chunksAfter = marks.requests.chunksTo;
  return {
    parts: [
      ...groupsOf(batches, size)
        .slice(0, -1)
        .map((batchIds) => part('lookups', { batchIds })),
      ...requests
        .slice(0, -1)
        .map((range) => part('lookups', { requests: range, requestChunksAfter: chunksAfter })),
      ...verdicts.slice(0, -1).map((range) => part('verdicts', { verdicts: range })),
      ...entries.flatMap((ranges) =>
        ranges.slice(0, -1).map((range) => part('entries', { entries: [range] })),
      ),
      ...calls.slice(0, -1).map((range) => part('calls', { calls: range })),
      ...answers.slice(0, -1).map((range) => part('answers', { answers: range })),
      ...versions.slice(0, -1).map((range) => part('versions', { versions: range })),
    ],
    main: {
      ...nothing,
      requests: rest(requests),
      requestChunksAfter: chunksAfter,
      verdicts: rest(verdicts),
      entries: entries.flatMap((ranges) => ranges.slice(-1).map((range) => ({ ...range, to: idMax }))),
      calls: rest(calls),
      answers: rest(answers),
      versions: rest(versions),
    },
    ends,
    nextTransaction,
  };
}

/** Groups of closed batches whose marker is another than the proved one. */
function groupsOf(
  batches: readonly ListedBatch[],
  { lookups: lookupsMax }: PartSize,
): readonly (readonly number[])[] {
  const groups: number[][] = [];
  let lookups = Infinity;
  for (const batch of batches) {
    if (lookups + batch.lookups > lookupsMax) {
      groups.push([]);
      lookups = 0;
    }
    groups.at(-1)?.push(batch.id);
    lookups += batch.lookups;
  }
  return groups;
}

/** Ranges after a mark, cut at these ids; the last one is open. */
function cut({ to: after }: Mark, ids: readonly bigint[]): readonly IdRange[] {
  return [after, ...ids].map((from, nth) => ({ after: from, to: ids[nth] ?? idMax }));
}

function rest(ranges: readonly IdRange[]): IdRange {
  return ranges.at(-1) ?? { after: 0n, to: idMax };
}

/** Every `step` ids, as long as more than a step is left. */
function steps(after: bigint, to: bigint, step: bigint): readonly bigint[] {
  const ids: bigint[] = [];
  for (let id = after + step; id < to; id += step) ids.push(id);
  return ids;
}

/** Every so many rows. `rows` is a table with a condition. */
async function listCuts(
  db: Sql,
  rows: SQL,
  column: SQL,
  { after, to }: IdRange,
  { lookups }: PartSize,
): Promise<readonly bigint[]> {
  const { rows: found } = await db.execute<{ id: string }>(
    sql`SELECT id FROM (
        SELECT ${column} AS id, row_number() OVER (ORDER BY ${column}) AS nth FROM ${rows}
          AND ${column} > ${after}::bigint AND ${column} <= ${to}::bigint
      ) r WHERE nth % ${lookups}::integer = 0 ORDER BY id`,
  );
  return found.map(({ id }) => BigInt(id));
}

/** Ranges of each account. A range may end within a block, which the next one has. */
async function cutEntries(
  db: Sql,
  proved: ReadonlyMap<bigint, bigint>,
  step: bigint,
): Promise<readonly (readonly EntryRange[])[]> {
  const ledgers = await listLedgers(db);
  return ledgers.map(({ accountId, lastSeq }) => {
    const after = proved.get(accountId) ?? 0n;
    const ids = steps(after, lastSeq, step);
    return [after, ...ids].map((from, nth) => ({ accountId, after: from, to: ids[nth] ?? idMax }));
  });
}

/**
 * Ids up to which a run can prove each kind. A request takes the id of its lookup when it begins: after an hour, no earlier one begins. Ids of
 * answers and versions are taken by transactions that may end later. All of them have smaller numbers than the one that this takes; the end of
 * a snapshot would not do: it is the number after the last transaction that is over, and transactions in progress may have it and greater ones.
 */
async function readEnds(db: Sql, marks: Proofs['marks'], callAgeMs: number) {
  const { rows } = await db.execute<
    Record<'requests' | 'calls' | 'answers' | 'versions' | 'next_transaction', string>
  >(
    sql`SELECT (SELECT coalesce(max(id), 0) FROM nightshift.answers) AS answers,
        (SELECT coalesce(max(id), 0) FROM nightshift.ad_versions) AS versions,
        (SELECT coalesce(min(id) FILTER (WHERE sent_at >= now() - ${callAgeMs} * interval '1 millisecond') - 1, max(id), 0)
          FROM nightshift.source_calls WHERE id > ${marks.calls.to}) AS calls,
        (SELECT coalesce(min(id) FILTER (WHERE ended_at IS NULL OR ended_at >= now() - interval '1 hour') - 1, max(id), ${marks.requests.to}::bigint)
          FROM nightshift.lookups WHERE batch_id IS NULL AND id > ${marks.requests.to}) AS requests,
        pg_current_xact_id()::text AS next_transaction`,
  );
  const row = rows[0];
  const idOf = (text: string | undefined) => BigInt(text ?? 0);
  return {
    requests: idOf(row?.requests),
    calls: idOf(row?.calls),
    answers: idOf(row?.answers),
    versions: idOf(row?.versions),
    nextTransaction: idOf(row?.next_transaction),
  };
}
