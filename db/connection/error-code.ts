/** Code of an error of Postgres (SQLSTATE) or of its driver, also when Drizzle has wrapped it; null for other errors. */
export function errorCode(error: unknown): unknown {
  if (!(error instanceof Error)) return null;
  return 'code' in error ? error.code : errorCode(error.cause);
}
