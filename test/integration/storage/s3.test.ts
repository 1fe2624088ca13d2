import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { readAllowedHosts } from '../../../src/adapters/http/allowed-hosts.ts';
import { openS3Storage } from '../../../src/adapters/storage/s3.ts';
import type { StorageTimes } from '../../../src/adapters/storage/time-limits.ts';
import type { Credentials } from '../../../src/core/storage/credentials.ts';
import { parseLocation, type S3Location } from '../../../src/core/storage/location.ts';
import type { Storage } from '../../../src/core/storage/storage.ts';
import { errorOf as failureOf } from '../../support/storage/error-of.ts';
import { storageContract } from '../../contract/storage.contract.ts';
import {
  findFile,
  listAll,
  localFile,
  never,
  readAll,
  readPath,
  store,
} from '../../support/storage/local-files.ts';
import { listXml, openS3StandIn, type S3StandIn } from '../../support/storage/s3-stand-in.ts';

const credentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'secret-key/+=',
  sessionToken: 'session-token',
};
const key = { ...credentials, region: 'eu-test-1' };
/** For a machine that is busy. */
const times = { answerMs: 15_000, transferMs: 60_000 };
/** For servers that never answer. */
const shortTimes = { answerMs: 400, transferMs: 20_000 };
const secrets = /secret-key|session-token/;

let s3: S3StandIn;
let buckets = 0;

beforeAll(async () => {
  s3 = await openS3StandIn({ key, buckets: Array.from({ length: 200 }, (_, i) => `lists-${i}`) });
});
afterAll(() => s3.close());

interface Opening {
  readonly bucket?: string;
  readonly endpoint?: string;
  readonly region?: string;
  readonly credentials?: Credentials | null;
  readonly allowed?: readonly string[];
  readonly times?: StorageTimes;
}

function openBucket(opening: Opening = {}): Storage {
  const {
    bucket = `lists-${buckets}`,
    endpoint = s3.url,
    region = 'eu-test-1',
    allowed = ['127.0.0.1'],
  } = opening;
  const location = parseLocation(`s3://${bucket}/in/größe 1+1`, { endpoint, region }) as S3Location;
  const storage = openS3Storage(location, {
    credentials: opening.credentials === undefined ? credentials : opening.credentials,
    isAllowedHost: readAllowedHosts(allowed),
    times: opening.times ?? times,
  });
  onTestFinished(() => storage.close());
  return storage;
}

const errorOf = (attempt: Promise<unknown>) => failureOf(attempt, secrets);

storageContract(async () => {
  buckets += 1;
  return openBucket();
});

