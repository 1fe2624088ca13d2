import { ok, problem, warning, type Finding } from './check-result.ts';

/** State of the schema, by the migrations that this version knows. */
export interface MigrationInfo {
  readonly pending: number;
  /** Error when another version made the schema, else null. */
  readonly foreign: string | null;
  /** On the private server every command migrates by itself. */
  readonly isPrivate: boolean;
}

/** Checks that the schema is the one that this version works with. */
export function evaluateMigrations({ pending, foreign, isPrivate }: MigrationInfo): Finding {
  const name = 'migrations';
  if (foreign !== null) {
    const remedy = 'Run the version of Nightshift that made the schema, or a newer one.';
    return problem(name, foreign, remedy);
  }
  if (pending === 0) return ok(name, 'all applied');
  const found = `${pending} not applied yet`;
  if (!isPrivate) return problem(name, found, '`nightshift migrate`');
  return warning(name, found, '`nightshift migrate`; the next command that needs them also applies them.');
}

/** Stands for a check that only a schema of this version allows. */
export function beforeMigrations(name: string): Finding {
  const remedy = 'See to the migrations first, then run `nightshift doctor` again.';
  return warning(name, 'not checked: the schema is not the one of this version', remedy);
}
