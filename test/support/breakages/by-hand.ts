/** Triggers that guard a table; all of them fire in every replication role. */
const guardsOf: Readonly<Record<string, readonly string[]>> = {
  lookups: ['outcome_is_final'],
  ledger_blocks: ['append_only', 'append_only_truncate', 'once'],
  answers: ['append_only', 'append_only_truncate'],
  answer_advertisers: ['append_only', 'append_only_truncate'],
  ad_versions: ['append_only', 'append_only_truncate'],
  ad_variants: ['append_only', 'append_only_truncate'],
  scan_companies: ['append_only', 'append_only_truncate'],
  ad_changes: ['append_only', 'append_only_truncate'],
};

/** Wraps a statement so that the guards of the table are disabled while it runs. Only the table owner can do this. */
export function unguarded(table: keyof typeof guardsOf, statement: string): string {
  const guards = guardsOf[table] ?? [];
  const enable = guards.map((guard) => `ALTER TABLE nightshift.${table} ENABLE ALWAYS TRIGGER ${guard}`);
  return [`ALTER TABLE nightshift.${table} DISABLE TRIGGER USER`, statement, ...enable].join(';\n');
}

/** Wraps a statement so that the constraint that would reject it is absent. */
export function unconstrained(table: string, constraint: string, statement: string): string {
  return `ALTER TABLE nightshift.${table} DROP CONSTRAINT ${constraint};\n${statement}`;
}

/** Moves credits for a lookup with the ledger's own functions, as a worker that repeats its work would. */
export function moveCredits(
  lookupId: bigint,
  {
    accountId = 1,
    attempt = 2,
    end,
  }: { accountId?: number; attempt?: number; end: 'settle' | 'release' | 'none' },
): string {
  const key = `${accountId}, ARRAY[${lookupId}]::bigint[], ARRAY[${attempt}]::smallint[]`;
  const amount = end === 'settle' ? 200_000 : 0;
  const reserve = `SELECT nightshift.credit_reserve(${key}, ARRAY[200000]::bigint[])`;
  const resolve = `SELECT nightshift.credit_resolve(${key}, ARRAY[${amount}]::bigint[])`;
  return end === 'none' ? reserve : `${reserve};\n${resolve}`;
}
