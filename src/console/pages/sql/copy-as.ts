import type { QueryRequest } from './query-request.ts';

/** Formats a text as one argument of a POSIX shell. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * Formats a query as a command of psql.
 *
 * @param url connection string without the password; null: the command reads `DATABASE_URL`.
 */
export function psqlCommand(query: string, url: string | null): string {
  return `psql ${url === null ? '"$DATABASE_URL"' : shellQuote(url)} -c ${shellQuote(query)}`;
}

/** Formats a query as a request to this server with curl, whose answer is CSV. The command reads the API key from `KEY`. */
export function curlCommand({ query, limit }: QueryRequest, origin: string): string {
  const body = JSON.stringify({ query, limit, format: 'csv' });
  return [
    `curl -s ${shellQuote(`${origin}/v1/sql`)}`,
    `-H "X-API-Key: $KEY" -H 'Content-Type: application/json'`,
    `-d ${shellQuote(body)}`,
  ].join(' \\\n  ');
}

/** Formats a query as a native question of Metabase: without a semicolon, under a comment that says where to paste it. */
export function metabaseQuestion(query: string): string {
  return `-- Metabase: New, SQL query.\n${query.trim().replace(/;+\s*$/, '')}`;
}
