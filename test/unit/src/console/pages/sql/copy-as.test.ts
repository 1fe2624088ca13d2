import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import {
  curlCommand,
  metabaseQuestion,
  psqlCommand,
  shellQuote,
} from '../../../../../../src/console/pages/sql/copy-as.ts';

const url = 'postgres://nightshift_account_1@db.example.com:6543/nightshift';
const query = `select 'it''s', "a b", $$x$$ from ads; -- \`id\` $(id) "$HOME" \\`;

/** Arguments that a POSIX shell passes to a program. */
function argumentsOf(command: string, env: Readonly<Record<string, string>> = {}): readonly string[] {
  const shown = command.replace(
    /^\w+/,
    `"${process.execPath}" -e 'process.stdout.write(JSON.stringify(process.argv.slice(1)))' --`,
  );
  return JSON.parse(execFileSync('/bin/sh', ['-c', shown], { encoding: 'utf8', env })) as string[];
}

describe('query for another program', () => {
  test.each([query, "'", "''", 'a\nb', '', '\\', '!'])('is quoted for a shell: %j', (text) => {
    expect(argumentsOf(`printf ${shellQuote(text)}`)).toEqual([text]);
  });

  test('runs in psql with the login of the account, or with DATABASE_URL', () => {
    expect(argumentsOf(psqlCommand(query, url))).toEqual([url, '-c', query]);
    const env = { DATABASE_URL: 'postgres://x' };
    expect(argumentsOf(psqlCommand(query, null), env)).toEqual(['postgres://x', '-c', query]);
  });

  test('runs with curl on this server', () => {
    const given = argumentsOf(curlCommand({ query, limit: 100 }, 'https://ads.example.com'), { KEY: 'ns_1' });
    expect(given.slice(0, 6)).toEqual([
      '-s',
      'https://ads.example.com/v1/sql',
      '-H',
      'X-API-Key: ns_1',
      '-H',
      'Content-Type: application/json',
    ]);
    expect(JSON.parse(given.at(-1) ?? '')).toEqual({ query, limit: 100, format: 'csv' });
  });

  test('is a native question of Metabase', () => {
    expect(metabaseQuestion('select 1;\n')).toBe('-- Metabase: New, SQL query.\nselect 1');
  });
});
