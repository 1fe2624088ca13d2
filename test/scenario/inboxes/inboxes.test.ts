import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useTestCli } from '../../support/cli/test-cli.ts';
import { temporaryFolder } from '../../support/faults/loaded-batch.ts';

const service = useTestCli({ inProcess: true });

/** Compared part of the output of `--json` for an inbox. */
interface InboxJson {
  readonly id: string;
  readonly name: string;
  readonly files: Readonly<Record<string, number>>;
}

let count = 0;

/** Adds an inbox with a unique name on a new folder with these files. */
async function add(files: Readonly<Record<string, string>> = {}, options: readonly string[] = []) {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const args = ['inbox', 'add', `lists ${(count += 1)}`, folder, '--source', 'sample', '--tz', 'UTC'];
  const inbox = (await service().ask([...args, ...options])) as InboxJson;
  return { folder, inbox };
}

async function refusal(args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await service().run(args);
  expect(exitCode, stderr).toBe(2);
  expect(stdout).toBe('');
  return stderr;
}

test('an inbox is stored as given, and shows what is in its location', async () => {
  const given = [
    ...['--every', '15m', '--pattern', '*.csv', '--settle', '2m', '--after', 'move', '--again'],
    ...[
      '--map',
      'company_name=Account',
      '--operations',
      'ads_search',
      '--max-ads',
      '5',
      '--max-credits',
      '7',
    ],
  ];
  const { folder, inbox } = await add({ 'a.csv': 'domain\nnike.com\n', 'b.txt': 'x' }, given);
  const set = {
    state: 'active',
    location: folder,
    kind: 'folder',
    has_credentials: false,
    cron: '*/15 * * * *',
    description: 'Every 15 minutes',
    time_zone: 'UTC',
    pattern: '*.csv',
    settle: '2m',
    after: 'move',
    again: true,
    map: { company_name: 'Account' },
    operations: ['ads_search'],
    sources: ['sample'],
    max_ads: 5,
    max_credits: 7,
  };
  expect(inbox).toMatchObject({ ...set, found: [{ path: 'a.csv', bytes: 16 }] });
  expect(await service().ask(['inbox', 'show', inbox.name])).toMatchObject(set);
  expect(await service().ask(['inbox', 'show', inbox.id])).toMatchObject(set);
});

test('missing settings have the documented defaults', async () => {
  const { inbox, folder } = await add();
  expect(inbox).toMatchObject({
    ...{ cron: '*/5 * * * *', pattern: null, settle: '10s', after: 'keep', again: false, operations: null },
    ...{ max_credits: null, found: [] },
  });
  const { stdout } = await service().run(['inbox', 'show', inbox.id]);
  expect(stdout).toContain(`Location   ${folder}`);
  expect(stdout).toContain('After      keep: files stay where they are');
  expect(stdout).toContain('Again      files with the same content are one batch');
});

test('a look loads complete files, and lists them with their batches and reasons', async () => {
  const { inbox } = await add(
    { 'a.csv': 'domain\nnike.com\n', 'b.csv': 'colour\nred\n', 'c.csv': 'domain\nnike.com\n' },
    ['--settle', '0'],
  );
  const looked = (await service().ask(['inbox', 'look', inbox.name])) as InboxJson;
  expect(looked.files).toMatchObject({ loaded: 1, joined: 1, failed: 1 });
  const { files } = (await service().ask(['inbox', 'files', inbox.name])) as {
    readonly files: readonly Readonly<Record<string, unknown>>[];
  };
  expect(files.map(({ path, state, place }) => [path, state, place])).toEqual([
    ['c.csv', 'joined', 'c.csv'],
    ['b.csv', 'failed', 'failed/b.csv'],
    ['a.csv', 'loaded', 'a.csv'],
  ]);
  const { stdout } = await service().run(['inbox', 'files', inbox.name, '--state', 'failed']);
  expect(stdout).toContain('b.csv');
  expect(stdout).not.toContain('a.csv');
  await service().ask(['inbox', 'edit', inbox.name, '--map', 'company_name=colour']);
  await service().ask(['inbox', 'retry', inbox.name, 'b.csv']);
  const again = (await service().ask(['inbox', 'look', inbox.name])) as InboxJson;
  expect(again.files).toMatchObject({ loaded: 2, joined: 1, failed: 0 });
  expect(await refusal(['inbox', 'retry', inbox.name, 'b.csv'])).toContain('b.csv is loaded.');
});

describe('an inbox', () => {
  test('is edited, paused, resumed and removed', async () => {
    const { inbox } = await add();
    const { name } = inbox;
    const edited = await service().ask([
      'inbox',
      'edit',
      name,
      '--cron',
      '0 3 * * *',
      '--max-credits',
      'none',
    ]);
    expect(edited).toMatchObject({ cron: '0 3 * * *', max_credits: null, settle: '10s' });
    expect(await refusal(['inbox', 'edit', name])).toContain('No changes given');
    expect(await service().ask(['inbox', 'pause', name])).toMatchObject({ state: 'paused', next_at: null });
    expect(await refusal(['inbox', 'look', name])).toContain('is paused');
    expect(await service().ask(['inbox', 'resume', name])).toMatchObject({ state: 'active' });
    expect(await service().ask(['inbox', 'remove', name])).toMatchObject({ removed: true });
    expect(await refusal(['inbox', 'show', name])).toContain(`There is no inbox "${name}".`);
  });

  test('moves to another folder only if that can be opened', async () => {
    const { inbox } = await add();
    const missing = join(temporaryFolder(), 'missing');
    const { exitCode, stderr } = await service().run(['inbox', 'edit', inbox.name, '--location', missing]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(missing)]);
    mkdirSync(missing);
    expect(await service().ask(['inbox', 'edit', inbox.name, '--location', missing])).toMatchObject({
      location: missing,
    });
  });
});

describe('wrong usage names the option', () => {
  const folder = temporaryFolder();
  test.each([
    [['--every', '7m'], '--every 7m: write minutes that divide an hour'],
    [['--every', '5m', '--cron', '0 * * * *'], '--every and --cron cannot be combined'],
    [['--settle', '2d'], '--settle 2d: write seconds or minutes'],
    [['--pattern', 'a/b'], '--pattern "a/b": write a pattern for the names of files'],
    [['--max-credits', '0'], '--max-credits 0: must be an amount above 0'],
    [['--query', 'select 1'], 'Only a location on Postgres has a query'],
    [['--credentials', 'missing.json'], '--credentials missing.json: no such file'],
  ])('%s', async (options, message) => {
    expect(await refusal(['inbox', 'add', 'wrong', folder, '--source', 'sample', ...options])).toContain(
      message,
    );
  });

  test('credentials in a file that is not JSON are not quoted', async () => {
    service().write('credentials.json', '{"password": hunter2}');
    const args = ['inbox', 'add', 'wrong', folder, '--credentials', 'credentials.json'];
    const message = await refusal(args);
    expect(message).toContain('--credentials credentials.json: is not valid JSON');
    expect(message).not.toContain('hunter2');
  });

  test('an address with a password is rejected without it', async () => {
    const message = await refusal(['inbox', 'add', 'wrong', 'sftp://jane:hunter2@example.com/in']);
    expect(message).toContain('it contains a password');
    expect(message).not.toContain('hunter2');
  });
});
