import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { expandFiles } from '../../../../../src/sources/snapshot/expand-files.ts';

async function folderWith(names: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'nightshift-expand-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const name of names) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), '');
  }
  return folder;
}

const names = [
  'export-000000000001.json.gz',
  'export-000000000000.json.gz',
  'export-000000000000.parquet',
  '.export-hidden.json.gz',
  'exportXjson.gz',
  'a/export-1.json',
  'b/export-1.json',
  'b/other(1).json',
  'export-folder.json.gz/file',
];

describe('a pattern of files', () => {
  test.each([
    ['export-*.json.gz', ['export-000000000000.json.gz', 'export-000000000001.json.gz']],
    [
      '*',
      [
        'export-000000000000.json.gz',
        'export-000000000000.parquet',
        'export-000000000001.json.gz',
        'exportXjson.gz',
      ],
    ],
    ['export-00000000000?.parquet', ['export-000000000000.parquet']],
    ['.e*', ['.export-hidden.json.gz']],
    ['*/export-*.json', ['a/export-1.json', 'b/export-1.json']],
    ['?/other(1)*', ['b/other(1).json']],
    ['*/../a/*.json', ['a/export-1.json']],
  ])('%s matches as in a shell', async (pattern, expected) => {
    const folder = await folderWith(names);
    const found = await expandFiles([`${folder}/${pattern}`]);
    const distinct = [...new Set(found)];
    expect(distinct).toEqual(expected.map((name) => join(folder, name)));
  });

  test('is relative to the working directory', async () => {
    expect(await expandFiles(['package.jso?', 'READM*.md'])).toEqual(['package.json', 'README.md']);
  });

  test('keeps the order of the paths, with and without a pattern', async () => {
    const folder = await folderWith(['b1', 'a1', 'a2', 'c']);
    const at = (name: string) => join(folder, name);
    expect(await expandFiles([at('b1'), at('a*'), at('missing')])).toEqual(
      ['b1', 'a1', 'a2', 'missing'].map(at),
    );
  });

  test('gives way to a file of that name', async () => {
    const folder = await folderWith(['export-*.json', 'export-1.json']);
    expect(await expandFiles([join(folder, 'export-*.json')])).toEqual([join(folder, 'export-*.json')]);
  });

  test('without matches is rejected with the pattern', async () => {
    const folder = await folderWith(names);
    for (const pattern of ['nothing-*', 'missing/*.json', 'export-folder.json.g*/x*'])
      await expect(expandFiles([join(folder, pattern)])).rejects.toThrow(
        `No file matches "${join(folder, pattern)}". Check the folder and the name`,
      );
  });

  test('in Google Cloud Storage is rejected with the command that copies the files', async () => {
    await expect(expandFiles(['gs://bucket/export-*.json'])).rejects.toThrow(
      'gcloud storage cp "gs://bucket/export-*.json" .',
    );
  });
});
