import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { comparePaths } from '../../src/core/storage/storage-path.ts';
import type { Storage } from '../../src/core/storage/storage.ts';
import {
  findFile,
  listAll,
  localFile,
  never,
  readAll,
  readPath,
  store,
} from '../support/storage/local-files.ts';

/** Names that an address, a query, a shell or a list of files could change. */
const names = [
  'liste größe.csv',
  'файл.csv',
  '顧客 リスト.csv',
  'a b  c.csv',
  '100% + 5 #1.csv',
  'a%20b.csv',
  'plus+plus.csv',
  'what?.csv',
  "quote'd (1) & [2] {3} !*.csv",
  '<b>&amp;.csv',
  'semi;colon=equals,comma@at:colon$.csv',
  '🙂.csv',
];

const wrongPaths = [
  '../outside.csv',
  'a/../../outside.csv',
  '/etc/passwd',
  'a//b.csv',
  './a.csv',
  'a/./b.csv',
  '..',
  '',
  'a/',
  'nul\0.csv',
  'line\nbreak.csv',
  'back\\slash.csv',
  '\ud800.csv',
  'x'.repeat(1025),
];

/** Checks the guarantees of a writable `Storage`; run by every adapter, each test with an empty root. */
export function storageContract(openStorage: () => Promise<Storage>): void {
  async function open(): Promise<Storage> {
    const storage = await openStorage();
    onTestFinished(() => storage.close());
    return storage;
  }

  describe('storage', () => {
    test('lists nothing below an empty root', async () => {
      expect(await listAll(await open())).toEqual([]);
    });

    test('lists files in folders in the order of their paths, with size, time and version', async () => {
      const storage = await open();
      for (const path of ['b.csv', 'a/z.csv', 'a.csv', 'a/b/c.csv', 'é.csv', 'Z.csv'])
        await store(storage, path, `content of ${path}`);
      const files = await listAll(storage);
      expect(files.map(({ path }) => path)).toEqual([
        'Z.csv',
        'a.csv',
        'a/b/c.csv',
        'a/z.csv',
        'b.csv',
        'é.csv',
      ]);
      for (const file of files) {
        expect(file.bytes).toBe(Buffer.byteLength(`content of ${file.path}`));
        expect(file.version).not.toBe('');
        expect(Math.abs(Date.now() - (file.modifiedAt?.getTime() ?? Date.now()))).toBeLessThan(120_000);
      }
    });

    test('lists more files than fit on a page once each, in order', async () => {
      const storage = await open();
      const paths = Array.from({ length: 23 }, (_, i) => `${i % 3}/file ${i}.csv`).sort(comparePaths);
      await Promise.all(paths.map((path) => store(storage, path, path)));
      expect((await listAll(storage)).map(({ path }) => path)).toEqual(paths);
    });

    test('leaves out of the list what begins with a dot, and unfinished downloads', async () => {
      const storage = await open();
      for (const path of [
        '.hidden.csv',
        '.git/config',
        'a/.b/c.csv',
        'list.csv.part',
        'x.tmp',
        '~$list.xlsx',
      ])
        await store(storage, path, 'x');
      await store(storage, 'a/list.csv', 'x');
      expect((await listAll(storage)).map(({ path }) => path)).toEqual(['a/list.csv']);
    });

    test.each(names)('stores, lists, reads, moves and removes "%s"', async (name) => {
      const storage = await open();
      await store(storage, `in/${name}`, name);
      expect((await listAll(storage)).map(({ path }) => path)).toEqual([`in/${name}`]);
      expect((await readPath(storage, `in/${name}`)).toString()).toBe(name);
      await storage.move(`in/${name}`, `done/${name}`, never);
      expect((await readPath(storage, `done/${name}`)).toString()).toBe(name);
      await storage.remove(`done/${name}`, never);
      expect(await listAll(storage)).toEqual([]);
    });

    test('finds a file as the list shows it, and nothing in other places', async () => {
      const storage = await open();
      await store(storage, 'in/größe 1.csv', 'x');
      const [listed] = await listAll(storage);
      const found = await storage.find('in/größe 1.csv', never);
      expect(found).toMatchObject({ path: listed?.path, bytes: listed?.bytes, version: listed?.version });
      for (const path of ['in', 'in/b.csv', 'out/größe 1.csv'])
        expect(await storage.find(path, never)).toBe(null);
    });

    test('returns the bytes that were stored, for files of many sizes', async () => {
      const storage = await open();
      for (const bytes of [0, 1, 65_536, 3_000_001]) {
        const content = randomBytes(bytes);
        await store(storage, 'file.bin', content);
        expect((await readPath(storage, 'file.bin')).equals(content)).toBe(true);
      }
    });

    test('replaces an earlier file, and another size changes the version', async () => {
      const storage = await open();
      await store(storage, 'a.csv', 'first');
      const first = await findFile(storage, 'a.csv');
      await store(storage, 'a.csv', 'second');
      const second = await findFile(storage, 'a.csv');
      expect(second.version).not.toBe(first.version);
      expect((await readPath(storage, 'a.csv')).toString()).toBe('second');
      await expect(storage.read(first, never).then(readAll)).rejects.toMatchObject({ code: 'conflict' });
    });

    test('shows the earlier or the complete new file to a reader, and never a part', async () => {
      const storage = await open();
      const contents = ['a', 'b'].map((letter) => Buffer.alloc(300_000, letter));
      await store(storage, 'a.csv', contents[0] ?? '');
      let isWriting = true;
      const writing = (async () => {
        for (let i = 1; i < 8; i += 1) await store(storage, 'a.csv', contents[i % 2] ?? '');
        isWriting = false;
      })();
      while (isWriting) {
        const [file] = await listAll(storage);
        if (file === undefined) continue;
        expect(file.bytes).toBe(300_000);
        const read = await storage.read(file, never).then(readAll).catch(codeOf);
        if (read !== 'conflict' && read !== 'not_found')
          expect(contents.some((content) => Buffer.isBuffer(read) && content.equals(read))).toBe(true);
      }
      await writing;
      expect((await listAll(storage)).map(({ path }) => path)).toEqual(['a.csv']);
    });

    test('stores nothing of a file that is not as stated, and leaves nothing behind', async () => {
      const storage = await open();
      await store(storage, 'a.csv', 'first');
      const file = localFile('second');
      const options = { contentType: 'text/csv', signal: never };
      for (const wrong of [{ bytes: 5 }, { bytes: 7 }, { sha256: '0'.repeat(64) }])
        await expect(storage.write('a.csv', { ...file, ...wrong }, options)).rejects.toThrow();
      expect((await readPath(storage, 'a.csv')).toString()).toBe('first');
      expect((await listAll(storage)).map(({ path }) => path)).toEqual(['a.csv']);
    });

    test('moves a file in place of another; a repeated move does nothing', async () => {
      const storage = await open();
      await store(storage, 'a.csv', 'new');
      await store(storage, 'done/a.csv', 'old');
      await storage.move('a.csv', 'done/a.csv', never);
      await storage.move('a.csv', 'done/a.csv', never);
      expect((await listAll(storage)).map(({ path }) => path)).toEqual(['done/a.csv']);
      expect((await readPath(storage, 'done/a.csv')).toString()).toBe('new');
    });

    test('reports a file to move that exists at neither path', async () => {
      await expect((await open()).move('a.csv', 'b.csv', never)).rejects.toMatchObject({ code: 'not_found' });
    });

    test('removes a file that does not exist without an error', async () => {
      const storage = await open();
      await storage.remove('a.csv', never);
      await storage.remove('no/such/folder/a.csv', never);
    });

    test('reports a file that has gone since it was listed', async () => {
      const storage = await open();
      await store(storage, 'in/a.csv', 'x');
      const file = await findFile(storage, 'in/a.csv');
      await storage.remove('in/a.csv', never);
      await expect(storage.read(file, never).then(readAll)).rejects.toMatchObject({ code: 'not_found' });
    });

    test.each(wrongPaths.map((path) => [JSON.stringify(path.slice(0, 20)), path]))(
      'rejects the path %s in every operation',
      async (_, path) => {
        const storage = await open();
        await store(storage, 'a.csv', 'x');
        const file = { path, bytes: 1, modifiedAt: null, version: '1' };
        const rejected = { code: 'storage_rejected' };
        await expect(storage.find(path, never)).rejects.toMatchObject(rejected);
        await expect(storage.read(file, never)).rejects.toMatchObject(rejected);
        await expect(store(storage, path, 'x')).rejects.toMatchObject(rejected);
        await expect(storage.move('a.csv', path, never)).rejects.toMatchObject(rejected);
        await expect(storage.move(path, 'b.csv', never)).rejects.toMatchObject(rejected);
        await expect(storage.remove(path, never)).rejects.toMatchObject(rejected);
        expect((await listAll(storage)).map((each) => each.path)).toEqual(['a.csv']);
      },
    );

    test('ends every operation with the reason of an aborted signal', async () => {
      const storage = await open();
      await store(storage, 'a.csv', 'x');
      const file = await findFile(storage, 'a.csv');
      const reason = new Error('stop');
      const signal = AbortSignal.abort(reason);
      const options = { contentType: 'text/csv', signal };
      await expect(storage.list(signal)[Symbol.asyncIterator]().next()).rejects.toBe(reason);
      await expect(storage.find('a.csv', signal)).rejects.toBe(reason);
      await expect(storage.read(file, signal)).rejects.toBe(reason);
      await expect(storage.write('b.csv', localFile('y'), options)).rejects.toBe(reason);
      await expect(storage.move('a.csv', 'b.csv', signal)).rejects.toBe(reason);
      await expect(storage.remove('a.csv', signal)).rejects.toBe(reason);
      expect((await listAll(storage)).map(({ path }) => path)).toEqual(['a.csv']);
    });

    test('ends a stream that is being read when the signal aborts', async () => {
      const storage = await open();
      await store(storage, 'a.csv', randomBytes(4_000_000));
      const stop = new AbortController();
      const stream = await storage.read(await findFile(storage, 'a.csv'), stop.signal);
      const reason = new Error('stop');
      const reading = (async () => {
        for await (const chunk of stream) stop.abort(chunk === null ? null : reason);
      })();
      await expect(reading).rejects.toBe(reason);
    });

    test('lets a reader stop in the middle of a file, and continues with the next', async () => {
      const storage = await open();
      await store(storage, 'a.csv', randomBytes(4_000_000));
      const file = await findFile(storage, 'a.csv');
      for (let i = 0; i < 5; i += 1) await readSome(await storage.read(file, never));
      (await storage.read(file, never)).destroy();
      expect(await readPath(storage, 'a.csv')).toHaveLength(4_000_000);
    });
  });
}

/** Reads the first piece of a file, and destroys the stream. */
async function readSome(stream: Readable): Promise<void> {
  for await (const chunk of stream) if (chunk !== null) return;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : error;
}
