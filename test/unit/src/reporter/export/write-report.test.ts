import { createHash } from 'node:crypto';
import { chmod, lstat, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { formatOfFileName } from '../../../../../src/reporter/formats/report-format.ts';
import { writeReport } from '../../../../../src/reporter/export/write-report.ts';
import { about, namesIn, reportOf, temporaryFolder } from '../sample-report.ts';

test('a report is written completely, with its size and checksum', async () => {
  const target = join(await temporaryFolder(), 'out.csv');
  const written = await writeReport(reportOf(3, 2), { format: 'csv', target, about });
  const bytes = await readFile(target);
  expect(bytes.toString()).toBe('name,ads_count\ncompany 0,0\ncompany 1,1\ncompany 2,2\n');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  expect(written).toEqual({ lines: 3, bytes: bytes.length, sha256 });
});

test('a report has a manifest with its details, and no other file next to it', async () => {
  const folder = await temporaryFolder();
  const written = await writeReport(reportOf(3, 2), {
    format: 'csv',
    target: join(folder, 'out.csv'),
    about,
  });
  expect(await namesIn(folder)).toEqual(['out.csv', 'out.csv.manifest.json']);
  const manifest: unknown = JSON.parse(await readFile(join(folder, 'out.csv.manifest.json'), 'utf8'));
  expect(manifest).toEqual({
    file: 'out.csv',
    format: 'csv',
    shape: 'rows',
    defused: true,
    lines: 3,
    bytes: written.bytes,
    sha256: written.sha256,
    created_at: '2026-03-01T04:05:06.000Z',
    details: about.details,
  });
});

test.each([
  { format: 'csv', raw: true, defused: false },
  { format: 'ndjson', raw: false, defused: false },
  { format: 'json', raw: false, defused: false },
  { format: 'parquet', raw: false, defused: false },
  { format: 'xlsx', raw: true, defused: false },
] as const)('the manifest of $format with raw $raw has no escaped formulas', async ({ defused, ...rest }) => {
  const target = join(await temporaryFolder(), 'out');
  await writeReport(reportOf(1, 1), { ...rest, target, about });
  expect(JSON.parse(await readFile(`${target}.manifest.json`, 'utf8'))).toMatchObject({ defused });
});

test('the raw option is passed to the writer', async () => {
  const target = join(await temporaryFolder(), 'out.csv');
  const columns = [{ name: 'a', own: true }];
  const report = () => ({
    columns,
    blocks: (async function* () {
      yield [['=1']];
    })(),
  });
  await writeReport(report(), { format: 'csv', target, about, raw: true });
  expect(await readFile(target, 'utf8')).toBe('a\n=1\n');
  await writeReport(report(), { format: 'csv', target, about });
  expect(await readFile(target, 'utf8')).toBe("a\n'=1\n");
});

test.each(['out.csv', 'out.ndjson', 'out.json', 'out.csv.gz', 'out.parquet', 'out.xlsx'])(
  'the same report has the same bytes in %s for any block size',
  async (name) => {
    const target = join(await temporaryFolder(), name);
    const format = formatOfFileName(name);
    const first = await writeReport(reportOf(20_000, 1_000), { format, target, about });
    const manifest = await readFile(`${target}.manifest.json`);
    expect(await writeReport(reportOf(20_000, 1_000), { format, target, about })).toEqual(first);
    expect(await readFile(`${target}.manifest.json`)).toEqual(manifest);
    expect(await writeReport(reportOf(20_000, 7), { format, target, about })).toEqual(first);
    expect(await writeReport(reportOf(20_000, 20_000), { format, target, about })).toEqual(first);
  },
);

test('a file name with .gz results in the same report, compressed', async () => {
  const folder = await temporaryFolder();
  const plain = await writeReport(reportOf(20_000, 1_000), {
    format: 'csv',
    target: join(folder, 'a.csv'),
    about,
  });
  const target = join(folder, 'a.csv.gz');
  const written = await writeReport(reportOf(20_000, 1_000), { format: 'csv', target, about });
  const bytes = await readFile(target);
  expect(gunzipSync(bytes)).toEqual(await readFile(join(folder, 'a.csv')));
  expect(written.lines).toBe(plain.lines);
  expect(written.bytes).toBe(bytes.length);
  expect(written.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
});

test('the earlier file is kept and the new one has a temporary name until the last line is written', async () => {
  const folder = await temporaryFolder();
  const target = join(folder, 'out.csv');
  await writeFile(target, 'earlier');
  const seen: unknown[] = [];
  const observation = async (): Promise<void> =>
    void seen.push(await readFile(target, 'utf8'), await namesIn(folder));
  await writeReport(reportOf(20_000, 10_000, observation), { format: 'csv', target, about });
  const names = [expect.stringMatching(/^\.out\.csv\.[0-9a-f]{12}\.tmp$/), 'out.csv'];
  expect(seen).toEqual(['earlier', names, 'earlier', names]);
  expect((await readFile(target, 'utf8')).split('\n')).toHaveLength(20_002);
});

test('a replaced file keeps its permissions', async () => {
  const target = join(await temporaryFolder(), 'out.csv');
  await writeFile(target, 'earlier');
  await chmod(target, 0o600);
  await writeReport(reportOf(1, 1), { format: 'csv', target, about });
  expect((await stat(target)).mode & 0o777).toBe(0o600);
});

test('a symbolic link is kept, and its target is replaced', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'real.csv'), 'earlier');
  await symlink('real.csv', join(folder, 'out.csv'));
  await writeReport(reportOf(1, 1), { format: 'csv', target: join(folder, 'out.csv'), about });
  expect((await lstat(join(folder, 'out.csv'))).isSymbolicLink()).toBe(true);
  expect(await readFile(join(folder, 'real.csv'), 'utf8')).toBe('name,ads_count\ncompany 0,0\n');
});

test('a report without lines has a header only', async () => {
  const target = join(await temporaryFolder(), 'out.csv');
  expect(await writeReport(reportOf(0, 1), { format: 'csv', target, about })).toMatchObject({ lines: 0 });
  expect(await readFile(target, 'utf8')).toBe('name,ads_count\n');
});
