import { createHash } from 'node:crypto';
import type pg from 'pg';

/** Session settings for prepared statements: one plan for all values, which reads by index even if it was made when a table was small. */
export const preparedSettings = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' };

/** Maximum number of statements per connection; others are planned each time. */
const statementsMax = 200;

/**
 * Lets a connection keep its statements prepared, so that Postgres parses and plans each only once. For texts that do not depend on
 * their values: lists are arrays.
 */
export function prepareStatements(client: pg.ClientBase): void {
  const names = new Map<string, string>();
  const query = client.query.bind(client);
  const nameOf = (text: string) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= statementsMax) return known;
    const name = `n_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
    names.set(text, name);
    return name;
  };
  const named = (config: unknown, values: unknown): unknown =>
    isUnnamed(config) && Array.isArray(values) && values.length > 0
      ? { ...config, name: nameOf(config.text) }
      : config;
  Object.assign(client, {
    query: (config: unknown, values: unknown, ...rest: readonly unknown[]): unknown =>
      Reflect.apply(query, client, [named(config, values), values, ...rest]),
  });
}

function isUnnamed(config: unknown): config is { readonly text: string } {
  return (
    typeof config === 'object' &&
    config !== null &&
    'text' in config &&
    typeof config.text === 'string' &&
    (!('name' in config) || config.name === undefined)
  );
}
