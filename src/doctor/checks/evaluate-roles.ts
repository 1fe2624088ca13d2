import type { RoleInfo } from '../../../db/info/role-info.ts';
import { ok, problem, warning, type Finding } from './check-result.ts';

/** Maximum number of excess privileges in the message. */
const rightsShown = 3;

/** Checks that a role of Nightshift exists and is bound by its grants. `login` acts in it. */
export function evaluateRole(
  { name, exists, isUnbound }: RoleInfo,
  { login, isMigrated }: { readonly login: string; readonly isMigrated: boolean },
): Finding {
  const title = `role ${name}`;
  if (!exists) {
    const byHand = `\`CREATE ROLE ${name} NOLOGIN\`, \`GRANT ${name} TO "${login}"\`, then restore the dump again: the grants were lost with the role.`;
    const remedy = isMigrated
      ? byHand
      : 'Run `nightshift migrate` with a login that has CREATEROLE; it creates the roles.';
    return problem(title, 'missing on this server', remedy);
  }
  if (!isUnbound) return ok(title, 'exists');
  const found = 'has SUPERUSER, CREATEROLE or BYPASSRLS, so its grants do not restrict it';
  return problem(title, found, `\`ALTER ROLE ${name} NOSUPERUSER NOCREATEROLE NOBYPASSRLS\``);
}

/** Checks that a login can act in a role. `failure` is the error of Postgres; null: it can. */
export function evaluateActing(
  { role, login, setting }: { readonly role: string; readonly login: string; readonly setting: string },
  failure: string | null,
): Finding {
  const title = `acting as ${role}`;
  if (failure === null) return ok(title, `allowed for the login of ${setting}`);
  const remedy = `As an administrator: \`GRANT ${role} TO "${login}"\`. Then check the host and the password of ${setting}.`;
  return problem(title, `not allowed for the login of ${setting}: ${failure}`, remedy);
}

/** Checks that the reader only reads, and that only functions of the ledger write to it. */
export function evaluateRights(excess: readonly string[]): Finding {
  const title = 'rights of the roles';
  if (excess.length === 0)
    return ok(title, 'the reader can read reports only, and only its functions write the ledger');
  const more = excess.length > rightsShown ? `; and ${excess.length - rightsShown} more` : '';
  const remedy =
    'Remove them with REVOKE, as the owner of the database. `nightshift verify` checks the same.';
  return problem(title, `${excess.slice(0, rightsShown).join('; ')}${more}`, remedy);
}

/** Checks that the login for reading cannot do more than read: a session can leave its role. */
export function evaluateReaderLogin({
  login,
  maySeeMore,
}: {
  readonly login: string;
  readonly maySeeMore: boolean;
}): Finding {
  const title = 'login of the reader';
  if (!maySeeMore) return ok(title, `${login} can only read`);
  return warning(
    title,
    `${login}, the login of NIGHTSHIFT_READER_URL, can do more than read outside the role nightshift_reader`,
    "Create a login for reading only: `CREATE ROLE analyst LOGIN PASSWORD '…' IN ROLE nightshift_reader`, and use it in NIGHTSHIFT_READER_URL.",
  );
}
