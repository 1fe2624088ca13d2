import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ageRecord } from '../../support/db/age-record.ts';
import { openTestPools } from '../../support/db/database.ts';
import { useTestCli, type TestCli } from '../../support/cli/test-cli.ts';

interface PurgeBody {
  readonly dry_run: boolean;
  readonly kinds: readonly { readonly kind: string; readonly counts: Readonly<Record<string, number>> }[];
  readonly unseen_ads: { readonly versions: number; readonly ads: number } | null;
  readonly kept_for_ever: readonly string[];
}

/** Ages all stored data by a number of days. */
async function ageData(cli: TestCli, days: number): Promise<void> {
  const pools = openTestPools(cli.environment['DATABASE_URL'] ?? '');
  onTestFinished(() => pools.close());
  await ageRecord(pools, days);
}

async function enrich(cli: TestCli, name: string, list: string): Promise<string> {
  cli.write(`${name}.csv`, list);
  const args = ['enrich', `${name}.csv`, '--source', 'sample', '-o', `${name}-out.csv`];
  return ((await cli.ask(args)) as { id: string }).id;
}

describe('nightshift purge', () => {
  const cli = useTestCli({ inProcess: true });
  let old = '';
  let young = '';

  const purge = async (...args: readonly string[]) => (await cli().ask(['purge', ...args])) as PurgeBody;

  beforeAll(async () => {
    old = await enrich(cli(), 'old', 'company,website\nNike,nike.com\nNobody We Know,\nn/a,\n');
    const pools = openTestPools(cli().environment['DATABASE_URL'] ?? '');
    await ageRecord(pools, 400);
    await pools.close();
    young = await enrich(cli(), 'young', 'company,website\nSpotify,spotify.com\n');
  });

  test('previews with --dry-run, deletes the same, and verify finds no broken invariant', async () => {
    await cli().ask(['export', young, '-o', 'before.parquet', '--shape', 'variants']);
    const would = await purge('--older-than', '365d', '--dry-run');
    expect(would).toMatchObject({ dry_run: true, kept_for_ever: [] });
    expect(would.kinds.find(({ kind }) => kind === 'batches')?.counts).toMatchObject({
      batches: 1,
      rows: 3,
      lookups: 2,
    });
    expect(await cli().ask(['status', old])).toMatchObject({ purged_at: null });

    const { exitCode, stdout } = await cli().run(['purge', '--older-than', '365d', '--dry-run']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('1 batches, 3 rows, 2 lookups');
    expect(stdout).toContain('Nothing was deleted. The ledger is always kept.');

    const went = await purge('--older-than', '365d');
    expect(went.kinds.map(({ counts }) => counts)).toEqual(would.kinds.map(({ counts }) => counts));
    expect(await cli().ask(['verify'])).toMatchObject({ holds: true });
    expect(await cli().ask(['status', old])).toMatchObject({
      state: 'finished',
      rows: { total: 3 },
      credits: { charged: 0.2 },
      purged_at: expect.stringMatching(/^\d{4}-/) as string,
    });
    await cli().ask(['export', young, '-o', 'after.parquet', '--shape', 'variants']);
    expect(cli().read('after.parquet')).toBe(cli().read('before.parquet'));

    const again = await purge('--older-than', '365d');
    expect(again.kinds.flatMap(({ counts }) => Object.values(counts)).every((count) => count === 0)).toBe(
      true,
    );
  });

  test('an export of a purged batch is an error with the date, and leaves no file', async () => {
    for (const format of ['csv', 'parquet', 'xlsx']) {
      const target = `gone.${format}`;
      const { exitCode, stdout, stderr } = await cli().run(['export', old, '-o', target]);
      expect([exitCode, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(new RegExp(`${old} was purged on \\d{4}-\\d\\d-\\d\\d`));
      expect(existsSync(join(cli().folder, target))).toBe(false);
    }
    const { stdout } = await cli().run(['status', old]);
    expect(stdout).toMatch(/^Purged {5}\d{4}-\d\d-\d\d: its rows and results are deleted$/m);
  });

  test('a purged file is looked up again', async () => {
    const batch = await enrich(cli(), 'old', readFileSync(join(cli().folder, 'old.csv'), 'utf8'));
    expect(batch).not.toBe(old);
    expect(cli().read('old-out.csv')).toContain('found');
  });

  test('without --older-than, the settings apply, and kinds kept forever are listed', async () => {
    await ageData(cli(), 40);
    const environment = { NIGHTSHIFT_KEEP_BATCHES_DAYS: '30' };
    const would = (await cli().ask(['purge', '--dry-run'], { environment })) as PurgeBody;
    expect(would.kinds.map(({ kind }) => kind)).toEqual(['batches', 'raw_responses']);
    expect(would.kinds[0]?.counts).toMatchObject({ batches: 2 });
    expect(would.kept_for_ever).toEqual(['addresses', 'searches', 'scans', 'calls', 'events']);
    const { stdout } = await cli().run(['purge', '--dry-run'], { environment });
    expect(stdout).toContain('Kept forever: addresses, searches, scans, calls, events.');
    const { exitCode, stderr } = await cli().run(['purge', '--kind', 'batches']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('No retention period is set, so batches are kept forever');
    expect(stderr).toContain('--older-than 365d');
  });

  test('--kind and --account restrict the purge', async () => {
    await cli().ask(['accounts', 'add', 'others']);
    const theirs = await purge('--older-than', '30d', '--account', 'others');
    expect(theirs.kinds.flatMap(({ counts }) => Object.values(counts)).every((count) => count === 0)).toBe(
      true,
    );
    const searches = await purge('--older-than', '30d', '--kind', 'searches, calls');
    expect(searches.kinds.map(({ kind }) => kind)).toEqual(['searches', 'calls']);
    expect(await cli().ask(['status', young])).toMatchObject({ purged_at: null });
    await purge('--older-than', '30d', '--account', 'default', '--kind', 'batches');
    expect(await cli().ask(['status', young])).toMatchObject({ purged_at: expect.any(String) as string });
    expect(await cli().ask(['verify'])).toMatchObject({ holds: true });
  });

  test.each([
    { args: ['--older-than', '23h'], says: 'must be at least 1d' },
    { args: ['--older-than', 'soon'], says: 'write minutes, hours or days' },
    {
      args: ['--older-than', '30d', '--kind', 'ledger'],
      says: 'Known kinds: batches, addresses',
    },
    { args: ['--older-than', '30d', '--account', 'unknown'], says: 'There is no account "unknown"' },
  ])('$args is rejected with a remedy', async ({ args, says }) => {
    const { exitCode, stdout, stderr } = await cli().run(['purge', ...args]);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(says);
  });
});
