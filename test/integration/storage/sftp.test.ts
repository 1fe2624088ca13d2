import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readAllowedHosts } from '../../../src/adapters/http/allowed-hosts.ts';
import { openSftpStorage, readHostKey } from '../../../src/adapters/storage/sftp.ts';
import type { Credentials } from '../../../src/core/storage/credentials.ts';
import type { SftpLocation } from '../../../src/core/storage/location.ts';
import type { Storage } from '../../../src/core/storage/storage.ts';
import { errorOf as failureOf } from '../../support/storage/error-of.ts';
import { storageContract } from '../../contract/storage.contract.ts';
import {
  findFile,
  listAll,
  localFile,
  never,
  readPath,
  store,
  testFolder,
} from '../../support/storage/local-files.ts';
import { openSftpServer, sftpUnavailableReason, type SftpServer } from '../../support/storage/sftp-server.ts';
import { openSftpStandIn, type SftpStandInOptions } from '../../support/storage/sftp-stand-in.ts';
import { listenOnLoopback } from '../../support/stand-in/loopback.ts';

const unavailableReason = sftpUnavailableReason();
/** For servers that are slow because the machine is. */
const times = { answerMs: 15_000, transferMs: 60_000 };
/** For servers that never answer. */
const shortTimes = { answerMs: 800, transferMs: 20_000 };
const secret = 'open sesame';
const isAllowedHost = readAllowedHosts(['127.0.0.1']);

const errorOf = (attempt: Promise<unknown>) => failureOf(attempt, /open sesame|PRIVATE KEY/);

function open(
  location: Partial<SftpLocation> & { readonly port: number },
  credentials: Credentials | null,
  limits = times,
): Storage {
  const full = {
    kind: 'sftp',
    host: '127.0.0.1',
    user: 'jane',
    path: '/',
    hostKey: null,
    ...location,
  } as const;
  const storage = openSftpStorage(full, { credentials, isAllowedHost, times: limits });
  onTestFinished(() => storage.close());
  return storage;
}

