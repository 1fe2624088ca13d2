import type pg from 'pg';

/** Runs statements one after the other, with their values, such as `:account`, put in as they are. */
export async function runStatements(
  client: pg.Client,
  statements: readonly string[],
  values: Readonly<Record<string, string>>,
): Promise<void> {
  for (const statement of statements)
    await client.query(
      statement.replaceAll(/:(account|batch|first|last)\b/g, (name) => values[name] ?? name),
    );
}
