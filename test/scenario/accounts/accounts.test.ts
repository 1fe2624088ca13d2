import { expect, test } from 'vitest';
import { openLoginAsker } from '../../support/api/account-client.ts';
import { useTestCli } from '../../support/cli/test-cli.ts';

const cli = useTestCli({ inProcess: true });

test('`--account` applies to subcommands and changes only that account', async () => {
  await cli().ask(['accounts', 'add', 'sales']);
  const before = await cli().ask(['credits']);
  await cli().ask(['credits', 'grant', '7', '--account', 'sales', '--reason', 'test']);
  expect(await cli().ask(['credits', '--account', 'sales'])).toMatchObject({ balance: 7 });
  expect(await cli().ask(['credits'])).toEqual(before);
  const { id } = (await cli().ask(['keys', 'create', '--account', 'sales'])) as { id: string };
  expect(await cli().ask(['keys'])).toEqual([]);
  expect(await cli().ask(['keys', '--account', 'sales'])).toMatchObject([{ id }]);
  await cli().ask(['keys', 'revoke', id, '--account', 'sales']);
});

test('limits of an account are set, shown, applied on the command line, and reset', async () => {
  await cli().ask(['accounts', 'add', 'limited']);
  const limits = (...args: string[]) => cli().ask(['accounts', 'limits', 'limited', ...args]);
  expect(await limits()).toEqual({
    account: 'limited',
    requests_per_minute: null,
    open_lookups: null,
    rows_per_batch: null,
    weight: null,
    sources: [],
  });
  await limits('--requests-per-minute', '50', '--rows-per-batch', '2');
  expect(await limits('--open-lookups', '9', '--rows-per-batch', 'default', '--weight', '3')).toEqual({
    account: 'limited',
    requests_per_minute: 50,
    open_lookups: 9,
    rows_per_batch: null,
    weight: 3,
    sources: [],
  });
  const atSource = [
    '--source-concurrency',
    'upstream=2',
    'serpapi=4',
    '--source-calls-per-day',
    'upstream=100',
  ];
  expect(await limits(...atSource)).toMatchObject({
    weight: 3,
    sources: [
      { source: 'serpapi', concurrency: 4, calls_per_day: null },
      { source: 'upstream', concurrency: 2, calls_per_day: 100 },
    ],
  });
  expect(await limits('--source-concurrency', 'serpapi=default', 'upstream=default')).toMatchObject({
    sources: [{ source: 'upstream', concurrency: null, calls_per_day: 100 }],
  });
  expect((await cli().run(['accounts', 'limits', 'limited'])).stdout).toMatch(
    /requests per minute.*50.*1,200[^]*calls to upstream a day.*100.*none/,
  );
  const wrong = await cli().run(['accounts', 'limits', 'limited', '--open-lookups', '0']);
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('Invalid limit "0"')]);
  const unknown = await cli().run(['accounts', 'limits', 'limited', '--source-concurrency', 'upstrem=2']);
  expect([unknown.exitCode, unknown.stderr]).toEqual([2, expect.stringContaining('Did you mean upstream?')]);
  const heavy = await cli().run(['accounts', 'limits', 'limited', '--weight', '101']);
  expect([heavy.exitCode, heavy.stderr]).toEqual([2, expect.stringContaining('from 1 to 100')]);

  await cli().ask(['accounts', 'limits', 'default', '--rows-per-batch', '2']);
  cli().write('three.csv', 'website\na.com\nb.com\nc.com\n');
  const refused = await cli().run(['load', 'three.csv', '--source', 'sample']);
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('more than 2 data rows')]);
  await cli().ask(['accounts', 'limits', 'default', '--rows-per-batch', 'default', '--open-lookups', '2']);
  const full = await cli().run(['load', 'three.csv', '--source', 'sample']);
  expect([full.exitCode, full.stderr]).toEqual([3, expect.stringContaining('would have 3')]);
  await cli().ask(['accounts', 'limits', 'default', '--open-lookups', 'default']);
});

test('database login of an account reads only its own rows, until it is removed', async () => {
  await cli().ask(['accounts', 'add', 'reads']);
  const { role, url } = (await cli().ask(['accounts', 'login', 'reads'])) as { role: string; url: string };
  const { ask, close } = await openLoginAsker(url);
  try {
    expect(await ask('SELECT account FROM credit_balances')).toContain('"rows":[{"account":"reads"}]');
    const { stdout, stderr } = await cli().run(['accounts', 'login', 'reads']);
    expect(stdout).toContain(`${role}:`);
    expect(stderr).toContain('shown once');
    await cli().ask(['accounts', 'login', 'reads', '--remove']);
    await expect(ask('SELECT 1')).rejects.toThrow('not queryable');
    expect((await cli().run(['accounts', 'login', 'reads', '--remove'])).exitCode).toBe(2);
  } finally {
    await close();
  }
});
