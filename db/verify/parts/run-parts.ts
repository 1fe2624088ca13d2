import { sql, type SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { InvariantNumber, VerifyOptions } from '../../../src/core/reports/invariants.ts';
import { readAtOnce, type Sql } from '../../connection/client.ts';
import { adClauses } from '../ads.ts';
import { chargeClauses } from '../charges.ts';
import { addResults, evaluateClauses, type Clause, type ClauseResult, type PartKind } from '../clause.ts';
import { countLooseEnds } from '../ledger/holds.ts';
import { lookupClauses } from '../lookups.ts';
import { ownerClauses } from '../owners.ts';
import { readPeaks, type Peak } from '../pace.ts';
import { rowClauses } from '../rows.ts';
import { tenancyClauses } from '../tenancy.ts';
import { openScope } from '../scope/bounds.ts';
import { listBatches, type ListedBatch } from './closed-batches.ts';
import type { PlannedPart } from './plan-parts.ts';
import type { Extent, Scope } from '../scope/scope.ts';

/** Invariants whose clauses read a part of the record each. */
const clausesOf: Readonly<Partial<Record<InvariantNumber, (scope: Scope) => readonly Clause[]>>> = {
  1: rowClauses,
  2: lookupClauses,
  3: chargeClauses,
  5: ownerClauses,
  6: adClauses,
  12: tenancyClauses,
};

/** Findings and counts of the parts of a run so far. */
export interface PartResults {
  readonly clauses: ReadonlyMap<InvariantNumber, readonly ClauseResult[]>;
  /** Ends of holds that do not end exactly one. */
  readonly looseEnds: number;
  /** Calls that are not in `main`, by source. */
  readonly peaks: readonly Peak[];
}

/** Results before the first part. */
export const noResults: PartResults = { clauses: new Map(), looseEnds: 0, peaks: [] };

/** Kinds of parts that the wanted invariants read. */
export function wantedParts({ only }: Pick<VerifyOptions, 'only'>): ReadonlySet<PartKind> {
  const numbers = only ?? [1, 2, 3, 4, 5, 6, 9, 12];
  return new Set(numbers.flatMap((number) => partsOf[number] ?? []));
}

const partsOf: Readonly<Partial<Record<InvariantNumber, readonly PartKind[]>>> = {
  1: ['lookups'],
  2: ['lookups', 'verdicts'],
  3: ['lookups'],
  4: ['entries'],
  5: ['lookups', 'entries', 'calls'],
  6: ['lookups', 'answers', 'versions'],
  9: ['calls'],
  12: ['lookups', 'entries'],
};

/** True if a clause that reads this kind of part has a finding. */
export function hasFindings({ clauses, looseEnds }: PartResults, kind: PartKind): boolean {
  const results = [...clauses.values()].flat();
  return (
    results.some(({ part, findingsTotal }) => part === kind && findingsTotal > 0) ||
    (kind === 'entries' && looseEnds > 0)
  );
}

/** The results of a part before `main`, with the batches that are proved. */
export interface ReadPart {
  readonly results: PartResults;
  /** Batches that were read, without those that changed meanwhile. */
  readonly batches: readonly ListedBatch[];
}

/** Reads a part in a snapshot of its own. A batch that has changed since it was listed is left for `main`. */
export function readPart(
  db: NodePgDatabase,
  { kind, extent }: PlannedPart,
  options: VerifyOptions & { readonly listed: ReadonlyMap<number, ListedBatch> },
): Promise<ReadPart> {
  return readAtOnce(db, async (transaction) => {
    await settleSession(transaction);
    const batches =
      extent.batchIds.length === 0
        ? []
        : (await listBatches(transaction, extent.batchIds)).filter(
            ({ id, marker }) => marker !== null && marker === options.listed.get(id)?.marker,
          );
    const read = { ...extent, batchIds: batches.map(({ id }) => id) };
    const parts = new Set([kind]);
    const scope = await openScope(transaction, read, parts);
    return { results: await evaluateParts(transaction, scope, read, { ...options, parts }), batches };
  });
}

interface EvaluationOptions extends VerifyOptions {
  readonly parts: ReadonlySet<PartKind>;
}

/** Evaluates the clauses of these parts, in the current snapshot. */
export async function evaluateParts(
  db: Sql,
  scope: Scope,
  extent: Extent,
  { only, parts }: EvaluationOptions,
): Promise<PartResults> {
  const clauses = new Map<InvariantNumber, readonly ClauseResult[]>();
  const counts = new Map<SQL, number>();
  for (const number of scopedInvariants) {
    if (only === undefined || only.includes(number))
      clauses.set(number, await evaluateClauses(db, clausesOf[number]?.(scope) ?? [], parts, counts));
  }
  const isWanted = (number: InvariantNumber) => only === undefined || only.includes(number);
  return {
    clauses,
    looseEnds: parts.has('entries') && isWanted(4) ? await countLooseEnds(db, extent.entries) : 0,
    peaks:
      parts.has('calls') && !parts.has('rest') && isWanted(9) ? await readPeaks(db, extent.calls, 0) : [],
  };
}

const scopedInvariants: readonly InvariantNumber[] = [1, 2, 3, 5, 6, 12];

/** Adds the results of two parts. */
export function addParts(a: PartResults, b: PartResults): PartResults {
  const numbers = new Set([...a.clauses.keys(), ...b.clauses.keys()]);
  const clauses = [...numbers].map((number) => {
    const [results, others] = [a.clauses.get(number), b.clauses.get(number)];
    return [
      number,
      addResults(results ?? others ?? [], results === undefined ? [] : (others ?? [])),
    ] as const;
  });
  return {
    clauses: new Map(clauses),
    looseEnds: a.looseEnds + b.looseEnds,
    peaks: [...a.peaks, ...b.peaks],
  };
}

/**
 * For this transaction only. Most queries read a part of the record once and group or hash it. For tables without statistics, the
 * planner may assume that they are tiny and prefer nested loops, which then run for minutes (measured); and sorts of a million
 * rows fit into this memory. With this search path, names in definitions are qualified; texts of rows do not depend on the session.
 */
export async function settleSession(db: Sql): Promise<void> {
  await db.execute(
    sql`SELECT set_config('enable_nestloop', 'off', true), set_config('work_mem', '64MB', true), set_config('jit', 'off', true),
      set_config('search_path', 'pg_catalog', true), set_config('TimeZone', 'UTC', true), set_config('DateStyle', 'ISO, YMD', true),
      set_config('bytea_output', 'hex', true)`,
  );
}
