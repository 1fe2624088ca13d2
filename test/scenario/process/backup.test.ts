import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestCli, type TestCli } from '../../support/cli/test-cli.ts';

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

  test('verify names the invariants that hold in the backup', async () => {
    const { stdout, exitCode } = await cli.run(['backup', 'verify']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('holds');
  });

  test('a restore leaves present data alone, and replaces it on demand', async () => {
    await cli.ask(['load', 'list.csv', '--source', 'sample']);
    const names = async () => {
      const { batches } = (await cli.ask(['status'])) as { batches: readonly { name: string }[] };
      return batches.map(({ name }) => name).sort();
    };
    const before = await names();
    expect(before).toContain('list.csv');
    await cli.run(['stop', '--force']);

    const kept = await cli.run(['restore', './other/archive']);
    expect(kept.exitCode).toBe(2);
    expect(kept.stderr).toContain('--replace');
    expect(await names()).toEqual(before);
    await cli.run(['stop', '--force']);

    const moment = await cli.run(['restore', './other/archive', '--replace', '--to', 'yesterday']);
    expect(moment.exitCode).toBe(2);
    expect(moment.stderr).toContain('--to yesterday: write a day and a time');

    const restored = await cli.run(['restore', './other/archive', '--replace']);
    expect(restored.exitCode, restored.stderr).toBe(0);
    expect(restored.stdout).toMatch(/The earlier data is kept in (\S+)\./);
    expect(await names()).toEqual(before.filter((name) => name !== 'list.csv'));
    const verified = await cli.run(['verify']);
    expect(verified.exitCode, verified.stdout).toBe(0);
    // A copy never writes into the archive of the original.
    expect((await cli.run(['backup', 'list'])).stderr).toContain('There is no archive yet.');
  });

  test('off stops archiving, and keeps the files', async () => {
    await cli.ask(['backup', './archive']);
    expect((await cli.run(['backup', 'off'])).stdout).toContain('The files in the archive stay.');
    expect((await cli.run(['backup', 'off'])).stdout).toContain('There is no archive.');
    expect(readdirSync(join(cli.folder, 'archive'))).not.toEqual([]);
  });
});
