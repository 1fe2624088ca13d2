import { sql, type SQL } from 'drizzle-orm';
import type { Sql } from '../connection/client.ts';
import {
  findingsMax,
  reportOf,
  type InvariantNumber,
  type InvariantReport,
} from '../../src/core/reports/invariants.ts';

/**
 * Part of the record that a clause reads: all with the lookups, chunks and rows of batches and requests, verdicts by id, and so on. `rest` is
 * small, and is read as a whole.
 */
export type PartKind = 'lookups' | 'verdicts' | 'entries' | 'calls' | 'answers' | 'versions' | 'rest';

/** A condition on the stored data. An invariant consists of a few of them. */
export interface Clause {
  /** Default `rest`. */
  readonly part?: PartKind;
  /** A query with one number `n`: the number of checked items. Null if another clause has counted them. */
  readonly checked: SQL | null;
  /** A query with one text `finding` per violation, which names its ids. */
  readonly broken: SQL;
}

/** Result of a clause: `findings` are the first twenty, shorter texts first. */
export interface ClauseResult {
  readonly part: PartKind;
  readonly checked: number;
  readonly findings: readonly string[];
  readonly findingsTotal: number;
}

/** Counts rows, the usual `checked`. @param relation a table, or a subquery with its alias, without which Postgres 15 rejects it. */
export function countOf(relation: SQL): SQL {
  return sql`SELECT count(*) AS n FROM ${relation}`;
}

/** Microcredits in credits, as in the views. */
export function credits(micro: SQL): SQL {
  return sql`trim_scale((${micro}) / 1000000.0)`;
}

/** Evaluates an invariant clause by clause. */
export async function evaluate(
  db: Sql,
  number: InvariantNumber,
  clauses: readonly Clause[],
  note: string | null = null,
): Promise<InvariantReport> {
  return reportOf(number, { ...totalOf(await evaluateClauses(db, clauses, null)), note });
}

/** Evaluates the clauses of these parts, by default of all. The result of a clause of another part is empty. `counts` has what was counted. */
export async function evaluateClauses(
  db: Sql,
  clauses: readonly Clause[],
  parts: ReadonlySet<PartKind> | null,
  counts = new Map<SQL, number>(),
): Promise<readonly ClauseResult[]> {
  const results: ClauseResult[] = [];
  for (const clause of clauses) {
    const { part = 'rest' } = clause;
    if (parts !== null && !parts.has(part)) {
      results.push({ part, checked: 0, findings: [], findingsTotal: 0 });
      continue;
    }
    const checked =
      clause.checked === null ? 0 : (counts.get(clause.checked) ?? (await count(db, clause.checked)));
    if (clause.checked !== null) counts.set(clause.checked, checked);
    const { findings, total } = await find(db, clause.broken);
    results.push({ part, checked, findings, findingsTotal: total });
  }
  return results;
}

/** Adds the results of the same clauses for two parts of the record. */
export function addResults(
  results: readonly ClauseResult[],
  others: readonly ClauseResult[],
): readonly ClauseResult[] {
  return results.map((result, nth) => {
    const other = others[nth];
    if (other === undefined) return result;
    return {
      part: result.part,
      checked: result.checked + other.checked,
      findings: [...result.findings, ...other.findings].sort(inOrder).slice(0, findingsMax),
      findingsTotal: result.findingsTotal + other.findingsTotal,
    };
  });
}

/** Sums up the clauses of an invariant. */
export function totalOf(results: readonly ClauseResult[]) {
  return {
    checked: results.reduce((sum, { checked }) => sum + checked, 0),
    findings: results.flatMap(({ findings }) => findings),
    findingsTotal: results.reduce((sum, { findingsTotal }) => sum + findingsTotal, 0),
  };
}

async function count(db: Sql, query: SQL): Promise<number> {
  const result = await db.execute<{ n: string }>(query);
  return Number(result.rows[0]?.n ?? 0);
}

/** Shorter texts first, so that texts of one form are sorted by the numbers in them. */
async function find(db: Sql, query: SQL): Promise<{ findings: readonly string[]; total: number }> {
  const result = await db.execute<{ finding: string; total: string }>(
    sql`SELECT b.finding, count(*) OVER () AS total FROM (${query}) b ORDER BY length(b.finding), b.finding LIMIT ${findingsMax}`,
  );
  return { findings: result.rows.map((row) => row.finding), total: Number(result.rows[0]?.total ?? 0) };
}

/** The order of `find`. */
function inOrder(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : 1;
}
