import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openFolderStorage } from '../../../src/adapters/storage/folder.ts';
import { createStorages } from '../../../src/app/storages.ts';
import { storageContract } from '../../contract/storage.contract.ts';
import {
  findFile,
  listAll,
  localFile,
  never,
  readAll,
  store,
  testFolder,
} from '../../support/storage/local-files.ts';

const openFolder = (path: string) => openFolderStorage({ kind: 'folder', path });

storageContract(async () => openFolder(testFolder()));

describe('storage of a folder', () => {
  test('reports a missing folder with what to do, and creates none', async () => {
    const path = join(testFolder(), 'missing');
    const storage = openFolder(path);
    const file = { path: 'a.csv', bytes: 1, modifiedAt: null, version: '1' };
    for (const attempt of [
      () => listAll(storage),
      () => storage.read(file, never),
      () => store(storage, 'a.csv', 'x'),
      () => storage.move('a.csv', 'b.csv', never),
      () => storage.remove('a.csv', never),
    ])
      await expect(attempt()).rejects.toMatchObject({
        code: 'storage_rejected',
        message: `The folder ${path} does not exist. Create it, or name another.`,
      });
    expect(existsSync(path)).toBe(false);
  });

  test('reports a root that is a file', async () => {
    const path = join(testFolder(), 'list.csv');
    writeFileSync(path, 'x');
    await expect(listAll(openFolder(path))).rejects.toMatchObject({ code: 'storage_rejected' });
  });

  test('follows no link: lists leave them out, and paths through them are rejected', async () => {
    const [outside, root] = [testFolder(), testFolder()];
    writeFileSync(join(outside, 'secret.csv'), 'secret');
    symlinkSync(outside, join(root, 'link'));
    symlinkSync(join(outside, 'secret.csv'), join(root, 'secret.csv'));
    symlinkSync(root, join(root, 'loop'));
    writeFileSync(join(root, 'list.csv'), 'x');
    const storage = openFolder(root);
    expect((await listAll(storage)).map(({ path }) => path)).toEqual(['list.csv']);
    const { version } = await findFile(storage, 'list.csv');
    const rejected = { code: 'storage_rejected' };
    for (const path of ['link/secret.csv', 'secret.csv']) {
      const file = { path, bytes: 6, modifiedAt: null, version };
      await expect(storage.read(file, never)).rejects.toMatchObject({
        code: path === 'secret.csv' ? 'not_found' : 'storage_rejected',
      });
      await expect(store(storage, path, 'changed')).rejects.toMatchObject(rejected);
      await expect(storage.move('list.csv', path, never)).rejects.toMatchObject(rejected);
      await expect(storage.move(path, 'list.csv', never)).rejects.toMatchObject(rejected);
    }
    await expect(storage.remove('link/secret.csv', never)).rejects.toMatchObject(rejected);
    await expect(store(storage, 'link/new/a.csv', 'x')).rejects.toMatchObject(rejected);
    expect(readdirSync(outside)).toEqual(['secret.csv']);
    expect(readFileSync(join(outside, 'secret.csv'), 'utf8')).toBe('secret');
  });

  test('a root that an account named must really be in a folder that the operator lists', async () => {
    const [allowed, outside] = [testFolder(), testFolder()];
    symlinkSync(outside, join(allowed, 'link'));
    mkdirSync(join(allowed, 'own'));
    const { openStorage } = createStorages({ allowedHosts: [], folders: [allowed] });
    const list = async (name: string, isOfAccount: boolean) =>
      listAll(await openStorage({ kind: 'folder', path: join(allowed, name) }, null, { isOfAccount }));
    expect(await list('own', true)).toEqual([]);
    expect(await list('link', false)).toEqual([]);
    await expect(list('link', true)).rejects.toThrow('leads out of the folders in NIGHTSHIFT_FOLDERS');
  });

  test('a root may be a link', async () => {
    const [folder, root] = [testFolder(), testFolder()];
    symlinkSync(root, join(folder, 'link'));
    const storage = openFolder(join(folder, 'link'));
    await store(storage, 'in/a.csv', 'x');
    expect(readFileSync(join(root, 'in/a.csv'), 'utf8')).toBe('x');
    expect(await listAll(storage)).toHaveLength(1);
  });

  test('neither lists nor opens pipes', async () => {
    const root = testFolder();
    spawnSync('mkfifo', [join(root, 'pipe.csv')]);
    const storage = openFolder(root);
    expect(await listAll(storage)).toEqual([]);
    const file = { path: 'pipe.csv', bytes: 0, modifiedAt: null, version: '0-0' };
    await expect(storage.read(file, never)).rejects.toMatchObject({ code: 'not_found' });
    await expect(store(storage, 'pipe.csv', 'x')).rejects.toMatchObject({ code: 'storage_rejected' });
  });

  test('reports a file that changes while it is read', async () => {
    const root = testFolder();
    writeFileSync(join(root, 'a.csv'), Buffer.alloc(2_000_000, 'a'));
    const storage = openFolder(root);
    const stream = await storage.read(await findFile(storage, 'a.csv'), never);
    const reading = (async () => {
      for await (const chunk of stream) appendFileSync(join(root, 'a.csv'), chunk === null ? '' : 'more');
    })();
    await expect(reading).rejects.toMatchObject({ code: 'conflict' });
  });

  test('writes under a temporary name that a list leaves out, and removes it after an error', async () => {
    const root = testFolder();
    const storage = openFolder(root);
    const stop = new AbortController();
    const writing = storage.write('a.csv', localFile(Buffer.alloc(50_000_000)), {
      contentType: 'text/csv',
      signal: stop.signal,
    });
    const failing = expect(writing).rejects.toThrow('stop');
    const isHidden = (name: string) => name.startsWith('.a.csv.') && name.endsWith('.nightshift.tmp');
    while (!readdirSync(root).some(isHidden)) await new Promise(setImmediate);
    expect(await listAll(storage)).toEqual([]);
    stop.abort(new Error('stop'));
    await failing;
    await expect.poll(() => readdirSync(root)).toEqual([]);
  });

  test('removes what a killed process has left, and leaves what another one writes', async () => {
    const root = testFolder();
    const [left, inUse] = ['.b.csv.0011.nightshift.tmp', '.a.csv.2233.nightshift.tmp'];
    for (const name of [left, inUse, '.profile']) writeFileSync(join(root, name), 'a longer part');
    const aMinuteAgo = new Date(Date.now() - 60_000);
    for (const name of [left, '.profile']) utimesSync(join(root, name), aMinuteAgo, aMinuteAgo);
    await store(openFolder(root), 'a.csv', 'x');
    expect(readdirSync(root).sort()).toEqual([inUse, '.profile', 'a.csv']);
    expect(readFileSync(join(root, 'a.csv'), 'utf8')).toBe('x');
  });

  test('two processes that write a file at once both succeed, and it has the bytes of one of them', async () => {
    const root = testFolder();
    const contents = ['a', 'b'].map((letter) => Buffer.alloc(20_000_000, letter));
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(contents.map((content) => store(openFolder(root), 'a.csv', content)));
      const found = readFileSync(join(root, 'a.csv'));
      expect(contents.some((content) => content.equals(found))).toBe(true);
    }
    expect(readdirSync(root)).toEqual(['a.csv']);
  });

  test('reports a file to be stored that is missing as an error of this machine', async () => {
    const storage = openFolder(testFolder());
    const file = localFile('x');
    rmSync(file.path);
    await expect(storage.write('a.csv', file, { contentType: 'text/csv', signal: never })).rejects.toThrow(
      'The file to be stored cannot be read.',
    );
  });

  test('gives a stream that no one reads to no process as an error', async () => {
    const root = testFolder();
    writeFileSync(join(root, 'a.csv'), 'x');
    const storage = openFolder(root);
    const stream = await storage.read(await findFile(storage, 'a.csv'), never);
    stream.destroy();
    await expect(readAll(stream)).rejects.toThrow();
  });
});
