import { parse } from 'csv-parse/sync';
import { describe, expect, onTestFinished, test } from 'vitest';
import { codeIn } from '../../support/cli/error-code.ts';
import { useTestCli } from '../../support/cli/test-cli.ts';
import type { Environment } from '../../support/cli/nightshift-process.ts';
import {
  openSourceStandIn,
  type SourceStandIn,
  type StandInOptions,
} from '../../support/stand-in/source-stand-in.ts';
import { generateAds } from '../../support/stand-in/stand-in-ads.ts';
import { freePort } from '../../support/queue/test-redis.ts';

/** Live source that finds an ad for every company, unless configured otherwise. */
async function openSource(
  options: StandInOptions = {},
): Promise<{ readonly source: SourceStandIn; readonly environment: Environment }> {
  const source = await openSourceStandIn({ ads: () => generateAds('somebody.com', 1), ...options });
  onTestFinished(() => source.close());
  const environment = {
    NIGHTSHIFT_UPSTREAM_URL: source.url,
    NIGHTSHIFT_UPSTREAM_KEY: source.key,
    NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '1000',
  };
  return { source, environment };
}

/** Companies that the source charged for, in any order. */
function bought({ log }: SourceStandIn): readonly unknown[] {
  return log
    .filter(({ effect }) => effect)
    .map(({ body }) => (body as { company_domain: string }).company_domain);
}

const domains = ['one.com', 'two.com', 'three.com', 'four.com', 'five.com'];
const text = `domain\n${domains.join('\n')}\n`;

/** Each code is also checked once in a separate process: `runApart`. */
const inProcess = true;

