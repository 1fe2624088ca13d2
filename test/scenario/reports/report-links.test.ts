import { beforeAll, describe, expect, test } from 'vitest';
import { createToken, digestToken } from '../../../src/core/accounts/token.ts';
import { openTestPools } from '../../support/db/database.ts';
import { useTestCli } from '../../support/cli/test-cli.ts';

const baseUrl = 'https://nightshift.example.com';
const cli = useTestCli({ inProcess: true, settings: { NIGHTSHIFT_BASE_URL: baseUrl } });
const dayMs = 86_400_000;

interface Shared {
  readonly id: string;
  readonly link: string;
  readonly created: string;
  readonly expires: string;
}

let batch: string;

beforeAll(async () => {
  ({ id: batch } = (await cli().ask(['demo'])) as { id: string });
  cli().write('rivals.csv', 'domain\nnike.com\n');
  await cli().ask([
    ...['schedule', 'add', 'rivals', '--companies', 'rivals.csv'],
    ...['--cron', '0 2 * * *', '--source', 'sample'],
  ]);
});

describe('report --share', () => {
  test('prints a link to the report of a batch, and how to revoke it', async () => {
    const { exitCode, stdout, stderr } = await cli().run(['report', 'latest', '--share']);
    expect([exitCode, stdout.startsWith(`${baseUrl}/shared/reports/`)]).toEqual([0, true]);
    expect(stdout.trim()).toMatch(/\/[\w-]{43}$/);
    expect(stderr).toMatch(
      /Revoke it with: \S*(?:nightshift|nightshift\.js) report-links revoke rpl_[0-9a-f]{32}/,
    );
    expect(stderr).not.toContain(stdout.trim());
  });

  test('lasts 7 days, or as long as --days says', async () => {
    for (const [options, days] of [
      [[], 7],
      [['--days', '30'], 30],
    ] as const) {
      const shared = (await cli().ask(['report', batch, '--share', ...options])) as Shared;
      expect((Date.parse(shared.expires) - Date.parse(shared.created)) / dayMs).toBe(days);
      expect(shared).toMatchObject({ batch, state: 'active', opened: 0, created_by: 'cli' });
    }
  });

  test('stores the digest of the token', async () => {
    const { id, link } = (await cli().ask(['report', 'rivals', '--share'])) as Shared;
    const pools = openTestPools(cli().environment['DATABASE_URL'] ?? '');
    const { rows } = await pools.owner.pool.query<{ digest: Buffer }>(
      'SELECT digest FROM nightshift.report_links WHERE public_id = $1',
      [id],
    );
    await pools.close();
    expect(rows[0]?.digest.equals(digestToken(link.split('/').at(-1) ?? ''))).toBe(true);
    expect(createToken()).toHaveLength(43);
  });

  test.each([
    { args: ['latest', '--share', '--days', '0'], says: 'with --share, must be an integer from 1 to 90' },
    { args: ['latest', '--share', '--days', '91'], says: 'with --share, must be an integer from 1 to 90' },
    { args: ['latest', '--share', '-o', 'x.html'], says: '--share creates a link and writes no file' },
    { args: ['latest', '--share', '--images'], says: '--share creates a link and writes no file' },
    { args: ['unknown', '--share'], says: 'There is no schedule "unknown"' },
    { args: [`bat_${'f'.repeat(32)}`, '--share'], says: 'There is no batch' },
  ])('rejects $args', async ({ args, says }) => {
    const { exitCode, stdout, stderr } = await cli().run(['report', ...args]);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(says);
  });

  test('needs an address at which the service can be reached', async () => {
    const nowhere = { environment: { NIGHTSHIFT_BASE_URL: '' } };
    const { exitCode, stderr } = await cli().run(['report', batch, '--share'], nowhere);
    expect([exitCode, stderr.includes('Set NIGHTSHIFT_BASE_URL')]).toEqual([2, true]);
  });
});

describe('report-links', () => {
  test('lists the links of a report or of all, without the links themselves, and revokes them', async () => {
    const { id, link } = (await cli().ask(['report', 'rivals', '--share'])) as Shared;
    const ofSchedule = (await cli().ask(['report-links', 'list', 'rivals'])) as { id: string }[];
    expect(ofSchedule[0]).toMatchObject({ id, name: 'rivals', state: 'active', created_by: 'cli' });
    const all = (await cli().ask(['report-links'])) as { id: string }[];
    expect(all.length).toBeGreaterThan(ofSchedule.length);
    expect(JSON.stringify(all)).not.toContain(link.split('/').at(-1));
    const listed = await cli().run(['report-links', 'list', 'rivals']);
    expect(listed.stdout).toContain(id);

    expect(await cli().ask(['report-links', 'revoke', id])).toEqual({ id, revoked: true });
    expect(await cli().ask(['report-links', 'revoke', id])).toEqual({ id, revoked: true });
    const after = (await cli().ask(['report-links', 'list', 'rivals'])) as object[];
    expect(after[0]).toMatchObject({ id, state: 'revoked' });
    const unknown = await cli().run(['report-links', 'revoke', 'rpl_1']);
    expect([unknown.exitCode, unknown.stderr]).toEqual([
      2,
      expect.stringContaining('There is no link rpl_1.'),
    ]);
  });

  test('of another account are not found', async () => {
    const { id } = (await cli().ask(['report', batch, '--share'])) as Shared;
    await cli().ask(['accounts', 'add', 'other']);
    expect(await cli().ask(['report-links', '--account', 'other'])).toEqual([]);
    const empty = await cli().run(['report-links', '--account', 'other']);
    expect(empty.stdout).toContain('No links. Create one with:');
    for (const args of [
      ['report', batch, '--share'],
      ['report-links', 'list', batch],
      ['report-links', 'revoke', id],
    ])
      expect((await cli().run([...args, '--account', 'other'])).exitCode, args.join(' ')).toBe(2);
  });
});
