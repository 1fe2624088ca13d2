import { expect, describe, test } from 'vitest';
import { useTestCli } from '../../support/cli/test-cli.ts';

const service = useTestCli({ inProcess: true });

/** Compared part of the output of `--json` for a schedule. */
interface ScheduleJson {
  readonly id: string;
  readonly name: string;
  readonly next: readonly string[];
}

const list = 'domain\nnike.com\nadidas.com\nnike.com\n';
let count = 0;

/** Adds a schedule with a unique name. */
async function add(options: readonly string[] = []): Promise<ScheduleJson> {
  service().write('rivals.csv', list);
  const args = [
    'schedule',
    'add',
    `rivals ${(count += 1)}`,
    '--companies',
    'rivals.csv',
    '--source',
    'sample',
  ];
  const cron = options.includes('--cron') ? [] : ['--cron', '0 2 * * 1-5'];
  const zone = options.includes('--tz') ? [] : ['--tz', 'Europe/Berlin'];
  return (await service().ask([...args, ...cron, ...zone, ...options])) as ScheduleJson;
}

async function refusal(args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await service().run(args);
  expect(exitCode, stderr).toBe(2);
  expect(stdout).toBe('');
  return stderr;
}

test('a schedule is stored as given, with the maximum cost of a scan', async () => {
  const budgets = ['--max-credits', '25', '--max-credits-per-day', '40.5'];
  const policies = [
    '--overlap',
    'queue',
    '--catch-up',
    'none',
    '--misses-to-end',
    '3',
    '--stale-after',
    '21d',
  ];
  const added = await add([...budgets, ...policies, '--max-ads', '50', '--notify', 'none']);
  const set = {
    state: 'active',
    cron: '0 2 * * 1-5',
    time_zone: 'Europe/Berlin',
    description: 'At 02:00, Monday through Friday',
    file_name: 'rivals.csv',
    companies: 2,
    sources: ['sample'],
    region: null,
    max_ads: 50,
    own_only: false,
    max_age: null,
    max_credits: 25,
    max_credits_per_day: 40.5,
    overlap: 'queue',
    catch_up: 'none',
    misses_to_end: 3,
    stale_after: '21d',
    notify: [],
    last_scan: null,
  };
  expect(added).toMatchObject({ ...set, scan_ceiling: 0.4, rejected: 0 });
  expect(await service().ask(['schedule', 'show', added.name])).toMatchObject(set);
  expect(await service().ask(['schedule', 'show', added.id])).toMatchObject(set);
});

test('missing settings have the documented defaults, and are shown', async () => {
  service().write('rivals.csv', list);
  const args = ['schedule', 'add', 'plain', '--companies', 'rivals.csv', '--cron', '0 2 * * *'];
  const environment = { NIGHTSHIFT_SOURCES: 'sample' };
  const { exitCode, stdout, stderr } = await service().run(args, { environment });
  expect(exitCode, stderr).toBe(0);
  expect(stderr).toContain('Using the time zone of this machine');
  expect(stderr).toContain('Using the default source, sample. Choose others with --source.');
  expect(stdout).toContain('Overlap    skip');
  expect(stdout).toContain('Catch-up   once');
  expect(stdout).toContain('after 2 complete scans without them, or when last seen over 14 days ago');
  expect(stdout).toContain('A scan costs at most 0.4 credits');
  expect(stdout).toContain('while `nightshift up` or `nightshift work` is running.');
});

test('the text for a schedule has singular nouns where they belong', async () => {
  const { name } = await add([
    '--max-credits',
    '1',
    '--misses-to-end',
    '1',
    '--stale-after',
    '1d',
    '--max-ads',
    '1',
  ]);
  const { stdout } = await service().run(['schedule', 'show', name]);
  expect(stdout).toContain('at most 1 ad each');
  expect(stdout).toContain('Budget     1 credit per scan, no limit per day');
  expect(stdout).toContain('after 1 complete scan without them, or when last seen over 1 day ago');
});

