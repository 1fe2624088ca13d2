import type { RoleInfo } from '../../../db/info/role-info.ts';
import { ok, problem, warning, type Finding } from './check-result.ts';

/** Number of excess rights in the message. */
const rightsShown = 3;

/** Checks that a role of ours exists with its exact grants. `login` has to act as it. */
export function evaluateRole(
  { name, exists, isUnbound }: RoleInfo,
  { login, isMigrated }: { readonly login: string; readonly isMigrated: boolean },
): Finding {
  const title = `role ${name}`;
  if (!exists) {
    const byHand = `\`CREATE ROLE ${name} NOLOGIN\`, \`GRANT ${name} TO "${login}"\`, then load the dump again: its grants were lost with the role.`;
    const remedy = isMigrated
      ? byHand
      : 'Run `nightshift migrate` with a login that has CREATEROLE; it makes the roles.';
    return problem(title, 'there is no such role on this server', remedy);
  }
  if (!isUnbound) return ok(title, 'there');
  const found = 'a superuser, or one who makes roles or passes row security: its grants hold it to nothing';
  return problem(title, found, `\`ALTER ROLE ${name} NOSUPERUSER NOCREATEROLE NOBYPASSRLS\``);
}

/** Checks the attempt to act as a role: `refusal` is null when it worked, else the error of Postgres. */
export function evaluateActing(
  { role, login, setting }: { readonly role: string; readonly login: string; readonly setting: string },
  refusal: string | null,
): Finding {
  const title = `acting as ${role}`;
  if (refusal === null) return ok(title, `the login of ${setting} may`);
  const remedy = `As an administrator: \`GRANT ${role} TO "${login}"\`. Then check the host and the password of ${setting}.`;
  return problem(title, `the login of ${setting} may not: ${refusal}`, remedy);
}

/** Checks that the reader only reads, and that only the ledger's functions write the ledger. */
export function evaluateRights(excess: readonly string[]): Finding {
  const title = 'rights of the roles';
  if (excess.length === 0) return ok(title, 'the reader reads reports only, and the ledger is sealed');
  const more = excess.length > rightsShown ? `; and ${excess.length - rightsShown} more` : '';
  const remedy =
    'Take them away with REVOKE, as the owner of the database. `nightshift verify` checks the same.';
  return problem(title, `${excess.slice(0, rightsShown).join('; ')}${more}`, remedy);
}

/** Checks whether a login handed out for reading can do no more than read: whoever has it can leave its role. */
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
    `${login}, the login of NIGHTSHIFT_READER_URL, may do more than read when it leaves the role nightshift_reader`,
    "Make one for reading alone: `CREATE ROLE analyst LOGIN PASSWORD '…' IN ROLE nightshift_reader`, and put it into NIGHTSHIFT_READER_URL.",
  );
}
