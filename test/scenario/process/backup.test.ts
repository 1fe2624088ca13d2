import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Environment } from '../../support/cli/nightshift-process.ts';
import { openTestCli, useTestCli, type TestCli } from '../../support/cli/test-cli.ts';

let cli: TestCli;

beforeAll(async () => {
  cli = openTestCli({}, { inProcess: true });
  // As root, Postgres runs as another user: without access to this folder, its data would be in another one.
  chmodSync(cli.folder, 0o755);
  cli.write('list.csv', 'website\nnorthwind.com\n');
  await cli.ask(['demo']);
});

afterAll(async () => {
  await cli.run(['stop', '--force']);
  await cli.close();
});

describe('before there is an archive', () => {
  test.each([[['backup']], [['backup', 'list']], [['backup', 'verify']]])('%j asks for one', async (args) => {
    const { exitCode, stderr } = await cli.run(args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('There is no archive yet. Name a folder or bucket');
  });

  test.each([[['backup', 'list', 'gone']], [['backup', 'verify', './gone']], [['restore', 'gone']]])(
    '%j says that the folder does not exist',
    async (args) => {
      const { exitCode, stderr } = await cli.run(args);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(
        `There is no archive in ${join(cli.folder, 'gone')}: the folder does not exist.`,
      );
    },
  );

  test('a command with a typing error is not taken for a new folder', async () => {
    const { exitCode, stderr } = await cli.run(['backup', 'lst']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('"lst" is not a command of `backup` (list, verify, off)');
    expect(stderr).toContain('write ./lst');
    expect(existsSync(join(cli.folder, 'lst'))).toBe(false);
  });

  test.each([[['backup', 'list', './empty']], [['backup', 'verify', './empty']], [['restore', './empty']]])(
    '%j rejects a folder that is no archive',
    async (args) => {
      mkdirSync(join(cli.folder, 'empty'), { recursive: true });
      const { exitCode, stderr } = await cli.run(args);
      expect(exitCode).toBe(1);
      expect(stderr).toContain(
        'The archive has no archive.json: its disk is not mounted, its location or prefix',
      );
    },
  );

  test('a folder in the home is rejected, because it would be lost with it', async () => {
    const { settings } = (await cli.ask(['config'])) as {
      settings: readonly { name: string; value: string }[];
    };
    const home = settings.find(({ name }) => name === 'NIGHTSHIFT_HOME')?.value ?? '';
    const { exitCode, stderr } = await cli.run(['backup', join(home, 'backups')]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('is in the home folder of the database, with which it would be lost');
  });

  test.each([
    [['backup', './archive', '--keep', 'none'], '--keep none: write a number from 1 to 1000.'],
    [['backup', './archive', '--every', 'day'], '--every'],
    [['backup', 'https://example.com/archive'], 'An archive is a folder, s3://bucket/prefix or'],
  ])('%j is rejected', async (args, message) => {
    const { exitCode, stderr } = await cli.run(args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(existsSync(join(cli.folder, 'archive'))).toBe(false);
  });
});

describe('with an archive', () => {
  test('in a folder that exists, or in a new one, a backup is listed', async () => {
    mkdirSync(join(cli.folder, 'archive'));
    expect(await cli.ask(['backup', 'archive'])).toMatchObject({
      archive: join(cli.folder, 'archive'),
      backup: { postgres_major: 18 },
    });
    const { stdout, exitCode } = await cli.run(['backup', './other/archive']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Backup \w+: \d+ MB, [\d.]+ MB in the archive\. Later backups: /);
    // Without a location, the archive of the last backup.
    expect(await cli.ask(['backup', 'list'])).toMatchObject({
      archive: join(cli.folder, 'other', 'archive'),
      backups: [{ postgres_major: 18 }],
    });
    const listed = await cli.run(['backup', 'list', 'archive']);
    expect(listed.stdout).toMatch(/│ backup +│ complete +│ Postgres │ size +│ stored +│/);
  });

  test('an archive of another server is rejected, and the present one stays', async () => {
    mkdirSync(join(cli.folder, 'foreign'));
    cli.write('foreign/archive.json', '{"format":1,"systemId":"7400000000000000001"}');
    const { exitCode, stderr } = await cli.run(['backup', './foreign']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('The archive is that of another server.');
    expect(readdirSync(join(cli.folder, 'foreign'))).toEqual(['archive.json']);
    expect(await cli.ask(['backup', 'list'])).toMatchObject({
      archive: join(cli.folder, 'other', 'archive'),
    });
  });

  test('a backup that cannot be read is listed with the reason', async () => {
    const folder = join('other', 'archive', 'backups', '20200101T000000Z');
    mkdirSync(join(cli.folder, folder));
    cli.write(join(folder, 'manifest.json'), '{"format":');
    expect(await cli.ask(['backup', 'list'])).toMatchObject({
      backups: [{ postgres_major: 18 }],
      unreadable: [{ id: '20200101T000000Z', reason: expect.stringContaining('it is not JSON') as unknown }],
    });
    const { stdout, exitCode } = await cli.run(['backup', 'list']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      'The backup 20200101T000000Z cannot be read: backups/20200101T000000Z/manifest.json is',
    );
    rmSync(join(cli.folder, folder), { recursive: true });
  });

  test('verify names the invariants that hold in the backup', async () => {
    const { stdout, exitCode } = await cli.run(['backup', 'verify']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('holds');
  });

  test('verify removes what a killed one has left in the temporary folder', async () => {
    const list = (pid: number | string) =>
      readdirSync(tmpdir()).filter((name) => name.startsWith(`nightshift-verify.tmp-${pid}-`));
    const killed = cli.start(['backup', 'verify']);
    await vi.waitUntil(() => list(killed.pid).length > 0, { timeout: 60_000 });
    await killed.kill();
    expect(list(killed.pid)).toHaveLength(1);
    expect((await cli.run(['backup', 'verify'])).exitCode).toBe(0);
    expect([...list(killed.pid), ...list(process.pid)]).toEqual([]);
  });

  test('a restore leaves present data alone, and replaces it on demand', async () => {
    const moment = new Date().toISOString();
    await cli.ask(['load', 'list.csv', '--source', 'sample']);
    const names = async (environment: Environment = {}) => {
      const { batches } = (await cli.ask(['status'], { environment })) as {
        batches: readonly { name: string }[];
      };
      return batches.map(({ name }) => name).sort();
    };
    const before = await names();
    expect(before).toContain('list.csv');
    await cli.run(['stop', '--force']);
    // The stop carries the last changes to the archive.
    const environment = { NIGHTSHIFT_HOME: join(cli.folder, 'elsewhere') };
    await cli.ask(['restore', './other/archive'], { environment });
    expect(await names(environment)).toEqual(before);
    await cli.run(['stop', '--force'], { environment });

    const kept = await cli.run(['restore', './other/archive']);
    expect(kept.exitCode).toBe(2);
    expect(kept.stderr).toContain('--replace');
    expect(await names()).toEqual(before);
    await cli.run(['stop', '--force']);

    for (const to of ['yesterday', '2026-11-22', '2026-02-30 10:00']) {
      const rejected = await cli.run(['restore', './other/archive', '--replace', '--to', to]);
      expect(rejected.exitCode).toBe(2);
      expect(rejected.stderr).toContain(`--to ${to}: write a day and a time`);
    }

    const restored = await cli.run(['restore', './other/archive', '--replace', '--to', moment]);
    expect(restored.exitCode, restored.stderr).toBe(0);
    expect(restored.stdout).toMatch(
      /^Restored \S+ to [-\dT:]+[-+]\d\d:\d\d \([-\d :]+ UTC\) from the backup /,
    );
    expect(restored.stdout).toMatch(/The earlier data is kept in (\S+)\./);
    expect(await names()).toEqual(before.filter((name) => name !== 'list.csv'));
    const verified = await cli.run(['verify']);
    expect(verified.exitCode, verified.stdout).toBe(0);
    // A copy never writes into the archive of the original.
    expect((await cli.run(['backup', 'list'])).stderr).toContain('There is no archive yet.');
    expect((await cli.run(['backup', './other/archive'])).stderr).toContain('add --take-over');
    const taken = await cli.run(['backup', './other/archive', '--take-over']);
    expect(taken.exitCode, taken.stderr).toBe(0);
    expect(await cli.ask(['backup', 'list'])).toMatchObject({ backups: [{}, {}] });
  });

  test('a batch that has finished is in the archive when the command ends, or with the next one', async () => {
    const enrich = async (name: string) => {
      cli.write(`${name}.csv`, `website\n${name}.example.com\n`);
      const { exitCode, stderr } = await cli.run(['enrich', `${name}.csv`, '--source', 'sample']);
      expect(exitCode, stderr).toBe(0);
      return stderr;
    };
    renameSync(join(cli.folder, 'other'), join(cli.folder, 'away'));
    expect(await enrich('first-run')).toContain('the last changes have not reached the archive');
    renameSync(join(cli.folder, 'away'), join(cli.folder, 'other'));
    await enrich('second-run');
    const environment = { NIGHTSHIFT_HOME: join(cli.folder, 'after-runs') };
    // The server of the original runs on: what is not in the archive is not restored.
    await cli.ask(['restore', './other/archive'], { environment });
    const { batches } = (await cli.ask(['status'], { environment })) as {
      batches: readonly { name: string; state: string }[];
    };
    for (const name of ['first-run.csv', 'second-run.csv'])
      expect(batches).toContainEqual(expect.objectContaining({ name, state: 'finished' }));
    await cli.run(['stop', '--force'], { environment });
  });

  test('an archive that is away does not keep the server from stopping', async () => {
    renameSync(join(cli.folder, 'other'), join(cli.folder, 'away'));
    expect(await cli.ask(['stop', '--force'])).toMatchObject({
      stopped: true,
      unshipped: expect.stringContaining('archive') as unknown,
    });
    await cli.ask(['status']);
    const { exitCode, stdout, stderr } = await cli.run(['stop', '--force']);
    expect([exitCode, stdout]).toEqual([0, 'The private server has stopped. Its data is kept.\n']);
    expect(stderr).toMatch(/The last changes have not reached the archive: .* They stay in \S+postgres-18/);
    renameSync(join(cli.folder, 'away'), join(cli.folder, 'other'));
  });

  test('off stops archiving, and keeps the files', async () => {
    await cli.ask(['backup', './third']);
    expect((await cli.run(['backup', 'off'])).stdout).toContain('The files in the archive stay.');
    expect((await cli.run(['backup', 'off'])).stdout).toContain('There is no archive.');
    expect(readdirSync(join(cli.folder, 'third'))).not.toEqual([]);
  });
});

describe('on a server of your own', () => {
  const own = useTestCli({ inProcess: true, sample: false });

  test('the archive has the calls only, which a restore reads back', async () => {
    const { stdout } = await own().run(['backup', './calls']);
    expect(stdout).toContain('Back up your Postgres server with its own tools');
    expect(readdirSync(join(own().folder, 'calls'))).toEqual(['archive.json']);
    const restored = await own().run(['restore', './calls']);
    expect(restored.exitCode, restored.stderr).toBe(0);
    expect(restored.stdout).toContain('No later call to a source is in the archive.');
    // It is the same database: its tools have restored it in place.
    expect((await own().run(['backup', './calls'])).exitCode).toBe(0);
  });

  test('a restore to a moment is left to its own tools', async () => {
    const { exitCode, stderr } = await own().run(['restore', './calls', '--to', '2026-11-22 02:13']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('restore that server with its own tools');
  });

  test.each([
    ['--every', '1d'],
    ['--keep', '3'],
  ])('%s is rejected: nothing is backed up', async (...term) => {
    const { exitCode, stderr } = await own().run(['backup', './other', ...term]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--every and --keep are for backups of the private server');
    expect(existsSync(join(own().folder, 'other'))).toBe(false);
  });

  test('a restore from a folder that is no archive changes nothing', async () => {
    await own().ask(['backup', './calls']);
    mkdirSync(join(own().folder, 'empty'));
    const { exitCode, stderr } = await own().run(['restore', './empty']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('The archive has no archive.json');
    expect(await own().ask(['backup', 'list'])).toMatchObject({ archive: join(own().folder, 'calls') });
  });

  test('the archive of another database is rejected, and goes on with this one on demand', async () => {
    await own().ask(['backup', './calls']);
    own().write('calls/archive.json', '{"format":1,"systemId":"7400000000000000001-5"}');
    for (const args of [
      ['backup', './calls'],
      ['restore', './calls'],
    ]) {
      const { exitCode, stderr } = await own().run(args);
      expect(exitCode).toBe(2);
      expect(stderr).toContain('The archive is that of another database.');
      expect(stderr).toContain('`nightshift backup --take-over` with its location');
    }
    expect((await own().run(['backup', '--take-over'])).exitCode).toBe(0);
    expect((await own().run(['restore', './calls'])).exitCode).toBe(0);
  });
});
