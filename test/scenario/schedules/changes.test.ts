import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestPools } from '../../support/db/database.ts';
import { useTestCli, type TestCli } from '../../support/cli/test-cli.ts';
import { adOf, foundAds, openTestScans, scanDay } from '../../support/scans/evaluation-fixture.ts';
import { openHistory } from '../../support/scans/history-fixture.ts';
import { writeWeek } from '../../support/scans/week-fixture.ts';

const addAll = 'For the ads that first scans found, add --all.\n';

/** Compared part of the output of `changes --json`. */
interface Changes {
  readonly changes: readonly {
    readonly kind: string;
    readonly scan: string;
    readonly ad: { readonly creative_id: string };
  }[];
  readonly next: string | null;
}

describe('without data', () => {
  const cli = useTestCli({ sample: false, inProcess: true });

  test('without a schedule, the output names the command that adds one', async () => {
    expect(await cli().ask(['changes'])).toEqual({ changes: [], next: null });
    const { exitCode, stdout } = await cli().run(['changes']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^No schedules yet.*nightshift schedule add .*\n$/);
  });

  test('an unknown schedule is an error, not an empty list', async () => {
    const { exitCode, stdout, stderr } = await cli().run(['changes', 'night']);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('There is no schedule "night"');
  });
});

describe('after several scans', () => {
  const cli = useTestCli({ sample: false, inProcess: true });
  let pools: ReturnType<typeof openTestPools>;
  let scans: readonly string[];

  beforeAll(async () => {
    pools = openTestPools(cli().environment['DATABASE_URL'] ?? '');
    scans = await writeWeek(await openHistory(pools, { schedule: 'night' }));
  });

  afterAll(() => pools.close());

  const summarize = async (args: readonly string[], from: TestCli = cli()) =>
    ((await from.ask(['changes', ...args])) as Changes).changes.map(
      ({ kind, ad }) => `${kind} ${ad.creative_id.replace('google:', '')}`,
    );

  test('text output has counts and the changes of each scan, newest first, with each company named once', async () => {
    const { stdout } = await cli().run(['changes', 'night']);
    const lines = stdout.split('\n');
    expect(lines[0]).toBe('1 new, 1 reactivated, 1 changed, 2 ended.');
    expect(lines.filter((line) => line.startsWith('night, '))).toEqual([
      `night, 2026-03-09 02:00 UTC  (${scans[5]})`,
      `night, 2026-03-06 02:00 UTC  (${scans[3]})`,
      `night, 2026-03-05 02:00 UTC  (${scans[2]})`,
      `night, 2026-03-03 02:00 UTC  (${scans[1]})`,
    ]);
    expect(stdout).toContain(
      [
        'nike.com',
        '  ended, not seen in 2 scans: b, version 1, Image, Advertiser of d:nike.com, until 2026-03-03',
        '    https://ads.example/b',
        '  changed: c, version 2, Image, Advertiser of d:nike.com',
        '    headline: c, version 1 → c, version 2',
        '    https://ads.example/c',
      ].join('\n'),
    );
    expect(stdout).toMatch(/^puma\.com\n {2}ended, last seen long ago: .*, until 2026-03-02\n/m);
    expect(stdout).toMatch(/^ {2}new: c, version 1, .*, since 2026-03-02$/m);
    expect(stdout).not.toContain('baseline');
  });

  test('the baseline is shown only with --all or by its kind', async () => {
    const news = ['reactivated b', 'ended b', 'changed c', 'ended p', 'new c'];
    expect(await summarize([])).toEqual(news);
    expect(await summarize(['night', '--all'])).toHaveLength(9);
    expect(await summarize(['--kind', 'baseline'])).toEqual([
      'baseline p',
      'baseline a',
      'baseline b',
      'baseline old',
    ]);
    const { stdout } = await cli().run(['changes', '--all']);
    expect(stdout).toContain('4 baseline.');
    expect(stdout).toMatch(/^ {2}baseline, ran long ago: .*, 2026-01-01 to 2026-01-31$/m);
  });

  test('--kind, --company, --ad-format and --since filter the changes', async () => {
    expect(await summarize(['--kind', 'new, ended'])).toEqual(['ended b', 'ended p', 'new c']);
    expect(await summarize(['--company', 'https://www.puma.com/de'])).toEqual(['ended p']);
    expect(await summarize(['--ad-format', 'image', '--kind', 'new'])).toEqual(['new c']);
    expect(await summarize(['--ad-format', 'Video'])).toEqual([]);
    expect(await summarize(['--since', '2026-03-06'])).toEqual(['reactivated b', 'ended b', 'changed c']);
    expect(await summarize(['--since', '1h'])).toEqual([]);
    expect((await cli().run(['changes', '--since', '2026-03-06'])).stdout).toMatch(
      /^1 reactivated, 1 changed, 1 ended since 2026-03-06\.\n/,
    );
  });

  test('no change is one line', async () => {
    expect((await cli().run(['changes', '--since', '7d'])).stdout).toBe(
      `No changes in the last 7 days. ${addAll}`,
    );
    expect((await cli().run(['changes', '--since', '1d'])).stdout).toBe(
      `No changes in the last day. ${addAll}`,
    );
    expect((await cli().run(['changes', '--company', 'adidas.com'])).stdout).toBe(`No changes. ${addAll}`);
  });

  test('-n limits the list, and --after continues it', async () => {
    const first = (await cli().ask(['changes', '-n', '2'])) as Changes;
    expect(first.changes).toHaveLength(2);
    const rest = (await cli().ask(['changes', '--after', first.next ?? ''])) as Changes;
    expect(rest.next).toBeNull();
    expect([...first.changes, ...rest.changes]).toEqual(((await cli().ask(['changes'])) as Changes).changes);
    // A page that ends exactly at the end is the last.
    expect(((await cli().ask(['changes', '-n', '5'])) as Changes).next).toBeNull();
    const { stdout } = await cli().run(['changes', '-n', '2']);
    expect(stdout).toContain(`--after ${first.next}`);
    // The counts include all changes.
    expect(stdout).toMatch(/^1 new, 1 reactivated, 1 changed, 2 ended\.\n/);
  });

  test('--json has all fields of a change', async () => {
    const { changes } = (await cli().ask(['changes', '--kind', 'changed'])) as Changes;
    expect(changes).toEqual([
      {
        schedule: 'night',
        schedule_id: expect.stringMatching(/^sch_/) as unknown,
        scan: scans[3],
        company_domain: null,
        company_name: null,
        kind: 'changed',
        reason: null,
        ad: {
          advertiser_id: 'google:AR-d-nike.com',
          creative_id: 'google:c',
          advertiser_name: 'Advertiser of d:nike.com',
          format: 'Image',
          original_url: 'https://ads.example/c',
          variants: [],
          headline: 'c, version 2',
          description: null,
          display_url: null,
          final_url: null,
          ad_type: null,
        },
        before: expect.objectContaining({ creative_id: 'google:c', headline: 'c, version 1' }) as unknown,
        ran_from: null,
        ran_to: null,
        rests_on: [scans[3]],
        observed_at: '2026-03-06T02:00:00.000Z',
        created_at: '2026-03-06T03:00:00.000Z',
      },
    ]);
  });

  test('an advertiser cannot control the terminal with the name of an ad', async () => {
    const hostile = await openHistory(pools, { schedule: 'hostile' });
    const changes = [{ kind: 'new', ad: `\u001b[2J${'long '.repeat(50)}` }] as const;
    await hostile.run({ day: '2026-03-01', observations: { 'd:hostile.com': { changes } } });
    const { stdout } = await cli().run(['changes', 'hostile']);
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toMatch(/\[U\+001B\]\[2Jlong long .*…/);
    const texts = stdout.split('\n').filter((line) => !line.startsWith('    https://'));
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(200);
  });

  test.each([
    { args: ['--since', 'yesterday'], says: /--since yesterday: .*7d/ },
    { args: ['--kind', 'new,gone'], says: /"gone".*reactivated/ },
    { args: ['--kind', 'new', '--all'], says: /--all/ },
    { args: ['-n', '0'], says: /-n 0/ },
    { args: ['--after', 'there'], says: /--after/ },
    { args: ['--company', 'http://127.0.0.1/'], says: /Invalid company/ },
  ])('$args is rejected with a clear message', async ({ args, says }) => {
    const { exitCode, stdout, stderr } = await cli().run(['changes', ...args]);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(says);
  });

  test('--account shows the changes of another account', async () => {
    await cli().ask(['accounts', 'add', 'sales']);
    expect(await summarize(['--account', 'sales'])).toEqual([]);
    const theirs = await openHistory(pools, { schedule: 'night', account: 'sales' });
    const changes = [{ kind: 'new', ad: 's', ranFrom: '2026-03-01' }] as const;
    await theirs.run({ day: '2026-03-01', observations: { 'd:nike.com': { changes } } });
    expect(await summarize(['night', '--account', 'sales'])).toEqual(['new s']);
    expect(await summarize(['night'])).not.toContain('new s');
  });
});

describe('after real scans', () => {
  const cli = useTestCli({ sample: false, inProcess: true });

  beforeAll(async () => {
    const pools = openTestPools(cli().environment['DATABASE_URL'] ?? '');
    const scans = await openTestScans(pools);
    const schedule = await scans.addSchedule('rivals', ['acme.com', 'globex.com'], { missesToEnd: 1 });
    await scans.addSchedule('idle', ['acme.com']);
    await scans.runScan(schedule, 0, { 'acme.com': foundAds(['a', 'b']), 'globex.com': foundAds(['g']) });
    await scans.runScan(schedule, 1, {
      'acme.com': foundAds([adOf('a', { format: 'Image' }), adOf('n', { start: scanDay(1) })]),
      'globex.com': foundAds(['g', adOf('late', { start: scanDay(-90) })]),
    });
    await scans.evaluate();
    await pools.close();
  });

  test('each company is listed with its changes and their certainty', async () => {
    const { stdout } = await cli().run(['changes', 'rivals']);
    expect(stdout).toMatch(/^1 new, 1 changed, 1 ended\.\n/);
    expect(stdout).toMatch(
      /^acme\.com\n(?: .*\n)* {2}changed: google:a, Image, .*\n {4}format: Text → Image\n/m,
    );
    expect(stdout).toMatch(new RegExp(`^ {2}ended, not seen in one scan: .*, until ${scanDay(0)}$`, 'm'));
    expect(stdout).toMatch(new RegExp(`^ {2}new: .*, since ${scanDay(1)}$`, 'm'));
    expect(stdout).not.toContain('globex.com');
  });

  test('ads that earlier scans missed are shown only with --all', async () => {
    const { stdout } = await cli().run(['changes', 'rivals', '--all', '--company', 'globex.com']);
    expect(stdout).toMatch(/^2 baseline\.\n/);
    expect(stdout).toMatch(new RegExp(`^ {2}baseline, missed earlier: .*, since ${scanDay(-90)}$`, 'm'));
  });

  test('a schedule without changes is one line', async () => {
    expect((await cli().run(['changes', 'idle'])).stdout).toBe(`No changes. ${addAll}`);
  });
});