describe('times of a schedule', () => {
  test('are listed in words and in its time zone', async () => {
    const { name } = await add();
    const { stdout } = await service().run(['schedule', 'list']);
    const own = stdout.split('\n\n').find((each) => each.startsWith(`${name}  (`));
    expect(own).toContain('At 02:00, Monday through Friday, Europe/Berlin  (0 2 * * 1-5)');
    expect(own?.match(/\d{4}-\d{2}-\d{2} 02:00 Europe\/Berlin/g)).toHaveLength(5);
    expect(own).toContain('Last scan  none yet');
  });

  test.each([
    [
      '2026-03-28T12:00',
      ['2026-03-29T01:30:00.000Z', '2026-03-30T00:30:00.000Z', '2026-03-31T00:30:00.000Z'],
    ],
    [
      '2026-10-24T12:00:00Z',
      ['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z', '2026-10-27T01:30:00.000Z'],
    ],
    [
      '2026-10-25T02:45:00+02:00',
      ['2026-10-26T01:30:00.000Z', '2026-10-27T01:30:00.000Z', '2026-10-28T01:30:00.000Z'],
    ],
  ])('after %s, across a daylight-saving change', async (from, next) => {
    const { name } = await add(['--cron', '30 2 * * *']);
    const args = ['schedule', 'next', name, '--count', '3', '--from', from];
    expect(await service().ask(args)).toEqual({ next });
    const { stdout } = await service().run(args);
    expect(stdout.split('\n')[0]).toMatch(/^2026-\S+Z {2}2026-\d\d-\d\d 0[23]:30 Europe\/Berlin$/);
  });

  test.each([
    [['--count', '0'], '--count 0: must be an integer from 1 to 1000.'],
    [['--count', '1001'], '--count 1001: must be an integer from 1 to 1000.'],
    [['--from', 'tomorrow'], '--from tomorrow: must be a day or a time'],
    [['--from', '2026-02-31'], '--from 2026-02-31: must be a day or a time'],
  ])('reject %s', async (options, reported) => {
    const { name } = await add();
    expect(await refusal(['schedule', 'next', name, ...options])).toContain(reported);
  });
});

describe('edit', () => {
  test('changes only the given settings', async () => {
    const before = await add(['--region', 'DE', '--max-credits', '25']).catch(() =>
      add(['--max-credits', '25']),
    );
    const edited = await service().ask([
      ...['schedule', 'edit', before.name, '--cron', '0 3 * * *', '--tz', 'UTC'],
      ...['--max-credits', 'none', '--own-only'],
    ]);
    expect(edited).toMatchObject({
      id: before.id,
      cron: '0 3 * * *',
      time_zone: 'UTC',
      max_credits: null,
      own_only: true,
      overlap: 'skip',
      companies: 2,
    });
  });

  test('accepts a new file and a new name', async () => {
    const { name } = await add();
    service().write('others.csv', 'firma;seite\nPuma;puma.com\n');
    const renamed = `${name} and more`;
    const args = ['schedule', 'edit', name, '--name', renamed, '--companies', 'others.csv'];
    expect(await service().ask([...args, '--map', 'company_domain=seite'])).toMatchObject({
      name: renamed,
      file_name: 'others.csv',
      companies: 1,
    });
    expect(await refusal(['schedule', 'show', name])).toContain(`There is no schedule "${name}".`);
  });

  test('rejects an empty change, and reading options without a file', async () => {
    const { name } = await add();
    expect(await refusal(['schedule', 'edit', name])).toContain('No changes given');
    expect(await refusal(['schedule', 'edit', name, '--delimiter', ';'])).toContain('Name the file as well');
  });
});

test('a manual scan is a batch immediately, and is listed among the scans', async () => {
  const { name } = await add();
  const scan = (await service().ask(['schedule', 'run', name])) as { readonly batch: string };
  expect(scan).toMatchObject({ cause: 'manual', state: 'running', reason: null });
  expect(await service().ask(['status', scan.batch])).toMatchObject({
    state: 'running',
    lookups: { total: 2 },
  });
  expect(await service().ask(['schedule', 'scans', name])).toMatchObject({ scans: [{ batch: scan.batch }] });
  const { stdout } = await service().run(['schedule', 'scans', name]);
  expect(stdout).toContain(scan.batch);
  expect(await refusal(['schedule', 'run', name])).toContain(`(${scan.batch}) still runs`);
});

