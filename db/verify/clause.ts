import { sql, type SQL } from 'drizzle-orm';
import {
  findingsMax,
  reportOf,
  type InvariantNumber,
  type InvariantReport,
} from '../../src/core/reports/invariants.ts';
import type { Sql } from '../connection/client.ts';

/** A condition on the stored data. An invariant consists of a few of them. */
export interface Clause {
  /** A query with one number `n`: the number of checked items. Null if another clause has counted them. */
  readonly checked: SQL | null;
  /** A query with one text `finding` per violation, which names its ids. */
  readonly broken: SQL;
}

/** Counts rows, the usual `checked`. */
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
  let checked = 0;
  const findings: string[] = [];
  let findingsTotal = 0;
  for (const clause of clauses) {
    checked += clause.checked === null ? 0 : await count(db, clause.checked);
    const found = await find(db, clause.broken);
    findings.push(...found.findings);
    findingsTotal += found.total;
  }
  return reportOf(number, { checked, findings, findingsTotal, note });
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
