import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { findAccount } from '../../../db/stores/accounts/accounts.ts';
import { openTestPools } from '../../support/db/database.ts';
import { useTestCli } from '../../support/cli/test-cli.ts';
import { storeSchedule, writeHistory, type ScanHistory } from '../../support/history/write-history.ts';

const cli = useTestCli({ inProcess: true });
let history: ScanHistory;
let batch: string;

beforeAll(async () => {
  ({ id: batch } = (await cli().ask(['demo'])) as { id: string });
  const pools = openTestPools(cli().environment['DATABASE_URL'] ?? '');
  history = await writeHistory(pools.owner);
  const texts = (_place: string, plain: string) => plain;
  const accountId = await findAccount(pools.app.sql, 'default');
  const unused = {
    db: pools.owner.sql,
    accountId,
    texts,
    companies: [{ key: 'd:a.com', domain: 'a.com', name: 'A' }],
  };
  await storeSchedule(
    { ...unused, texts: (place) => (place === 'schedule' ? 'not yet run' : 'list.csv') },
    '7',
  );
  await pools.close();
});

async function text(...args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await cli().run(['report', ...args]);
  expect(exitCode, stderr).toBe(0);
  expect(stderr).toBe('');
  return stdout;
}

describe('batch report', () => {
  test('is an HTML page in a file, with counts of its content', async () => {
    const output = await cli().ask(['report', batch, '-o', 'report.html']);
    const page = cli().read('report.html');
    expect(output).toMatchObject({
      batch,
      output: 'report.html',
      format: 'html',
      bytes: Buffer.byteLength(page),
      counts: { rows: 60, rejected: 2, companies: 55, companies_shown: 55, ads: 563, ads_shown: 563 },
    });
    expect(page).toContain('Procter &amp; Gamble');
    expect(page.match(/<tr\s+data-company/g)).toHaveLength(563);
    expect(page).toContain('Sample data: these ads are generated, not real.');
  });

  test('is Markdown on stdout without a file, with up to 100 rows', async () => {
    const written = await text(batch);
    expect(written).toMatch(/^# Nightshift: companies\.csv\n/);
    expect(written).toContain('100 of 563 ads. Export all: `nightshift export');
    expect(written).toContain('| Spotify');
    expect(written.endsWith('|\n')).toBe(true);
  });

  test('is identical to the byte each time', async () => {
    for (const name of ['one.html', 'two.html', 'one.md', 'two.md']) await text(batch, '-o', name);
    expect(cli().read('two.html')).toBe(cli().read('one.html'));
    expect(cli().read('two.md')).toBe(cli().read('one.md'));
    expect(cli().read('one.md')).toBe(await text(batch));
    expect(cli().read('one.html')).toBe(await text(batch, '--format', 'html'));
  });
});

describe('schedule report', () => {
  test('is found by name and by id, and contains scans and changes', async () => {
    const written = await text('competitors');
    expect(await text(history.schedule.publicId)).toBe(written);
    expect(written).toContain(`- Active ads: ${history.active}\n`);
    expect(written).toContain(`Retry them: \`nightshift retry ${history.lastBatch}\``);
    expect(written).toMatch(/\| Nike +\| [▁▂▃▄▅▆▇█]{30} \| +\d+ \|/);
    const output = await cli().ask(['report', 'competitors', '-o', 'competitors.html']);
    expect(output).toMatchObject({
      schedule: 'competitors',
      counts: { scans: 30, companies: 7, ads_active: history.active, changes: history.news, failed: 1 },
    });
  });

  test('covers the given number of days', async () => {
    const { counts } = (await cli().ask(['report', 'competitors', '-o', 'week.md', '--days', '7'])) as {
      counts: { scans: number; changes: number };
    };
    expect(counts.scans).toBe(7);
    expect(counts.changes).toBeLessThan(history.news);
    expect(cli().read('week.md')).toContain('2026-01-28 to 2026-02-03');
  });

  test('has empty states before the first scan', async () => {
    const written = await text('not yet run');
    expect(written).toContain('No finished scan yet.');
    expect(written).toContain('No scans yet.');
    expect(await text('not yet run', '--format', 'html')).toContain('No results yet.');
  });
});

describe('report that fails writes nothing', () => {
  const files = () => readdirSync(cli().folder).sort();

  test.each([
    {
      args: ['unknown', '-o', 'x.html'],
      exitCode: 2,
      says: 'There is no schedule unknown. `nightshift schedule list`',
    },
    {
      args: [`bat_${'f'.repeat(32)}`, '-o', 'x.html'],
      exitCode: 2,
      says: '`nightshift status` lists all batches',
    },
    {
      args: ['competitors', '-o', 'x.pdf'],
      exitCode: 2,
      says: 'Unknown report format in "x.pdf". Use the extension .html or .md, or set --format.',
    },
    { args: ['competitors', '-o', 'nowhere/x.html'], exitCode: 2, says: 'its folder does not exist' },
    { args: ['competitors', '--days', '0'], exitCode: 2, says: 'must be an integer from 1 to 366' },
    { args: ['competitors', '--days', 'many'], exitCode: 2, says: 'must be an integer from 1 to 366' },
    {
      args: ['competitors', '--json'],
      exitCode: 2,
      says: '--json and the report both write to stdout. Name a file',
    },
    { args: ['competitors', '--format', 'pdf'], exitCode: 2, says: 'Allowed choices are html, md' },
    { args: ['competitors', '--account', 'unknown'], exitCode: 2, says: 'unknown' },
  ])('report $args', async ({ args, exitCode, says }) => {
    const before = files();
    const ended = await cli().run(['report', ...args]);
    expect(ended.stdout + ended.stderr).toContain(says);
    expect(ended.exitCode).toBe(exitCode);
    expect(files()).toEqual(before);
  });

  test('of another account is not found', async () => {
    await cli().ask(['accounts', 'add', 'other']);
    for (const named of ['competitors', history.schedule.publicId, batch]) {
      const ended = await cli().run(['report', named, '--account', 'other']);
      expect([ended.exitCode, ended.stdout]).toEqual([2, '']);
      expect(ended.stderr).toContain(`There is no ${named === batch ? 'batch' : 'schedule'} ${named}.`);
    }
  });

  test('keeps an earlier file unchanged', async () => {
    cli().write('kept.html', 'as it was');
    expect((await cli().run(['report', 'nobody', '-o', 'kept.html'])).exitCode).toBe(2);
    expect(cli().read('kept.html')).toBe('as it was');
  });
});