describe.skipIf(unavailableReason !== null)(
  `OpenSSH${unavailableReason === null ? '' : ` (not run: ${unavailableReason})`}`,
  () => {
    let server: SftpServer;
    beforeAll(async () => {
      server = await openSftpServer();
    });
    afterAll(() => server?.close());

    const locate = (path: string): SftpLocation => {
      const { port, user, hostKey } = server;
      return { kind: 'sftp', host: '127.0.0.1', port, user, path, hostKey };
    };
    const openFolder = (path: string, changes: Partial<SftpLocation> = {}, credentials?: Credentials) =>
      open({ ...locate(path), ...changes }, credentials ?? { privateKey: server.privateKey });

    storageContract(async () => openFolder(testFolder()));

    test('shows its key before anything is sent, and the key is that of ssh-keygen', async () => {
      const location = { ...locate('/'), hostKey: null, user: 'anyone' };
      expect(await readHostKey(location, { isAllowedHost, times }, never)).toBe(server.hostKey);
    });

    test('with another key than the recorded one is rejected', async () => {
      const other = `SHA256:${'A'.repeat(43)}`;
      const error = await errorOf(listAll(openFolder('/', { hostKey: other })));
      expect(error).toContain(`shows the key ${server.hostKey}, but ${other} is recorded`);
      expect(error).toMatch(/^storage_rejected: /);
      expect(await errorOf(listAll(openFolder('/', { hostKey: null })))).toContain('has no recorded key');
    });

    test.each([
      ['another private key', { privateKey: () => otherKey() }, 'rejects the user or the credentials'],
      ['a password', { password: () => secret }, 'rejects the user or the credentials'],
      ['a private key that is none', { privateKey: () => secret }, 'the private key cannot be read'],
      ['no credentials', {}, 'rejects the user or the credentials'],
    ])('with %s is rejected', async (_, makers, message) => {
      const credentials = Object.fromEntries(Object.entries(makers).map(([name, make]) => [name, make()]));
      const error = await errorOf(listAll(openFolder('/', {}, credentials)));
      expect(error).toMatch(/^storage_rejected: /);
      expect(error).toContain(message);
    });

    test('accepts a private key with a passphrase', async () => {
      const folder = testFolder();
      writeFileSync(join(folder, 'key'), server.privateKey, { mode: 0o600 });
      spawnSync('ssh-keygen', ['-q', '-p', '-P', '', '-N', secret, '-f', join(folder, 'key')]);
      const privateKey = readFileSync(join(folder, 'key'), 'utf8');
      expect(await listAll(openFolder(testFolder(), {}, { privateKey, passphrase: secret }))).toEqual([]);
      const error = await errorOf(listAll(openFolder('/', {}, { privateKey, passphrase: 'wrong' })));
      expect(error).toContain('Check it and its passphrase');
    });

    test('reports a missing root with what to do, and creates none', async () => {
      const path = join(testFolder(), 'missing');
      const storage = openFolder(path);
      const file = { path: 'a.csv', bytes: 1, modifiedAt: null, version: '1' };
      for (const attempt of [
        () => listAll(storage),
        () => store(storage, 'a.csv', 'x'),
        () => store(storage, 'in/a.csv', 'x'),
        () => storage.move('a.csv', 'b.csv', never),
        () => storage.remove('a.csv', never),
      ])
        expect(await errorOf(attempt())).toMatch(/^storage_rejected: .* has no such folder\. Create it/);
      expect(await errorOf(storage.read(file, never))).toMatch(/^not_found: /);
    });

    test('names a root relative to the folder that the server opens', async () => {
      const storage = openFolder('.');
      const [page] = await collectOne(storage);
      expect(Array.isArray(page)).toBe(true);
    });

    test('lists no links and no pipes', async () => {
      const root = testFolder();
      writeFileSync(join(root, 'list.csv'), 'x');
      symlinkSync('/etc', join(root, 'link'));
      symlinkSync(join(root, 'list.csv'), join(root, 'linked.csv'));
      spawnSync('mkfifo', [join(root, 'pipe.csv')]);
      const storage = openFolder(root);
      expect((await listAll(storage)).map(({ path }) => path)).toEqual(['list.csv']);
      const file = { path: 'pipe.csv', bytes: 0, modifiedAt: null, version: '0-0' };
      expect(await errorOf(storage.read(file, never))).toMatch(/^not_found: /);
    });

    test('reports a file that changes while it is read', async () => {
      const root = testFolder();
      writeFileSync(join(root, 'a.csv'), Buffer.alloc(4_000_000, 'a'));
      const storage = openFolder(root);
      const stream = await storage.read(await findFile(storage, 'a.csv'), never);
      const reading = (async () => {
        for await (const chunk of stream) appendFileSync(join(root, 'a.csv'), chunk === null ? '' : 'more');
      })();
      expect(await errorOf(reading)).toMatch(/^conflict: /);
    });

    test('reports a file that is cut while it is read', async () => {
      const root = testFolder();
      writeFileSync(join(root, 'a.csv'), Buffer.alloc(20_000_000, 'a'));
      const storage = openFolder(root);
      const stream = await storage.read(await findFile(storage, 'a.csv'), never);
      const reading = (async () => {
        for await (const chunk of stream) writeFileSync(join(root, 'a.csv'), chunk === null ? '' : 'short');
      })();
      expect(await errorOf(reading)).toMatch(/^conflict: /);
    });

    test('connects again after a lost connection, and the next attempt removes what the lost one left', async () => {
      const root = testFolder();
      const storage = openFolder(root);
      await store(storage, 'a.csv', 'x');
      const writing = errorOf(store(storage, 'a.csv', Buffer.alloc(60_000_000)));
      await expect.poll(() => readdirSync(root).some((name) => name.startsWith('.a.csv.'))).toBe(true);
      server.cutConnections();
      expect(await writing).toMatch(/^storage_unavailable: .* cut off the connection/);
      expect((await readPath(storage, 'a.csv')).toString()).toBe('x');
      expect((await listAll(storage)).map(({ path }) => path)).toEqual(['a.csv']);
      await store(storage, 'a.csv', 'y');
      expect(readdirSync(root)).toEqual(['a.csv']);
    });

    test('removes what a killed process has left, and leaves what another one writes', async () => {
      const root = testFolder();
      const [left, inUse] = ['.b.csv.0011.nightshift.tmp', '.a.csv.2233.nightshift.tmp'];
      for (const name of [left, inUse]) writeFileSync(join(root, name), 'a longer part');
      const aMinuteAgo = new Date(Date.now() - 60_000);
      utimesSync(join(root, left), aMinuteAgo, aMinuteAgo);
      await store(openFolder(root), 'a.csv', 'x');
      expect(readdirSync(root).sort()).toEqual([inUse, 'a.csv']);
    });

    test('connects again after a connection that was lost between operations', async () => {
      const storage = openFolder(testFolder());
      await store(storage, 'a.csv', 'x');
      server.cutConnections();
      const list = () =>
        listAll(storage).then(
          (files) => files.map(({ path }) => path),
          () => [],
        );
      await expect.poll(list).toEqual(['a.csv']);
    });

    test('an operation that is aborted while it connects does not disturb another', async () => {
      const storage = openFolder(testFolder());
      const stop = new AbortController();
      const aborted = expect(storage.remove('a.csv', stop.signal)).rejects.toThrow('stop');
      const listed = listAll(storage);
      stop.abort(new Error('stop'));
      await aborted;
      expect(await listed).toEqual([]);
    });

    test('a stream ends with an error when the connection is lost', async () => {
      const root = testFolder();
      writeFileSync(join(root, 'a.csv'), Buffer.alloc(40_000_000));
      const storage = openFolder(root);
      const stream = await storage.read(await findFile(storage, 'a.csv'), never);
      const reading = (async () => {
        for await (const chunk of stream) if (chunk !== null) server.cutConnections();
      })();
      expect(await errorOf(reading)).toMatch(/^storage_unavailable: /);
    });

    test('a write that is aborted leaves nothing behind', async () => {
      const root = testFolder();
      const storage = openFolder(root);
      const stop = new AbortController();
      const file = localFile(Buffer.alloc(60_000_000));
      const writing = expect(
        storage.write('a.csv', file, { contentType: 'text/csv', signal: stop.signal }),
      ).rejects.toThrow('stop');
      await expect.poll(() => readdirSync(root).some((name) => name.startsWith('.a.csv.'))).toBe(true);
      stop.abort(new Error('stop'));
      await writing;
      await expect.poll(() => readdirSync(root)).toEqual([]);
    });

    test('reports a folder in the place of a file', async () => {
      const root = testFolder();
      mkdirSync(join(root, 'a.csv'));
      writeFileSync(join(root, 'b.csv'), 'x');
      const storage = openFolder(root);
      expect(await errorOf(storage.move('a.csv', 'c.csv', never))).toMatch(/^storage_rejected: /);
      expect(await errorOf(store(storage, 'a.csv', 'x'))).toMatch(/^storage_/);
      expect(readdirSync(root).sort()).toEqual(['a.csv', 'b.csv']);
    });
  },
);