describe('storage of a bucket', () => {
  beforeEach(() => {
    buckets += 1;
  });

  test('stores objects below its prefix, and sees no others', async () => {
    const storage = openBucket();
    await store(storage, 'a.csv', 'x');
    expect([...s3.objects.keys()]).toContain(`lists-${buckets}/in/größe 1+1/a.csv`);
    expect(await listAll(openBucket({ bucket: 'lists-0' }))).toEqual([]);
  });

  test('reads a bucket of everyone without an access key', async () => {
    const open = await openS3StandIn({ key: null, buckets: ['public'] });
    onTestFinished(open.close);
    const storage = openBucket({ bucket: 'public', endpoint: open.url, credentials: null });
    await store(storage, 'a.csv', 'x');
    expect((await readPath(storage, 'a.csv')).toString()).toBe('x');
  });

  test.each([
    [
      'a wrong secret',
      { credentials: { ...credentials, secretAccessKey: 'secret-key-2' } },
      'SignatureDoesNotMatch',
    ],
    [
      'an unknown access key',
      { credentials: { ...credentials, accessKeyId: 'AKID2' } },
      'InvalidAccessKeyId',
    ],
    ['an old session', { credentials: { ...credentials, sessionToken: 'session-token-2' } }, 'InvalidToken'],
    ['no access key', { credentials: null }, 'AccessDenied'],
    ['a missing bucket', { bucket: 'missing' }, 'NoSuchBucket. Check the name of the bucket'],
    ['a wrong region', { region: 'us-east-1' }, 'Use the region eu-test-1'],
  ])('reports %s with the code of S3 and what to do', async (_, opening, message) => {
    const storage = openBucket(opening);
    const file = { path: 'a.csv', bytes: 1, modifiedAt: null, version: 'x' };
    for (const attempt of [
      () => listAll(storage),
      () => storage.read(file, never),
      () => store(storage, 'a.csv', 'x'),
      () => storage.move('a.csv', 'b.csv', never),
      () => storage.remove('a.csv', never),
    ]) {
      const error = await errorOf(attempt());
      expect(error).toMatch(/^storage_rejected: The bucket .* at 127\.0\.0\.1:\d+ answered 4\d\d /);
      expect(error).toContain(message);
    }
  });

  test.each([
    [500, 'InternalError'],
    [503, 'SlowDown'],
    [503, undefined],
    [429, undefined],
    [400, 'RequestTimeout'],
    [409, 'OperationAborted'],
  ])('reports %i %s as unavailable, and works afterwards', async (status, code) => {
    const storage = openBucket();
    s3.failWith({ kind: 'error', status, ...(code === undefined ? {} : { code }) });
    expect(await errorOf(listAll(storage))).toMatch(/^storage_unavailable: /);
    expect(await listAll(storage)).toEqual([]);
  });

  test('reports a large file that is rejected at its beginning with the answer', async () => {
    const storage = openBucket({ credentials: { ...credentials, secretAccessKey: 'secret-key-2' } });
    const error = await errorOf(store(storage, 'a.csv', Buffer.alloc(20_000_000)));
    expect(error).toMatch(/SignatureDoesNotMatch|cut off/);
  });

  test.each([['silence'], ['slow body']] as const)('ends an operation after its time: %s', async (kind) => {
    const storage = openBucket({ times: shortTimes });
    await store(openBucket(), 'a.csv', Buffer.alloc(100_000));
    const file = await findFile(openBucket(), 'a.csv');
    s3.failWith({ kind }, undefined, Infinity);
    onTestFinished(() => s3.failWith({ kind }, undefined, 0));
    const started = performance.now();
    expect(await errorOf(listAll(storage))).toMatch(/^storage_unavailable: .* gave no answer within 0\.4 s/);
    expect(await errorOf(storage.read(file, never).then(readAll))).toMatch(/^storage_unavailable: /);
    if (kind === 'silence')
      expect(await errorOf(store(storage, 'b.csv', 'x'))).toMatch(/^storage_unavailable: /);
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  test('ends a file that stops in the middle of the way to the bucket', async () => {
    const storage = openBucket({ times: shortTimes });
    // Never reads the body, so that the buffers of the system fill.
    s3.failWith({ kind: 'answer', send: (_response, request) => void request.pause() });
    expect(await errorOf(store(storage, 'a.csv', Buffer.alloc(30_000_000)))).toMatch(
      /^storage_unavailable: /,
    );
  });

  test('a repetition after a lost answer changes nothing', async () => {
    const storage = openBucket();
    const lost = async (operation: () => Promise<unknown>, method: string) => {
      s3.failWith({ kind: 'lost answer' }, (request) => request.method === method);
      expect(await errorOf(operation())).toMatch(/^storage_unavailable: .* cut off the connection/);
      await operation();
    };
    await lost(() => store(storage, 'a.csv', 'content'), 'PUT');
    await lost(() => storage.move('a.csv', 'done/a.csv', never), 'PUT');
    await store(storage, 'a.csv', 'content');
    await lost(() => storage.move('a.csv', 'done/a.csv', never), 'DELETE');
    expect((await listAll(storage)).map(({ path }) => path)).toEqual(['done/a.csv']);
    await lost(() => storage.remove('done/a.csv', never), 'DELETE');
    expect(await listAll(storage)).toEqual([]);
  });

  test('an error within a successful answer to a copy leaves the file where it is', async () => {
    const storage = openBucket();
    await store(storage, 'a.csv', 'x');
    const body = '<Error><Code>InternalError</Code><Message>no</Message></Error>';
    s3.failWith({ kind: 'answer', send: (response) => void response.writeHead(200).end(body) });
    expect(await errorOf(storage.move('a.csv', 'b.csv', never))).toMatch(/^storage_unavailable: /);
    expect((await listAll(storage)).map(({ path }) => path)).toEqual(['a.csv']);
  });

  test('an object that a service sends despite another entity tag is reported as changed', async () => {
    const storage = openBucket();
    const file = { path: 'a.csv', bytes: 1, modifiedAt: null, version: 'one' };
    s3.failWith({
      kind: 'answer',
      send: (response) => void response.writeHead(200, { etag: '"two"' }).end('x'),
    });
    expect(await errorOf(storage.read(file, never))).toMatch(/^conflict: /);
    expect(s3.requests.at(-1)?.headers['if-match']).toBe('"one"');
  });
});

describe('storage of a hostile bucket', () => {
  beforeEach(() => {
    buckets += 1;
  });

  test.each([
    ['http://169.254.169.254'],
    ['http://127.0.0.1:9'],
    ['http://[::1]:9'],
    ['https://169.254.169.254'],
    ['https://127.0.0.1:9'],
    ['https://[::1]:9'],
    ['https://localhost:9'],
    ['http://example.com'],
    ['https://example.com:22'],
  ])('is not called at %s', async (endpoint) => {
    expect(await errorOf(listAll(openBucket({ endpoint, allowed: [] })))).toMatch(/^storage_rejected: /);
  });

  test.each([301, 302, 307, 308])('is not followed to another host: %i', async (status) => {
    const other = await openS3StandIn({ key: null, buckets: ['public'] });
    onTestFinished(other.close);
    const send = { location: `${other.url}/public?list-type=2`, 'x-amz-bucket-region': 'eu-west-9' };
    s3.failWith({ kind: 'answer', send: (response) => void response.writeHead(status, send).end() });
    expect(await errorOf(listAll(openBucket()))).toContain('Use the region eu-west-9');
    s3.failWith({
      kind: 'answer',
      send: (response) => void response.writeHead(status, { location: other.url }).end(),
    });
    expect(await errorOf(listAll(openBucket()))).toContain('a redirect, which is not followed');
    expect(other.requests).toEqual([]);
  });

  const contents = (name: string) =>
    `<Contents><Key>${name}</Key><ETag>1</ETag><Size>1</Size><LastModified>2026-01-01T00:00:00Z</LastModified></Contents>`;
  const truncated = '<IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>';
  const prefix = encodeURIComponent('in/größe 1+1/');
  const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>`;

  test.each([
    ['the same page for ever', listXml(`${truncated}${contents(`${prefix}a.csv`)}`)],
    ['pages without objects for ever', listXml(truncated)],
    ['a page without a token', listXml('<IsTruncated>true</IsTruncated>')],
    ['objects out of order', listXml(contents(`${prefix}b`) + contents(`${prefix}a`))],
    ['objects outside of the prefix', listXml(contents('other/a.csv'))],
    ['an object without a size', listXml(`<Contents><Key>${prefix}a</Key><ETag>1</ETag></Contents>`)],
    ['a key with a broken escape', listXml(contents(`${prefix}%zz`))],
    ['an XML bomb', `${bomb}${listXml(contents('&b;'))}`],
    ['deep elements', listXml('<a>'.repeat(10_000))],
    ['a page of a proxy', '<html><body>Sign in</body></html>'],
    ['no XML', 'list'],
    ['nothing', ''],
  ])('answers a list with %s, and is rejected', async (_, body) => {
    s3.failWith(
      { kind: 'answer', send: (response) => void response.writeHead(200).end(body) },
      undefined,
      20,
    );
    onTestFinished(() => s3.failWith({ kind: 'silence' }, undefined, 0));
    expect(await errorOf(listAll(openBucket()))).toMatch(/^storage_rejected: /);
  });

  test('lists no key that is no path below the root', async () => {
    const keys = ['', '../a.csv', '/a.csv', 'a//b.csv', 'a%5Cb.csv', 'b.csv', 'c%0A.csv', 'd/'];
    const body = listXml(keys.map((name) => contents(`${prefix}${name}`)).join(''));
    s3.failWith({ kind: 'answer', send: (response) => void response.writeHead(200).end(body) });
    expect((await listAll(openBucket())).map(({ path }) => path)).toEqual(['b.csv']);
  });

  test('ends a list without an end in bounded memory', async () => {
    let sent = 0;
    const endless = {
      kind: 'answer',
      send: (response) => {
        response.writeHead(200);
        response.write('<ListBucketResult>');
        const more = () => {
          sent += 1_000_000;
          if (response.write(' '.repeat(1_000_000))) setImmediate(more);
          else response.once('drain', more);
        };
        more();
        response.on('close', () => response.removeAllListeners('drain'));
      },
    } as const satisfies Parameters<S3StandIn['failWith']>[0];
    s3.failWith(endless);
    expect(await errorOf(listAll(openBucket()))).toMatch(/^storage_rejected: .* answered more than/);
    expect(sent).toBeLessThan(64_000_000);
  });

  test('ends an answer with headers without an end', async () => {
    const headers = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`x-${i}`, 'x'.repeat(1000)]));
    s3.failWith({ kind: 'answer', send: (response) => void response.writeHead(200, headers).end() });
    expect(await errorOf(listAll(openBucket()))).toMatch(/^storage_(rejected|unavailable): /);
  });

  test('does not put the text of an error into its message', async () => {
    const body = `<Error><Code>secret-key and more</Code><Message>session-token</Message><Region>secret-key!</Region></Error>`;
    s3.failWith({ kind: 'answer', send: (response) => void response.writeHead(403).end(body) });
    expect(await errorOf(listAll(openBucket()))).toMatch(/answered 403\. Check the address/);
  });

  test('stores nothing of a file that changed after its digest was taken', async () => {
    const storage = openBucket();
    const file = { ...localFile('content'), sha256: localFile('others').sha256 };
    const error = await errorOf(storage.write('a.csv', file, { contentType: 'text/csv', signal: never }));
    expect(error).toMatch(/^conflict: /);
    expect(await listAll(storage)).toEqual([]);
  });
});
