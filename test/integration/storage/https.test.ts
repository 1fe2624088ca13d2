import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { LookupFunction } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { readAllowedHosts } from '../../../src/adapters/http/allowed-hosts.ts';
import { openHttpsStorage } from '../../../src/adapters/storage/https.ts';
import type { StorageTimes } from '../../../src/adapters/storage/time-limits.ts';
import { parseLocation, type HttpsLocation } from '../../../src/core/storage/location.ts';
import type { Storage } from '../../../src/core/storage/storage.ts';
import { errorOf as failureOf } from '../../support/storage/error-of.ts';
import { listAll, localFile, never, readAll } from '../../support/storage/local-files.ts';
import { listenOnLoopback, type Loopback } from '../../support/stand-in/loopback.ts';

const token = 'secret-token';
/** For a machine that is busy. */
const times = { answerMs: 15_000, transferMs: 60_000 };
/** For servers that never answer. */
const shortTimes = { answerMs: 400, transferMs: 10_000 };
const errorOf = (attempt: Promise<unknown>) => failureOf(attempt, /secret-token|secret-query/);

type Serve = (request: IncomingMessage, response: ServerResponse) => void;
let serve: Serve = () => {};
let seen: IncomingMessage[] = [];
let server: Loopback;
let other: Loopback;

beforeAll(async () => {
  const listen = () =>
    listenOnLoopback(
      createServer((request, response) => {
        seen.push(request);
        serve(request, response);
      }),
    );
  [server, other] = [await listen(), await listen()];
});
afterAll(async () => {
  await server.close();
  await other.close();
});
beforeEach(() => {
  seen = [];
});

interface Opening {
  readonly allowed?: readonly string[];
  readonly lookup?: LookupFunction;
  readonly limits?: StorageTimes;
}

function open(address: string, { allowed = ['127.0.0.1'], lookup, limits = times }: Opening = {}): Storage {
  const storage = openHttpsStorage(parseLocation(address) as HttpsLocation, {
    credentials: { token },
    isAllowedHost: readAllowedHosts(allowed),
    times: limits,
    ...(lookup === undefined ? {} : { lookup }),
  });
  onTestFinished(() => storage.close());
  return storage;
}

const answer =
  (headers: Readonly<Record<string, string>>, body: string | (() => string) = 'a,b\n1,2\n'): Serve =>
  (_request, response) => {
    response.writeHead(200, headers);
    const text = typeof body === 'string' ? body : body();
    // Without a length, unless the headers state it.
    response.write(text);
    response.end();
  };

async function readOnly(storage: Storage): Promise<string> {
  const [file] = await listAll(storage);
  if (file === undefined) throw new Error('nothing is listed');
  return (await readAll(await storage.read(file, never))).toString();
}