describe('SFTP server', () => {
  async function standIn(options: SftpStandInOptions) {
    const server = await openSftpStandIn(options);
    onTestFinished(server.close);
    return server;
  }
  async function openStandIn(options: SftpStandInOptions, limits = times) {
    const { port } = await standIn(options);
    const location = {
      kind: 'sftp',
      host: '127.0.0.1',
      port,
      user: 'jane',
      path: '/',
      hostKey: null,
    } as const;
    const hostKey = await readHostKey(location, { isAllowedHost, times }, never);
    return open({ ...location, hostKey }, { password: secret }, limits);
  }

  test.each(['password', 'keyboard'] as const)('accepts a password that it asks for by %s', async (asks) => {
    const storage = await openStandIn({ asks, serve: serveMemory });
    await store(storage, 'a.csv', 'x');
    expect((await readPath(storage, 'a.csv')).toString()).toBe('x');
  });

  test('without an atomic rename shows nothing or the complete new file', async () => {
    const storage = await openStandIn({ serve: serveMemory });
    await store(storage, 'a.csv', 'first');
    await store(storage, 'a.csv', 'second');
    expect((await readPath(storage, 'a.csv')).toString()).toBe('second');
    expect((await listAll(storage)).map(({ path }) => path)).toEqual(['a.csv']);
  });

  test('that rejects a password is reported without it', async () => {
    const error = await errorOf(listAll(await openStandIn({ password: 'another' })));
    expect(error).toMatch(/^storage_rejected: .* rejects the user or the credentials/);
  });

  test('with another key than the recorded one receives no password', async () => {
    const { port, passwords } = await standIn({});
    const error = await errorOf(
      listAll(open({ port, hostKey: `SHA256:${'A'.repeat(43)}` }, { password: secret })),
    );
    expect(error).toContain('Nothing was sent');
    expect(passwords).toEqual([]);
  });

  test('that never answers is left after the time limit', async () => {
    const { port } = await standIn({ isSilent: true });
    const location = {
      kind: 'sftp',
      host: '127.0.0.1',
      port,
      user: 'jane',
      path: '/',
      hostKey: null,
    } as const;
    const started = performance.now();
    expect(await errorOf(readHostKey(location, { isAllowedHost, times: shortTimes }, never))).toMatch(
      /^storage_unavailable: /,
    );
    const hostKey = `SHA256:${'A'.repeat(43)}`;
    expect(await errorOf(listAll(open({ port, hostKey }, null, shortTimes)))).toMatch(
      /gave no answer within 0\.8 s/,
    );
    expect(performance.now() - started).toBeLessThan(25_000);
  });

  test('that answers no request is left after the time limit', async () => {
    const serve = (sftp: ssh2.SFTPWrapper) => void sftp.on('OPENDIR', () => {}).on('STAT', () => {});
    const storage = await openStandIn({ serve }, shortTimes);
    expect(await errorOf(listAll(storage))).toMatch(/^storage_unavailable: .* gave no answer/);
    expect(await errorOf(store(storage, 'a.csv', 'x'))).toMatch(/^storage_unavailable: .* gave no answer/);
  });

  test('that lists a folder without an end is rejected', async () => {
    const storage = await openStandIn({
      serve: (sftp) => {
        sftp.on('OPENDIR', (id) => sftp.handle(id, Buffer.from('d')));
        sftp.on('READDIR', (id) =>
          sftp.name(
            id,
            Array.from({ length: 500 }, () => entry('x'.repeat(8), 0o100644)),
          ),
        );
        sftp.on('CLOSE', (id) => sftp.status(id, 0));
      },
    });
    expect(await errorOf(listAll(storage))).toMatch(/^storage_(rejected|unavailable): /);
  });

  test('lists no names that lead out of the folder', async () => {
    const storage = await openStandIn({
      serve: (sftp) => {
        let isListed = false;
        sftp.on('OPENDIR', (id) => sftp.handle(id, Buffer.from('d')));
        sftp.on('READDIR', (id) => {
          if (isListed) return void sftp.status(id, 1);
          isListed = true;
          const names = ['../a.csv', '..', '/etc/passwd', 'a\\b', 'a\nb', 'good.csv'];
          sftp.name(
            id,
            names.map((name) => entry(name, 0o100644)),
          );
        });
        sftp.on('CLOSE', (id) => sftp.status(id, 0));
      },
    });
    expect((await listAll(storage)).map(({ path }) => path)).toEqual(['good.csv']);
  });

  test('that is one of HTTP is rejected', async () => {
    const http = await listenOnLoopback(createServer());
    onTestFinished(http.close);
    const port = Number(new URL(http.url).port);
    const error = await errorOf(listAll(open({ port, hostKey: `SHA256:${'A'.repeat(43)}` }, null)));
    expect(error).toMatch(/^storage_(rejected|unavailable): /);
  });

  test.each(['169.254.169.254', '127.0.0.1', '::1', '10.0.0.1', 'localhost', '2130706433', '0x7f.1'])(
    'is not called at %s, unless the operator allows it',
    async (host) => {
      const location = {
        kind: 'sftp',
        host,
        port: 22,
        user: 'jane',
        path: '/',
        hostKey: 'SHA256:x',
      } as const;
      const storage = openSftpStorage(location, {
        credentials: { password: secret },
        isAllowedHost: readAllowedHosts([]),
        times,
      });
      expect(await errorOf(listAll(storage))).toMatch(/^storage_rejected: .* an address that is not public/);
    },
  );

  test('at a name that resolves to a private address is not called', async () => {
    const location = {
      kind: 'sftp',
      host: 'files.example',
      port: 22,
      user: 'j',
      path: '/',
      hostKey: 'SHA256:x',
    } as const;
    const options = {
      credentials: null,
      isAllowedHost: readAllowedHosts([]),
      times,
      lookup: ((_name, _options, callback) =>
        callback(null, [
          { address: '8.8.8.8', family: 4 },
          { address: '10.0.0.1', family: 4 },
        ])) as import('node:net').LookupFunction,
    };
    expect(await errorOf(listAll(openSftpStorage(location, options)))).toContain('not public');
    expect(await errorOf(readHostKey(location, options, never))).toContain('not public');
  });
});

