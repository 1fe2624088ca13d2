/** A step of a plan, as `EXPLAIN (ANALYZE, FORMAT JSON)` returns it. */
export interface Step {
  readonly 'Relation Name'?: string;
  /** Average of all loops. */
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Step[];
}

/** A table that a plan reads, and the number of rows that it reads. */
export interface Scan {
  readonly table: string;
  readonly rows: number;
}

/** Lists the tables that a step and those below it read. */
export function scansOf(step: Step): readonly Scan[] {
  const rows = step['Actual Loops'] * (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0));
  const own = step['Relation Name'] === undefined ? [] : [{ table: step['Relation Name'], rows }];
  return [...own, ...(step.Plans ?? []).flatMap(scansOf)];
}

/** Returns the largest number of rows that one scan of a table reads. */
export function largest(scans: readonly Scan[], table: string): number {
  return Math.max(...scans.filter((scan) => scan.table === table).map(({ rows }) => rows));
}
