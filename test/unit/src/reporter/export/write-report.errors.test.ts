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
  'an export to %s that ends in the middle leaves nothing behind',
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

test('after an error the earlier report and its manifest are as they were', async () => {
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

test.each([0, 7, 9])('an abort at block %i leaves nothing behind and ends the source', async (at) => {
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

test('what is aborted already reads and writes nothing', async () => {
  const folder = await temporaryFolder();
  const signal = AbortSignal.abort(new Error('Ctrl-C'));
  const read = (): void => expect.unreachable('a block was read');
  const options = { format: 'csv', target: join(folder, 'out.csv'), about, signal } as const;
  await expect(writeReport(reportOf(10, 1, read), options)).rejects.toThrow('Ctrl-C');
  expect(await namesIn(folder)).toEqual([]);
});

/** Expects a refusal before anything of the report is read. */
async function expectRefused(target: string, message: string) {
  const read = (): void => expect.unreachable('a block was read');
  const writing = writeReport(reportOf(1, 1, read), { format: 'csv', target, about });
  const refused: unknown = await writing.then(String, (error: unknown) => error);
  expect(String(refused)).toContain(message);
  expect(String(refused)).toContain(target);
  return refused;
}

test('a missing folder, a folder, a file as a folder and an endless name are refused with what to do', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'file'), '');
  const refused = [
    await expectRefused(join(folder, 'missing', 'out.csv'), 'Create the folder or name another'),
    await expectRefused(folder, 'Name a file in it'),
    await expectRefused(join(folder, 'file', 'out.csv'), 'Name another folder'),
    await expectRefused(join(folder, `${'n'.repeat(300)}.csv`), 'Use a shorter one'),
  ];
  for (const error of refused) expect(error).toBeInstanceOf(ValidationError);
  expect(await namesIn(folder)).toEqual(['file']);
});

test('a name that would compress what is compressed is refused', async () => {
  const folder = await temporaryFolder();
  const read = (): void => expect.unreachable('a block was read');
  const target = join(folder, 'out.gz');
  const writing = writeReport(reportOf(1, 1, read), { format: 'parquet', target, about });
  await expect(writing).rejects.toThrow('Leave the .gz away');
  expect(await namesIn(folder)).toEqual([]);
});

test('a device is refused, not replaced', async () => {
  const refused = await expectRefused('/dev/null', 'standard output');
  expect(refused).toBeInstanceOf(ValidationError);
  expect((await stat('/dev/null')).isCharacterDevice()).toBe(true);
});

test('a folder in the place of the manifest is refused, and no report appears', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'out.csv.manifest.json'));
  const writing = writeReport(reportOf(1, 1), { format: 'csv', target: join(folder, 'out.csv'), about });
  await expect(writing).rejects.toThrow('out.csv.manifest.json is a folder');
  expect(await namesIn(folder)).toEqual(['out.csv.manifest.json']);
});

test('a folder that may only be read is refused with what to do', async () => {
  const folder = await temporaryFolder();
  await chmod(folder, 0o555);
  // Root may write anywhere, so as root this test becomes somebody else for a moment.
  if (isRoot) process.seteuid?.(65_534);
  try {
    const refused = await expectRefused(
      join(folder, 'out.csv'),
      'Name another folder, or have the permission',
    );
    expect(refused).toBeInstanceOf(Misconfigured);
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});

/** A disk of so little space that it fills up; only root can make one, so elsewhere the test is skipped and says so. */
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

/** More than any tiny disk holds, also compressed; says when its source has been ended. */
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
  'a disk that fills up under %s leaves the earlier file alone, and says what to do',
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

test('with no space for the manifest, the report does not appear either', async (context) => {
  // Two nodes: the disk's own folder and one file.
  const disk = await tinyDisk(context, 'size=256k,nr_inodes=2');
  const target = join(disk, 'out.csv');
  await expect(writeReport(reportOf(1, 1), { format: 'csv', target, about })).rejects.toThrow(
    `Cannot write ${target}.manifest.json: no space is left`,
  );
  expect(await namesIn(disk)).toEqual([]);
});
