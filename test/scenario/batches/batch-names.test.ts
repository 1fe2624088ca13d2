import { beforeAll, describe, expect, test } from 'vitest';
import { useTestCli } from '../../support/cli/test-cli.ts';

const cli = useTestCli({ inProcess: true });

let first: string;
let second: string;
let twice: readonly string[];

async function load(file: string, ...options: string[]): Promise<string> {
  return ((await cli().ask(['load', file, '--source', 'sample', ...options])) as { id: string }).id;
}

beforeAll(async () => {
  cli().write('nike.csv', 'domain\nnike.com\n');
  cli().write('puma.csv', 'domain\npuma.com\n');
  cli().write('twice.csv', 'domain\nadidas.com\n');
  first = await load('nike.csv');
  twice = [await load('twice.csv'), await load('twice.csv', '--again')];
  second = await load('puma.csv');
});

/** Every command that takes a batch, with a name for it. */
const commands: readonly (readonly [string, (name: string) => readonly string[]])[] = [
  ['status', (name) => ['status', name, '--json']],
  ['pause', (name) => ['pause', name, '--json']],
  ['resume', (name) => ['resume', name, '--json']],
  ['cancel', (name) => ['cancel', name, '--json']],
  ['watch', (name) => ['watch', name, '--json']],
  ['export', (name) => ['export', name, '-o', 'named.csv', '--json']],
  ['report', (name) => ['report', name, '-o', 'named.md', '--json']],
];

describe('batch', () => {
  test.each(commands)('of %s is named by its file', async (_command, argsOf) => {
    const { stdout, stderr } = await cli().run(argsOf('nike.csv'));
    expect(`${stdout}${stderr}`).toContain(first);
  });

  test('is named by the start of its id, with or without bat_', async () => {
    expect(await cli().ask(['status', second.slice(0, -4)])).toMatchObject({ id: second });
    expect(await cli().ask(['status', second.slice(4, -4)])).toMatchObject({ id: second });
  });

  test('latest is the newest of the account', async () => {
    expect(await cli().ask(['status', 'latest'])).toMatchObject({ id: second });
    await cli().ask(['accounts', 'add', 'empty']);
    const empty = await cli().run(['status', 'latest', '--account', 'empty']);
    expect([empty.exitCode, empty.stderr]).toEqual([2, expect.stringContaining('There are no batches yet.')]);
  });

  test('of another account has no name here', async () => {
    const { exitCode, stderr } = await cli().run(['--account', 'empty', 'status', 'nike.csv']);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('There is no batch nike.csv.')]);
    const prefix = await cli().run(['--account', 'empty', 'status', first.slice(0, -2)]);
    expect([prefix.exitCode, prefix.stderr]).toEqual([2, expect.stringContaining('There is no batch')]);
  });

  test('with the name of several is rejected, with their ids and times', async () => {
    const { exitCode, stderr } = await cli().run(['export', 'twice.csv']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('"twice.csv" is the name of 2 batches. Use an id, or latest:');
    for (const id of twice)
      expect(stderr).toMatch(new RegExp(`${id}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC`));
    const short = await cli().run(['export', 'bat_']);
    expect([short.exitCode, short.stderr]).toEqual([2, expect.stringContaining('of 4 batches')]);
  });

  test('of retry, reparse and destinations has the same names', async () => {
    for (const args of [
      ['retry', 'nike.csv'],
      ['reparse', 'nike.csv'],
    ]) {
      const { exitCode, stderr } = await cli().run(args);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(first)]);
    }
    const added = await cli().ask(['destination', 'add', 'lake', cli().folder, '--batch', 'puma.csv']);
    expect(JSON.stringify(added)).toContain(second);
    expect(await cli().ask(['destination', 'landings', 'lake', '--batch', 'latest'])).toEqual([]);
  });
});

describe('account option', () => {
  test('before or after the command chooses the account of a new batch', async () => {
    await cli().ask(['accounts', 'add', 'sales']);
    const before = await cli().run(['--account', 'sales', 'load', 'nike.csv', '--source', 'sample']);
    const after = await cli().run(['load', 'nike.csv', '--source', 'sample', '--account', 'sales']);
    expect(before.exitCode).toBe(0);
    expect(after.stdout).toBe(before.stdout);
    expect(after.stdout.trim()).not.toBe(first);
  });

  test('is rejected by a command that is not for one account', async () => {
    const { exitCode, stderr } = await cli().run(['--account', 'sales', 'verify']);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--account has no effect here')]);
  });
});