test('a paused schedule has no next run until it is resumed', async () => {
  const { name } = await add();
  expect(await service().ask(['schedule', 'pause', name])).toMatchObject({ state: 'paused', next: [] });
  expect(await service().ask(['schedule', 'pause', name])).toMatchObject({ state: 'paused' });
  const resumed = (await service().ask(['schedule', 'resume', name])) as ScheduleJson;
  expect(resumed).toMatchObject({ state: 'active' });
  expect(resumed.next).toHaveLength(5);
});

test('a removed schedule is gone, and its name is free', async () => {
  const { name, id } = await add();
  expect(await service().ask(['schedule', 'remove', name])).toEqual({ id, name, removed: true });
  for (const move of ['show', 'pause', 'resume', 'run', 'remove', 'next', 'scans'])
    expect(await refusal(['schedule', move, name])).toContain(`There is no schedule "${name}".`);
  count -= 1;
  expect((await add()).name).toBe(name);
});

test('a file can come from standard input, compressed or not', async () => {
  const { gzipSync } = await import('node:zlib');
  const args = [
    'schedule',
    'add',
    'piped',
    '--companies',
    '-',
    '--cron',
    '0 2 * * *',
    '--tz',
    'UTC',
    '--source',
    'sample',
  ];
  expect(await service().ask(args, { input: gzipSync(list) })).toMatchObject({
    file_name: 'standard input',
    companies: 2,
  });
});

describe('invalid option is rejected, and nothing is stored', () => {
  const good = { '--cron': '0 2 * * *', '--tz': 'UTC', '--source': 'sample', '--companies': 'rivals.csv' };

  test.each([
    ['--cron', '0 0 2 * * *', 'a field for seconds is not supported'],
    ['--cron', '0 2 31 2 *', 'it would never run'],
    ['--tz', 'Europe/Atlantis', 'unknown time zone'],
    ['--source', 'serpapi', 'serpapi'],
    ['--source', 'unknown', '"unknown"'],
    ['--max-credits', '0', 'must be an amount above 0'],
    ['--misses-to-end', '31', 'must be an integer from 1 to 30'],
    ['--stale-after', '2w', 'write days from 1d to 3650d'],
    ['--notify', 'unknown', 'There is no webhook "unknown" to notify. There are none yet.'],
    ['--companies', 'missing.csv', 'no such file'],
    ['--companies', 'addresses.csv', 'ads_search needs a column for company_domain'],
    ['--companies', 'empty.csv', 'none of its 1 rows has a company'],
    ['--overlap', 'both', 'Allowed choices are skip, queue'],
  ])('%s %s', async (option, value, reported) => {
    service().write('rivals.csv', list);
    service().write('addresses.csv', 'email\njane@example.com\n');
    service().write('empty.csv', 'domain\n192.168.1.1\n');
    const options = Object.entries({ ...good, [option]: value }).flat();
    expect(await refusal(['schedule', 'add', 'refused', ...options])).toContain(reported);
    expect(await refusal(['schedule', 'show', 'refused'])).toContain('There is no schedule');
  });

  test.each(['', ' ', 'sch_1', 'a\nb', 'x'.repeat(101)])('name %j', async (name) => {
    service().write('rivals.csv', list);
    expect(await refusal(['schedule', 'add', name, ...Object.entries(good).flat()])).toContain('name');
  });

  test('name of another schedule', async () => {
    const { name } = await add();
    const other = await add();
    const taken = `There is a schedule "${name}" already. Choose another name.`;
    expect(await refusal(['schedule', 'add', name, ...Object.entries(good).flat()])).toContain(
      `${taken} To change it: nightshift schedule edit '${name}'\n`,
    );
    expect(await refusal(['schedule', 'edit', other.name, '--name', name])).toContain(taken);
  });
});

test('schedules belong to one account', async () => {
  await service().ask(['accounts', 'add', 'acme']);
  const { name, id } = await add();
  for (const named of [name, id])
    expect(await refusal(['schedule', 'show', named, '--account', 'acme'])).toContain('There is no schedule');
  expect(await service().ask(['schedule', 'list', '--account', 'acme'])).toEqual({ schedules: [] });
});
