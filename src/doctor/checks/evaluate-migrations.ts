import { ok, problem, warning, type Finding } from './check-result.ts';

/** State of the schema, relative to the migrations of this version. */
export interface MigrationInfo {
  readonly pending: number;
  /** Error when another version created the schema, else null. */
  readonly foreign: string | null;
  /** True for the private server, which every command migrates. */
  readonly isPrivate: boolean;
}

/** Checks that the schema is the one of this version. */
export function evaluateMigrations({ pending, foreign, isPrivate }: MigrationInfo): Finding {
  const name = 'migrations';
  if (foreign !== null) {
    const remedy = 'Run the version of Nightshift that created the schema, or a newer one.';
    return problem(name, foreign, remedy);
  }
  if (pending === 0) return ok(name, 'all applied');
  const found = `${pending} pending`;
  if (!isPrivate) return problem(name, found, 'Run `nightshift migrate`.');
  return warning(name, found, 'Run `nightshift migrate`, or any command that needs them.');
}

/** Creates the result of a check that needs the schema of this version. */
export function beforeMigrations(name: string): Finding {
  const remedy = 'Apply the migrations, then run `nightshift doctor` again.';
  return warning(name, 'not checked: the schema is not that of this version', remedy);
}
