import { beforeAll, describe, expect, test } from 'vitest';
import { useTestCli } from '../support/cli/test-cli.ts';
import { openTerminal } from '../support/pty/terminal.ts';

const cli = useTestCli();

/** Sets the window title, moves the cursor, changes the text direction, and ends a line early. */
const hostile = '\x1b]0;owned\x07\x1b[2J\u009b31m\u202eevil\r\b';

let batch = '';

beforeAll(async () => {
  cli().write('hostile.csv', `domain;"${hostile}"\nnike.com;"${hostile}"\n"${hostile}";x\n`);
  const loaded = await cli().runApart(['load', 'hostile.csv', '--source', 'sample']);
  batch = loaded.stdout.trim();
});

const query = `select E'\\x1b]0;owned\\x07' || U&'\\009b31m\\202eevil' as "a\x1bb", 'x' as y`;

describe('foreign text cannot control the terminal', () => {
  test.each([
    ['sql', () => ['sql', query]],
    ['sql as CSV', () => ['sql', query, '--format', 'csv']],
    ['sql as JSON', () => ['sql', query, '--format', 'json']],
    ['an error of Postgres', () => ['sql', `select '${hostile}'::int`]],
    ['search', () => ['search', '--name', hostile, '--source', 'sample']],
    ['export', () => ['export', batch]],
    ['export as JSON', () => ['export', batch, '--json']],
    ['check', () => ['check', 'hostile.csv']],
    ['a name of a file', () => ['check', `${hostile}.csv`]],
    ['an unknown batch', () => ['status', hostile]],
  ])('%s', async (_, args) => {
    const { folder, environment } = cli();
    const ended = await openTerminal(args(), { folder, environment, columns: 120 }).ended();
    expect(ended.controls).toEqual([]);
    expect(ended.modesLost).toEqual([]);
  });

  test('foreign text in a pipe is unchanged', async () => {
    const { stdout } = await cli().runApart(['sql', query, '--format', 'csv']);
    expect(stdout).toContain('\x1b]0;owned\x07\u009b31m\u202eevil');
    const json = JSON.parse((await cli().runApart(['sql', query, '--json'])).stdout) as object[];
    expect(json[0]).toEqual({ 'a\x1bb': '\x1b]0;owned\x07\u009b31m\u202eevil', y: 'x' });
  });
});
