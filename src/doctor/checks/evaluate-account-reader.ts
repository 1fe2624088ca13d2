import { ok, problem, warning, type Finding } from './check-result.ts';

/** Checks whether accounts can run queries of their own. `refusal` is what stands in the way, with what mends it; null: nothing. */
export function evaluateAccountReader(isThere: boolean, refusal: string | null): Finding {
  const title = 'SQL of accounts';
  if (!isThere) return ok(title, 'not set up; NIGHTSHIFT_ACCOUNT_READER_URL would');
  if (refusal === null) return ok(title, 'its login reads one account at a time, and nothing else');
  return problem(title, 'the login for it cannot be used', refusal);
}

/** Checks that logins of accounts cannot disturb others, which grants on tables do not prevent. */
export function evaluateReach(functions: readonly string[]): Finding {
  const title = 'reach of accounts';
  if (functions.length === 0) return ok(title, 'their logins hold no locks of ours and end nobody else');
  const [first = ''] = functions;
  return warning(
    title,
    `logins of accounts may call ${first}${functions.length > 1 ? ` and ${functions.length - 1} more functions` : ''} by which they get in the way of others, though they see nothing of them`,
    "Run `nightshift migrate` once with an administrator's login in DATABASE_URL: it takes EXECUTE on these functions from PUBLIC in this database, and leaves it to the roles of Nightshift, pg_monitor and pg_signal_backend.",
  );
}