describe('exit 2, with a remedy', () => {
  const cli = useTestCli({ inProcess, sample: false });

  test.each([
    { run: 'runApart', args: ['enrich', 'list.csv'] },
    { run: 'call', args: ['load', 'list.csv'] },
    { run: 'call', args: ['search', '--name', 'Nike'] },
  ] as const)('$args without a source lists ways to get one', async ({ run, args }) => {
    cli().write('list.csv', text);
    const { exitCode, stdout, stderr } = await cli()[run](args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('nightshift snapshot load FILE…');
    expect(stderr).toContain('NIGHTSHIFT_UPSTREAM_URL');
    expect(stderr).toContain('--source sample');
  });

  test.each([
    { args: [], says: 'Usage: nightshift' },
    { args: ['enrich'], says: "missing required argument 'file'" },
    { args: ['enrihc', 'list.csv'], says: 'Did you mean enrich?' },
    { args: ['enrich', 'list.csv', '--sauce', 'sample'], says: 'Did you mean --source?' },
    { args: ['export', 'bat_1', '--format', 'xls'], says: 'csv, ndjson, json, parquet, xlsx' },
    { args: ['search', 'nike.com'], says: '--help' },
    { args: ['search'], says: 'Use --domain nike.com or --name' },
    { args: ['search', '--domain', '192.0.2.7'], says: 'IP address' },
    {
      args: ['search', '--domain', 'nike.com', '--region', 'UK'],
      says: '--region: "UK" is not a region of ISO 3166-1: the United Kingdom is GB.',
    },
    { args: ['enrich', 'list.csv', '--source', 'bogus'], says: 'snapshot, upstream, serpapi' },
    { args: ['enrich', 'list.csv', '--source', 'upstream'], says: 'NIGHTSHIFT_UPSTREAM_KEY' },
    { args: ['enrich', 'list.csv', '--map', 'domain'], says: '--map company_name=Account' },
    { args: ['check', 'list.csv', '--map', 'company_name=Nope'], says: '"domain"' },
    { args: ['credits', 'grant', '5'], says: '--reason' },
    { args: ['credits', 'grant', 'five', '--reason', 'test'], says: 'a number such as 25 or 0.2' },
    { args: ['credits', 'grant', '0', '--reason', 'test'], says: 'above 0' },
    { args: ['snapshot', 'load'], says: '--sample' },
  ])('wrong usage: nightshift $args', async ({ args, says }) => {
    cli().write('list.csv', text);
    const { exitCode, stdout, stderr } = await cli().call(args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(says);
    expect(stderr).not.toMatch(/\n +at /);
  });

  test.each([
    { NIGHTSHIFT_SOURSES: 'sample' },
    { NIGHTSHIFT_CONCURRENCY: 'many' },
    { NIGHTSHIFT_LOG_LEVEL: 'loud' },
    { NIGHTSHIFT_UPSTREAM_URL: 'http://127.0.0.1:1' },
    { DATABASE_URL: 'mysql://127.0.0.1/x' },
    { DATABASE_URL: '', DATABASE_URL_FILE: '/nowhere/url' },
  ])('an invalid setting is named: %o', async (environment) => {
    const { exitCode, stdout, stderr } = await cli().call(['credits', '--json'], { environment });
    expect([exitCode, codeIn(stdout)]).toEqual([2, 'not_configured']);
    expect(stderr).toContain(Object.keys(environment).at(-1));
    expect(stderr).not.toMatch(/\n +at /);
  });
});

describe('folder that is not writable', () => {
  const cli = useTestCli({ sample: false });
  // Not even root can create a folder there.
  const locked = '/sys/nightshift';

  test.skipIf(process.platform !== 'linux')('is reported with a remedy, and not as a defect', async () => {
    const environment = { NIGHTSHIFT_HOME: locked };
    const { exitCode, stdout, stderr } = await cli().call(['demo'], { environment });
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(locked);
    expect(stderr).toContain('NIGHTSHIFT_HOME');
    expect(stderr).not.toMatch(/report it|\n +at /);
  });
});

describe('exit 0', () => {
  const cli = useTestCli({ sample: false, settings: { NIGHTSHIFT_SOURCE_WAIT_SECONDS: '0.3' } });
  const many = Array.from({ length: 12 }, (_, n) => `company-${n}.com`);

  test('a source that is down for a while is waited for, without a failed lookup', async () => {
    const { source, environment } = await openSource();
    source.setBehaviour(({ n }) => (n <= 14 ? { kind: 'status', status: 500 } : undefined));
    cli().write('many.csv', `domain\n${many.join('\n')}\n`);
    const args = ['enrich', 'many.csv', '-o', 'out.csv'];
    expect(await cli().ask(args, { environment })).toMatchObject({
      state: 'finished',
      lookups: { found: 12, failed: 0 },
    });
    expect([...bought(source)].sort()).toEqual([...many].sort());
  });
});

describe('exit 1', () => {
  const cli = useTestCli({ sample: false });

  test('a finished batch with failed lookups is exported, with the reasons', async () => {
    const { environment } = await openSource({
      script: [{ companies: ['three.com'], failure: { kind: 'malformed' } }],
    });
    cli().write('list.csv', text);
    const answer = await cli().ask(['enrich', 'list.csv', '-o', 'out.csv'], { environment, exitCode: 1 });
    expect(answer).toMatchObject({ state: 'finished', lookups: { found: 4, failed: 1 }, output: 'out.csv' });
    const lines: readonly Record<string, string>[] = parse(cli().read('out.csv'), { columns: true });
    expect(lines.map((line) => line['ads_outcome'])).toEqual(['found', 'found', 'failed', 'found', 'found']);
    expect(lines[2]).toMatchObject({ ads_reason: 'source_unreadable', ads_credits_consumed: '0' });
  });
});

describe('exit 3', () => {
  const cli = useTestCli({ inProcess, sample: false, settings: { NIGHTSHIFT_OPENING_CREDITS: '0.4' } });

  test('a batch without credits waits; after a grant, the same command finishes it without a second charge', async () => {
    const { source, environment } = await openSource();
    cli().write('list.csv', text);
    const args = ['enrich', 'list.csv', '-o', 'out.csv'];
    const stopped = await cli().runApart(args, { environment });
    expect(stopped.exitCode, stopped.stderr).toBe(3);
    expect(stopped.stdout).toContain('waiting_for_credits');
    expect(stopped.stdout).toContain('nightshift credits grant');
    expect(bought(source)).toHaveLength(2);
    expect(await cli().ask(['credits'])).toMatchObject({ balance: 0, held: 0 });
    expect(await cli().ask(args, { environment, exitCode: 3 })).toMatchObject({
      state: 'waiting_for_credits',
      lookups: { found: 2, open: 3 },
      credits: { charged: 0.4, ceiling: 1 },
      output: null,
    });

    const piped = await cli().run(['enrich', 'list.csv', '-o', '-'], { environment });
    expect([piped.exitCode, piped.stdout]).toEqual([3, '']);
    expect(piped.stderr).toContain('nightshift credits grant');

    await cli().ask(['credits', 'grant', '0.7', '--reason', 'more companies']);
    expect(await cli().ask(args, { environment })).toMatchObject({
      state: 'finished',
      lookups: { found: 5, open: 0 },
      credits: { charged: 1 },
      output: 'out.csv',
    });
    expect([...bought(source)].sort()).toEqual([...domains].sort());
    expect(await cli().ask(['credits'])).toMatchObject({ balance: 0.1, held: 0 });
  });

  test('a search without enough credits is rejected before the call', async () => {
    const { source, environment } = await openSource();
    const { exitCode, stdout, stderr } = await cli().run(['search', '--domain', 'six.com', '--json'], {
      environment,
    });
    expect([exitCode, codeIn(stdout)]).toEqual([3, 'insufficient_credits']);
    expect(stderr).toContain('nightshift credits grant');
    expect(source.log).toEqual([]);
  });
});

describe('exit 3, for the budget of a source', () => {
  const cli = useTestCli({ inProcess, sample: false });

  test('a batch waits at the daily call budget, and continues with a larger one', async () => {
    const { source, environment } = await openSource();
    cli().write('list.csv', text);
    const args = ['enrich', 'list.csv', '-o', 'out.csv'];
    const small = { ...environment, NIGHTSHIFT_UPSTREAM_CALLS_PER_DAY: '2' };
    const stopped = await cli().run(args, { environment: small });
    expect(stopped.exitCode, stopped.stderr).toBe(3);
    expect(stopped.stdout).toContain('waiting_for_source: the daily budget of 2 calls to upstream is spent');
    expect(stopped.stdout).toContain('or raise the budget first');
    expect(bought(source)).toHaveLength(2);
    const search = await cli().run(['search', '--domain', 'six.com'], { environment: small });
    expect([search.exitCode, search.stdout]).toEqual([3, '']);
    expect(search.stderr).toContain('daily budget of 2 calls');

    expect(await cli().ask(args, { environment })).toMatchObject({
      state: 'finished',
      lookups: { found: 5, open: 0 },
    });
    expect([...bought(source)].sort()).toEqual([...domains].sort());
  });
});

describe('source that declines every request', () => {
  const cli = useTestCli({ inProcess, sample: false });
  const many = Array.from({ length: 30 }, (_, i) => `many-${i}.com`);

  test.each([
    [400, 1, 'Your plan has no searches by domain'],
    [403, 1, 'Not from your country'],
    [422, 1, 'Your plan has no searches by domain'],
  ])(
    'with %i: the batch waits with the message of the source, and exit code %i',
    async (status, exitCode, says) => {
      const { source, environment: reach } = await openSource();
      const environment = { ...reach, NIGHTSHIFT_UPSTREAM_CONCURRENCY: '3' };
      source.setBehaviour(() => ({ kind: 'status', status, says: `${says} (${source.key})` }));
      cli().write(
        `list-${status}.csv`,
        `domain,x${status}\n${many.map((domain) => `${domain},1\n`).join('')}`,
      );
      const args = ['enrich', `list-${status}.csv`, '-o', 'out.csv'];
      const declined = await cli().run(args, { environment });
      expect(declined.exitCode, declined.stderr).toBe(exitCode);
      expect(declined.stdout).toContain('waiting_for_source');
      expect(declined.stdout).toContain(says);
      expect(declined.stdout + declined.stderr).not.toContain(source.key);
      expect(source.log.length).toBeLessThan(many.length);

      source.setBehaviour(() => undefined);
      const { stdout } = await cli().run([...args, '--json'], { environment });
      const repaired = JSON.parse(stdout) as { lookups: Record<string, number> };
      const { found = 0, failed = 0, open } = repaired.lookups;
      expect([found + failed, open]).toEqual([many.length, 0]);
      expect(failed).toBeLessThan(10);
    },
  );
});

describe('exit 3 of an account at the source', () => {
  const cli = useTestCli({ inProcess, sample: false });

  test('a source account that was topped up is called immediately when the command is repeated', async () => {
    const { source, environment } = await openSource();
    source.setBehaviour(() => ({ kind: 'status', status: 402 }));
    cli().write('other.csv', `company,${text}`.replaceAll('\n', '\nX,').replace(/X,$/, ''));
    const args = ['enrich', 'other.csv', '-o', 'out.csv'];
    const refused = await cli().run(args, { environment });
    expect(refused.exitCode, refused.stderr).toBe(3);
    source.setBehaviour(() => undefined);
    expect(await cli().ask(args, { environment })).toMatchObject({
      state: 'finished',
      lookups: { found: 5 },
    });
  });
});

describe('exit 4', () => {
  const cli = useTestCli({ inProcess, sample: false });

  test('a rejected key stops the batch; with a valid one, the same command finishes it', async () => {
    const { source, environment } = await openSource();
    cli().write('list.csv', text);
    const args = ['enrich', 'list.csv', '-o', 'out.csv'];
    const wrong = { ...environment, NIGHTSHIFT_UPSTREAM_KEY: 'a-secret-that-is-wrong' };
    const refused = await cli().runApart(args, { environment: wrong });
    expect(refused.exitCode, refused.stderr).toBe(4);
    expect(refused.stdout).toContain('waiting_for_source');
    expect(refused.stdout + refused.stderr).toContain('401');
    expect(refused.stdout + refused.stderr).not.toContain('a-secret-that-is-wrong');
    expect(bought(source)).toEqual([]);
    expect(await cli().ask(args, { environment })).toMatchObject({
      state: 'finished',
      lookups: { found: 5 },
    });
    expect([...bought(source)].sort()).toEqual([...domains].sort());
  });

  test('a search with a rejected key reports it and charges nothing', async () => {
    const { environment } = await openSource();
    const wrong = { ...environment, NIGHTSHIFT_UPSTREAM_KEY: 'wrong' };
    const before = await cli().ask(['credits']);
    const { exitCode, stdout, stderr } = await cli().run(['search', '--name', 'Nike', '--json'], {
      environment: wrong,
    });
    expect([exitCode, codeIn(stdout)]).toEqual([4, 'source_unavailable']);
    expect(stderr).toContain('401');
    expect(await cli().ask(['credits'])).toEqual(before);
  });
});

describe('exit 5', () => {
  const cli = useTestCli({ inProcess });

  test('an unreachable database is reported immediately', async () => {
    const environment = { DATABASE_URL: `postgres://someone:password@127.0.0.1:${await freePort()}/x` };
    const startedAt = performance.now();
    const { exitCode, stdout, stderr } = await cli().runApart(['credits', '--json'], { environment });
    expect([exitCode, codeIn(stdout)]).toEqual([5, 'service_unavailable']);
    expect(stderr).toContain('DATABASE_URL');
    expect(stdout + stderr).not.toContain('password');
    expect(performance.now() - startedAt).toBeLessThan(30_000);
  });

  test('an unreachable Redis is reported by commands that need a queue', async () => {
    const environment = { REDIS_URL: `redis://127.0.0.1:${await freePort()}` };
    cli().write('list.csv', text);
    const needed = await cli().run(['enrich', 'list.csv', '--source', 'sample', '--json'], { environment });
    expect([needed.exitCode, codeIn(needed.stdout)]).toEqual([5, 'service_unavailable']);
    expect(needed.stderr).toContain('REDIS_URL');
    expect(needed.stderr).toContain('ECONNREFUSED');
    expect(await cli().ask(['credits'], { environment })).toMatchObject({ account: 'default' });
  });

  test('check needs neither database nor queue', async () => {
    const environment = { DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/x` };
    cli().write('clean.csv', text);
    expect((await cli().run(['check', 'clean.csv'], { environment })).exitCode).toBe(0);
  });
});