describe('storage of a web address', () => {
  test.each([
    ['the entity tag', { etag: '"v1"', 'content-length': '8' }, 'tag "v1"'],
    ['a weak entity tag', { etag: 'W/"v1"', 'content-length': '8' }, 'tag W/"v1"'],
    [
      'time and size',
      { 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT', 'content-length': '8' },
      '8-2026-01-01T00:00:00.000Z',
    ],
    ['the entity tag without a size', { etag: '"v1"' }, 'tag "v1"'],
    ['the digest', {}, 'sha256 '],
    [
      'the digest, despite a time without a size',
      { 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' },
      'sha256 ',
    ],
  ])('lists its file with the version of %s, and reads it', async (_, headers, version) => {
    serve = answer(headers);
    const storage = open(`${server.url}/lists/list%20a.csv?key=secret-query`);
    const [file] = await listAll(storage);
    expect(file).toMatchObject({ path: 'list a.csv', bytes: 8 });
    expect(file?.version.slice(0, 7)).toBe(version.slice(0, 7));
    expect(await readOnly(storage)).toBe('a,b\n1,2\n');
    expect(seen.every(({ headers: sent }) => sent.authorization === `Bearer ${token}`)).toBe(true);
  });

  test.each([
    ['attachment; filename="Kunden 2026.csv"', 'Kunden 2026.csv'],
    ['attachment; filename=plain.csv', 'plain.csv'],
    [`attachment; filename="x.csv"; filename*=UTF-8''gr%C3%B6%C3%9Fe.csv`, 'größe.csv'],
    ['attachment; filename="../../etc/passwd"', 'passwd'],
    ['attachment; filename="..\\\\..\\\\list.csv"', 'list.csv'],
    ['attachment; filename=".."', 'path.csv'],
    ['attachment; filename=".hidden"', 'path.csv'],
    [`attachment; filename*=UTF-8''%zz`, 'path.csv'],
    [`attachment; filename*=UTF-8''a%00b%0a.csv`, 'a_b_.csv'],
    ['inline', 'path.csv'],
  ])('names its file by %s: %s', async (disposition, name) => {
    serve = answer({ 'content-disposition': disposition });
    expect((await listAll(open(`${server.url}/a/path.csv`))).map(({ path }) => path)).toEqual([name]);
  });

  test('has a name where the address has none', async () => {
    serve = answer({});
    expect((await listAll(open(server.url))).map(({ path }) => path)).toEqual(['list']);
  });

  test('reports a file that has changed since it was listed', async () => {
    let version = 1;
    for (const headers of [() => ({ etag: `"${version}"` }), () => ({})]) {
      serve = (...call) => answer(headers(), `content ${version}`)(...call);
      const storage = open(`${server.url}/a.csv`);
      const [file] = await listAll(storage);
      if (file === undefined) throw new Error('nothing is listed');
      version += 1;
      expect(await errorOf(storage.read(file, never).then(readAll))).toMatch(/^conflict: /);
      expect(await readOnly(storage)).toBe(`content ${version}`);
    }
  });

  test('does not decode a compressed file, whose name says what it is', async () => {
    serve = answer({ 'content-encoding': 'gzip' }, 'not gzip');
    expect(await readOnly(open(`${server.url}/a.csv.gz`))).toBe('not gzip');
    expect(seen[0]?.headers['accept-encoding']).toBe('identity');
  });

  test('is read only', async () => {
    const storage = open(`${server.url}/a.csv`);
    const options = { contentType: 'text/csv', signal: never };
    const message = /^storage_rejected: A web address can only be read/;
    expect(await errorOf(storage.write('a.csv', localFile('x'), options))).toMatch(message);
    expect(await errorOf(storage.move('a.csv', 'b.csv', never))).toMatch(message);
    expect(await errorOf(storage.remove('a.csv', never))).toMatch(message);
  });

  test.each([
    [401, /^storage_rejected: .*Check the token/],
    [403, /^storage_rejected: .*Check the token/],
    [404, /^storage_rejected: .*there is no file/],
    [418, /^storage_rejected: /],
    [204, /^storage_rejected: /],
    [408, /^storage_unavailable: /],
    [429, /^storage_unavailable: /],
    [500, /^storage_unavailable: /],
    [503, /^storage_unavailable: /],
  ])('reports the status %i', async (status, message) => {
    serve = (_request, response) => void response.writeHead(status).end();
    expect(await errorOf(listAll(open(`${server.url}/a.csv?key=secret-query`)))).toMatch(message);
  });

  test('ends an operation after its time', async () => {
    serve = () => {};
    expect(await errorOf(listAll(open(`${server.url}/a.csv`, { limits: shortTimes })))).toMatch(
      /^storage_unavailable: .* within 0\.4 s/,
    );
    serve = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half');
    };
    expect(await errorOf(readOnly(open(`${server.url}/a.csv`, { limits: shortTimes })))).toMatch(
      /^storage_rejected|^storage_unavailable/,
    );
  });

  test('reports a connection that is cut in the middle of the file', async () => {
    serve = (request, response) => {
      response.writeHead(200, { 'content-length': '100', etag: '"1"' });
      response.write('half');
      setImmediate(() => request.socket.destroy());
    };
    expect(await errorOf(readOnly(open(`${server.url}/a.csv`)))).toMatch(/^storage_unavailable: /);
  });
});

describe('redirect of a web address', () => {
  test('is followed, and the token stays with the host of the address', async () => {
    serve = (request, response) => {
      if (request.url === '/file.csv') return answer({})(request, response);
      if (request.url === '/a.csv') return void response.writeHead(302, { location: '/b.csv' }).end();
      response.writeHead(307, { location: `${other.url}/file.csv` }).end();
    };
    expect(await readOnly(open(`${server.url}/a.csv`))).toBe('a,b\n1,2\n');
    expect(seen.slice(0, 3).map(({ headers }) => headers.authorization ?? null)).toEqual([
      `Bearer ${token}`,
      `Bearer ${token}`,
      null,
    ]);
  });

  test.each([
    ['http://169.254.169.254/latest/meta-data/'],
    ['http://127.0.0.2/'],
    ['http://[::1]/'],
    ['https://127.0.0.2/'],
    ['https://[::ffff:7f00:1]/'],
    ['https://localhost/'],
    ['https://private.example/secret-query'],
    ['file:///etc/passwd'],
    ['ftp://example.com/'],
    ['https://user:secret-query@example.com/'],
    ['https://example.com:25/'],
    ['//'],
  ])('to %s is rejected', async (location) => {
    serve = (_request, response) => void response.writeHead(302, { location }).end();
    const lookup: LookupFunction = (_name, _options, callback) =>
      callback(null, [
        { address: '8.8.8.8', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ]);
    expect(await errorOf(listAll(open(`${server.url}/a.csv`, { lookup })))).toMatch(/^storage_rejected: /);
  });

  test('to itself for ever is rejected', async () => {
    serve = (_request, response) => void response.writeHead(302, { location: '/a.csv' }).end();
    expect(await errorOf(listAll(open(`${server.url}/a.csv`)))).toMatch(
      /^storage_rejected: .* redirects more than/,
    );
    expect(seen).toHaveLength(6);
  });

  test('to the sign-in of Google says how to share the sheet', async () => {
    const location = 'https://accounts.google.com/ServiceLogin?continue=x';
    serve = (_request, response) => void response.writeHead(302, { location }).end();
    expect(await errorOf(listAll(open(`${server.url}/a.csv`)))).toContain('"Anyone with the link"');
  });
});

test.each([
  'http://169.254.169.254/x',
  'http://example.com/x',
  'https://10.0.0.1/x',
  'https://[::1]/x',
  'https://2130706433/x',
])('web address %s is not called, unless the operator allows it', async (address) => {
  expect(await errorOf(listAll(open(address, { allowed: [] })))).toMatch(/^storage_rejected: /);
});

test('web address with a host that resolves to a private address is not called', async () => {
  const lookup: LookupFunction = (_name, _options, callback) =>
    callback(null, [{ address: '192.168.1.1', family: 4 }]);
  expect(await errorOf(listAll(open('https://files.example/a.csv', { allowed: [], lookup })))).toContain(
    'not public',
  );
});
