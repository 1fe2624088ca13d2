import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { useTestCli, type RunOptions } from '../support/cli/test-cli.ts';
import { listCompanies, listFile } from '../support/faults/listed-companies.ts';
import { ownEnvironment, type EndedProcess } from '../support/cli/nightshift-process.ts';

/** Disks that are too small for a report of these rows; the smaller one also for a compressed report. */
const [diskKilobytes, smallDiskKilobytes] = [128, 16];
const rows = listCompanies(3_000, 'disk-full');
/** Some of them have ads in the sample, so that there are charges. */
const list = (name: string) => `${listFile(rows)}x1,${name},nike.com\nx2,,spotify.com\nx3,,telekom.de\n`;
const rowsInList = rows.length + 3;

const bin = join(import.meta.dirname, '../../src/cli/nightshift.js');
const unshare = findUnshare();
const why = unshare === null ? ' (not run: a tiny disk needs root, or user namespaces)' : '';

/** Files that a command left on the tiny disk. */
interface EndedOnDisk extends Omit<EndedProcess, 'stdoutBytes'> {
  readonly files: readonly string[];
}

describe.skipIf(unshare === null)(`full disk${why}`, () => {
  const api = useTestCli();

  /** Runs a command in the folder of the test CLI, where the folder `full` is the tiny disk, visible only to this command. */
  async function runOnTinyDisk(
    args: readonly string[],
    { kilobytes = diskKilobytes, ...options }: RunOptions & { readonly kilobytes?: number } = {},
  ): Promise<EndedOnDisk> {
    const { folder, environment } = api();
    mkdirSync(join(folder, 'full'), { recursive: true });
    const script = `mount -t tmpfs -o size=${kilobytes}k tmpfs full || exit 99
      "$@"; code=$?; find full ! -type d > left.txt; exit $code`;
    const child = spawn(
      'unshare',
      [...(unshare ?? []), 'sh', '-c', script, 'sh', process.execPath, bin, ...args],
      {
        cwd: folder,
        env: { ...ownEnvironment(), ...environment, ...options.environment },
      },
    );
    child.stdin.on('error', () => undefined).end(options.input ?? '');
    const [stdout, stderr] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    expect(child.exitCode, stderr).not.toBe(99);
    const files = api()
      .read('left.txt')
      .split('\n')
      .filter((name) => name !== '');
    return { exitCode: child.exitCode, stdout, stderr, files };
  }

  /** Enriches a file completely. Returns the report. */
  async function enrich(name: string) {
    api().write(`${name}.csv`, list(name));
    const args = ['enrich', `${name}.csv`, '--source', 'sample', '-o', `${name}-out.csv`];
    const { id: batch } = (await api().ask(args)) as { id: string };
    return { batch, report: readFileSync(join(api().folder, `${name}-out.csv`)) };
  }

  async function expectVerified(): Promise<void> {
    expect(await api().ask(['verify'])).toMatchObject({ holds: true });
  }

  test.each([
    ['csv', 'rows', diskKilobytes],
    ['ndjson', 'ads', diskKilobytes],
    ['json', 'variants', diskKilobytes],
    ['parquet', 'variants', smallDiskKilobytes],
    ['xlsx', 'ads', smallDiskKilobytes],
  ])(
    'makes an export to %s by %s fail without a file, and the export works elsewhere',
    async (format, shape, kilobytes) => {
      const { batch, report } = await enrich(`export-${format}`);
      const target = `full/out.${format}`;
      const ended = await runOnTinyDisk(['export', batch, '--shape', shape, '-o', target], { kilobytes });
      expect(ended.exitCode).toBe(2);
      expect(ended.stderr).toContain(`Cannot write ${target}: no space is left. Free some`);
      expect([ended.stdout, ended.files]).toEqual(['', []]);

      await api().ask(['export', batch, '-o', 'again.csv']);
      expect(readFileSync(join(api().folder, 'again.csv')).equals(report)).toBe(true);
      await expectVerified();
    },
  );

  test('does not lose results of enrich: the same command with another output writes them free of charge', async () => {
    api().write('night.csv', list('night'));
    const ended = await runOnTinyDisk(['enrich', 'night.csv', '--source', 'sample', '-o', 'full/out.csv']);
    expect(ended.exitCode).toBe(2);
    expect(ended.stderr).toContain('Cannot write full/out.csv: no space is left. Free some');
    expect([ended.stdout, ended.files]).toEqual(['', []]);

    const before = await api().ask(['credits']);
    const args = ['enrich', 'night.csv', '--source', 'sample', '-o', 'night-out.csv'];
    const { credits, ...batch } = (await api().ask(args)) as { credits: { charged: number } };
    expect(batch).toMatchObject({ state: 'finished' });
    expect(credits.charged).toBeGreaterThan(0);
    expect(await api().ask(['credits'])).toEqual(before);
    const lines = parse(api().read('night-out.csv'), { columns: true, bom: true });
    expect(lines).toHaveLength(rowsInList);
    await expectVerified();
  });

  test('rejects a file from standard input, and loads nothing of it', async () => {
    const before = await api().ask(['status']);
    const ended = await runOnTinyDisk(['load', '-', '--source', 'sample'], {
      environment: { NIGHTSHIFT_HOME: join(api().folder, 'full') },
      input: list('piped').repeat(2),
    });
    expect(ended.exitCode).toBe(2);
    expect(ended.stderr).toContain(`${join(api().folder, 'full', 'input')} has no space left`);
    expect(ended.stderr).toContain('NIGHTSHIFT_HOME');
    expect([ended.stdout, ended.files]).toEqual(['', []]);
    expect(await api().ask(['status'])).toEqual(before);
    await expectVerified();
  });
});

/** Options that create a mount namespace on this machine: as root, or as an ordinary user with a user namespace. */
function findUnshare(): readonly string[] | null {
  const ways = [['-m'], ['-rm']];
  const probe = 'mount -t tmpfs -o size=64k tmpfs /mnt';
  return ways.find((way) => spawnSync('unshare', [...way, 'sh', '-c', probe]).status === 0) ?? null;
}
