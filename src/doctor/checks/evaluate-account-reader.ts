import { ok, problem, warning, type Finding } from './check-result.ts';

/** Checks that accounts can run SQL. `loginError` is the error of the login, with its remedy; null: none. */
export function evaluateAccountReader(isSet: boolean, loginError: string | null): Finding {
  const title = 'SQL of accounts';
  if (!isSet) return ok(title, 'off; set NIGHTSHIFT_ACCOUNT_READER_URL to turn it on');
  if (loginError === null) return ok(title, 'the login reads one account at a time, and nothing else');
  return problem(title, 'the login cannot be used', loginError);
}

/** Checks that logins of accounts cannot affect other sessions, which grants on tables do not prevent. */
export function evaluateReach(functions: readonly string[]): Finding {
  const title = 'reach of accounts';
  if (functions.length === 0)
    return ok(title, 'their logins cannot take locks of Nightshift or end other sessions');
  const [first = ''] = functions;
  return warning(
    title,
    `logins of accounts can call ${first}${functions.length > 1 ? ` and ${functions.length - 1} more functions` : ''}, which affect other sessions`,
    "Run `nightshift migrate` once with an administrator's login in DATABASE_URL: it revokes EXECUTE on these functions from PUBLIC in this database, and grants it to the roles of Nightshift, pg_monitor and pg_signal_backend.",
  );
}
