import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { TestContext } from 'vitest';
import { Misconfigured, ValidationError } from '../../../../../src/core/errors.ts';
import type { Report } from '../../../../../src/reporter/formats/report-row.ts';
import { writeReport } from '../../../../../src/reporter/export/write-report.ts';
import { about, columns, namesIn, reportOf, temporaryFolder } from '../sample-report.ts';

const isRoot = process.geteuid?.() === 0;

test.each(['out.csv', 'out.csv.gz', 'out.ndjson', 'out.json'])(
  'a failed export to %s leaves no files',
  async (name) => {
    const folder = await temporaryFolder();
    const lost = Object.assign(new Error('connection lost'), { code: 'ENOENT' });
    const fail = async (block: number): Promise<void> => {
      if (block < 30) return;
      expect(await namesIn(folder)).toHaveLength(1);
      throw lost;
    };
    const writing = writeReport(reportOf(50_000, 1_000, fail), {
      format: 'csv',
      target: join(folder, name),
      about,
    });
    await expect(writing).rejects.toBe(lost);
    expect(await namesIn(folder)).toEqual([]);
  },
);

test('a failed export keeps the earlier report and its manifest', async () => {
  const folder = await temporaryFolder();
  const target = join(folder, 'out.csv');
  await writeReport(reportOf(5, 5), { format: 'csv', target, about });
  const earlier = [await readFile(target), await readFile(`${target}.manifest.json`)];
  const fail = (block: number): void => {
    if (block === 9) throw new Error('killed');
  };
  await expect(writeReport(reportOf(10, 1, fail), { format: 'csv', target, about })).rejects.toThrow(
    'killed',
  );
  expect([await readFile(target), await readFile(`${target}.manifest.json`)]).toEqual(earlier);
  expect(await namesIn(folder)).toEqual(['out.csv', 'out.csv.manifest.json']);
});

test.each([0, 7, 9])('an abort at block %i leaves no files and ends the source', async (at) => {
  const folder = await temporaryFolder();
  const stop = new AbortController();
  let last = 0;
  const onBlock = (block: number): void => {
    last = block;
    if (block === at) stop.abort(new Error('Ctrl-C'));
  };
  const options = { format: 'csv', target: join(folder, 'out.csv'), about, signal: stop.signal } as const;
  await expect(writeReport(reportOf(10, 1, onBlock), options)).rejects.toThrow('Ctrl-C');
  expect(last).toBe(at);
  expect(await namesIn(folder)).toEqual([]);
});

test('an export with an aborted signal reads and writes nothing', async () => {
  const folder = await temporaryFolder();
  const signal = AbortSignal.abort(new Error('Ctrl-C'));
  const read = (): void => expect.unreachable('a block was read');
  const options = { format: 'csv', target: join(folder, 'out.csv'), about, signal } as const;
  await expect(writeReport(reportOf(10, 1, read), options)).rejects.toThrow('Ctrl-C');
  expect(await namesIn(folder)).toEqual([]);
});

/** Expects a rejection before the report is read. */
async function expectRejected(target: string, message: string) {
  const read = (): void => expect.unreachable('a block was read');
  const writing = writeReport(reportOf(1, 1, read), { format: 'csv', target, about });
  const rejected: unknown = await writing.then(String, (error: unknown) => error);
  expect(String(rejected)).toContain(message);
  expect(String(rejected)).toContain(target);
  return rejected;
}

test('a missing folder, a folder, a file as a folder and a name that is too long are rejected with a remedy', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'file'), '');
  const rejected = [
    await expectRejected(join(folder, 'missing', 'out.csv'), 'Create the folder or name another'),
    await expectRejected(folder, 'Name a file in it'),
    await expectRejected(join(folder, 'file', 'out.csv'), 'Name another folder'),
    await expectRejected(join(folder, `${'n'.repeat(300)}.csv`), 'Use a shorter one'),
  ];
  for (const error of rejected) expect(error).toBeInstanceOf(ValidationError);
  expect(await namesIn(folder)).toEqual(['file']);
});

test('a .gz name for a compressed format is rejected', async () => {
  const folder = await temporaryFolder();
  const read = (): void => expect.unreachable('a block was read');
  const target = join(folder, 'out.gz');
  const writing = writeReport(reportOf(1, 1, read), { format: 'parquet', target, about });
  await expect(writing).rejects.toThrow('Leave the .gz away');
  expect(await namesIn(folder)).toEqual([]);
});

test('a device is rejected, not replaced', async () => {
  const rejected = await expectRejected('/dev/null', 'standard output');
  expect(rejected).toBeInstanceOf(ValidationError);
  expect((await stat('/dev/null')).isCharacterDevice()).toBe(true);
});

test('a folder in place of the manifest is rejected, and no report is written', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'out.csv.manifest.json'));
  const writing = writeReport(reportOf(1, 1), { format: 'csv', target: join(folder, 'out.csv'), about });
  await expect(writing).rejects.toThrow('out.csv.manifest.json is a folder');
  expect(await namesIn(folder)).toEqual(['out.csv.manifest.json']);
});

test('a folder without write permission is rejected with a remedy', async () => {
  const folder = await temporaryFolder();
  await chmod(folder, 0o555);
  // Root may write anywhere: a test as root switches to another user.
  if (isRoot) process.seteuid?.(65_534);
  try {
    const rejected = await expectRejected(
      join(folder, 'out.csv'),
      'Name another folder, or have the permission',
    );
    expect(rejected).toBeInstanceOf(Misconfigured);
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});

/** Mounts a disk that fills up. Only root can mount one, so the test is skipped for other users. */
async function tinyDisk(context: TestContext, options: string): Promise<string> {
  const folder = await temporaryFolder();
  const disk = join(folder, 'disk');
  await mkdir(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk], { stdio: 'ignore' });
  } catch {
    context.skip('needs a tiny tmpfs, which only root may mount');
  }
  onTestFinished(() => void execFileSync('umount', [disk]));
  return disk;
}

/** Creates a report that is larger than any tiny disk, even compressed. Calls `onEnd` when its source ends. */
function hugeReport(onEnd: () => void): Report {
  async function* blocks() {
    try {
      for (let block = 0; block < 200; block += 1) yield [[randomBytes(16_384).toString('base64'), block]];
    } finally {
      onEnd();
    }
  }
  return { columns, blocks: blocks() };
}

test.for(['out.csv', 'out.csv.gz'])(
  'a disk that fills up during the export to %s keeps the earlier file, and the error has a remedy',
  async (name, context) => {
    const disk = await tinyDisk(context, 'size=256k');
    await writeFile(join(disk, name), 'earlier');
    let ended = false;
    const report = hugeReport(() => (ended = true));
    const writing = writeReport(report, { format: 'csv', target: join(disk, name), about });
    const failed: unknown = await writing.catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(Misconfigured);
    expect(String(failed)).toContain('no space is left. Free some');
    expect(ended).toBe(true);
    expect(await namesIn(disk)).toEqual([name]);
    expect(await readFile(join(disk, name), 'utf8')).toBe('earlier');
  },
);

test('an export without space for the manifest writes no report', async (context) => {
  // Two nodes: the disk's own folder and one file.
  const disk = await tinyDisk(context, 'size=256k,nr_inodes=2');
  const target = join(disk, 'out.csv');
  await expect(writeReport(reportOf(1, 1), { format: 'csv', target, about })).rejects.toThrow(
    `Cannot write ${target}.manifest.json: no space is left`,
  );
  expect(await namesIn(disk)).toEqual([]);
});