async function collectOne(storage: Storage): Promise<readonly unknown[]> {
  for await (const page of storage.list(never)) return [page];
  return [[]];
}

function otherKey(): string {
  const path = join(testFolder(), 'key');
  spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path]);
  return readFileSync(path, 'utf8');
}

function entry(filename: string, mode: number, size = 1) {
  return { filename, longname: filename, attrs: { mode, uid: 0, gid: 0, size, atime: 1, mtime: 1 } };
}

/** An SFTP session of version 3 without extensions, whose files are in memory. Renames replace nothing, as the standard says. */
function serveMemory(sftp: ssh2.SFTPWrapper): void {
  const files = new Map<string, Buffer>();
  const open = new Map<string, string>();
  const nameOf = (handle: Buffer) => open.get(handle.toString()) ?? '';
  const stat = (id: number, path: string) => {
    const content = files.get(path);
    if (path === '/') sftp.attrs(id, entry('', 0o040755).attrs);
    else if (content === undefined) sftp.status(id, 2);
    else sftp.attrs(id, entry('', 0o100644, content.length).attrs);
  };
  const hand = (id: number, path: string) => {
    const handle = String(open.size);
    open.set(handle, path);
    sftp.handle(id, Buffer.from(handle));
  };
  sftp.on('STAT', stat);
  sftp.on('LSTAT', stat);
  sftp.on('FSTAT', (id, handle) => stat(id, nameOf(handle)));
  sftp.on('OPENDIR', (id, path) => hand(id, path));
  sftp.on('READDIR', (id, handle) => {
    if (nameOf(handle) === '') return void sftp.status(id, 1);
    open.set(handle.toString(), '');
    sftp.name(
      id,
      [...files].map(([path, content]) => entry(path.slice(1), 0o100644, content.length)),
    );
  });
  sftp.on('OPEN', (id, path, flags) => {
    if ((flags & 8) !== 0) files.set(path, Buffer.alloc(0));
    hand(id, path);
  });
  sftp.on('WRITE', (id, handle, offset, data) => {
    const content = files.get(nameOf(handle)) ?? Buffer.alloc(0);
    files.set(nameOf(handle), Buffer.concat([content.subarray(0, offset), data]));
    sftp.status(id, 0);
  });
  sftp.on('READ', (id, handle, offset, length) =>
    sftp.data(id, (files.get(nameOf(handle)) ?? Buffer.alloc(0)).subarray(offset, offset + length)),
  );
  sftp.on('CLOSE', (id) => sftp.status(id, 0));
  sftp.on('REMOVE', (id, path) => sftp.status(id, files.delete(path) ? 0 : 2));
  sftp.on('RENAME', (id, from, to) => {
    const content = files.get(from);
    if (content === undefined || files.has(to)) return void sftp.status(id, content === undefined ? 2 : 4);
    files.delete(from);
    files.set(to, content);
    sftp.status(id, 0);
  });
}
