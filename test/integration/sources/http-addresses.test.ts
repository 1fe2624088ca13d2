import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { LookupAddress } from 'node:dns';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createHttpClient } from '../../../src/adapters/http/http.ts';
import { EnrichError, Misconfigured } from '../../../src/core/errors.ts';
import { localCertificate } from '../../support/dns-smtp/local-certificate.ts';
import { listenOnLoopback, type Loopback } from '../../support/stand-in/loopback.ts';

const bounds = { signal: new AbortController().signal, deadlineMs: 10_000, bodyBytesMax: 1_000 };
let server: Loopback;
let port: string;

beforeAll(async () => {
  server = await listenOnLoopback(createServer((_request, response) => response.end('inside')));
  port = new URL(server.url).port;
});
afterAll(() => server.close());

interface Asking {
  readonly allowedHosts?: readonly string[];
  readonly lookup?: LookupFunction;
}

function openClient({ allowedHosts = [], lookup }: Asking) {
  const client = createHttpClient({ allowedHosts, ...(lookup === undefined ? {} : { lookup }) });
  onTestFinished(client.close);
  return client;
}

function call(address: string, asking: Asking = {}) {
  return openClient(asking).send(new URL(address), { method: 'GET' }, bounds);
}

/** A resolver that returns these addresses for every name, and counts its calls. */
function resolver(...addresses: readonly string[]) {
  const asked: string[] = [];
  const found: LookupAddress[] = addresses.map((address) => ({
    address,
    family: address.includes(':') ? 6 : 4,
  }));
  const lookup: LookupFunction = (hostname, options, callback) => {
    asked.push(hostname);
    const [first] = found;
    process.nextTick(() =>
      options.all === true ? callback(null, found) : callback(null, first?.address ?? '', first?.family),
    );
  };
  return { asked, lookup };
}

/** Expects a rejection without a connection. */
async function expectRefused(outcome: Promise<unknown>, host: string): Promise<void> {
  const before = server.connections();
  const error: unknown = await outcome.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Misconfigured);
  const { message } = error as Misconfigured;
  expect(message).toContain(`${host} has an address that is not public`);
  expect(message).toContain(`list ${host} in NIGHTSHIFT_ALLOWED_HOSTS`);
  expect(server.connections()).toBe(before);
}

describe('HTTP client does not connect to a private address', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['127.0.0.1.', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['0x7f000001', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['0177.0.0.01', '127.0.0.1'],
    ['%31%32%37.0.0.1', '127.0.0.1'],
    ['１２７.0.0.1', '127.0.0.1'],
    ['0', '0.0.0.0'],
    ['0.0.0.0', '0.0.0.0'],
    ['[::]', '::'],
    ['[::1]', '::1'],
    ['[0:0:0:0:0:0:0:1]', '::1'],
    ['[::ffff:127.0.0.1]', '::ffff:7f00:1'],
    ['[::ffff:7f00:1]', '::ffff:7f00:1'],
    ['[::127.0.0.1]', '::7f00:1'],
    ['[64:ff9b::127.0.0.1]', '64:ff9b::7f00:1'],
    ['[fe80::1]', 'fe80::1'],
    ['10.0.0.1', '10.0.0.1'],
    ['169.254.169.254', '169.254.169.254'],
  ])('written as %s', async (host, shown) => {
    await expectRefused(call(`http://${host}:${port}/`), shown);
    await expectRefused(call(`https://${host}:${port}/`), shown);
  });

  test.each([
    { addresses: ['127.0.0.1'] },
    { addresses: ['::1'] },
    { addresses: ['::ffff:127.0.0.1'] },
    { addresses: ['192.168.0.1'] },
    { addresses: ['fd00::1'] },
    { addresses: ['fe80::1%lo'] },
    { addresses: ['8.8.8.8', '127.0.0.1'] },
    { addresses: ['2001:4860:4860::8888', '10.0.0.1'] },
  ])('of a host name: $addresses', async ({ addresses }) => {
    const { lookup } = resolver(...addresses);
    const outcome = call(`http://shop.example:${port}/`, { lookup });
    await expectRefused(outcome, 'shop.example');
    const error = (await outcome.catch((thrown: unknown) => thrown)) as Error;
    expect(addresses.filter((address) => error.message.includes(address))).toEqual([]);
  });

  test('of the name of this machine in the system resolver', async () => {
    await expectRefused(call(`http://localhost:${port}/`), 'localhost');
    await expectRefused(call(`http://LocalHost:${port}/`), 'localhost');
  });

  test('that is only visible in the connection', async () => {
    let observations = 0;
    const turning = {
      family: 4,
      get address() {
        observations += 1;
        return observations === 1 ? '8.8.8.8' : '127.0.0.1';
      },
    };
    const lookup: LookupFunction = (_hostname, _options, callback) => callback(null, [turning]);
    const heard: string[] = [];
    const inner = await listenOnLoopback(
      createServer(({ url = '' }, response) => response.end(heard.push(url))),
    );
    onTestFinished(inner.close);
    const outcome = call(`http://shop.example:${new URL(inner.url).port}/`, { lookup });
    await expectRefused(outcome, 'shop.example');
    expect(heard).toEqual([]);
  });

  test('with another port than the allowed one', async () => {
    await expectRefused(
      call(`http://127.0.0.1:${port}/`, { allowedHosts: ['localhost', '127.0.0.1:1'] }),
      '127.0.0.1',
    );
    await expectRefused(call(`http://localhost:${port}/`, { allowedHosts: ['127.0.0.1'] }), 'localhost');
  });
});

describe('HTTP client connects to an allowed host', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.1:PORT', '2130706433'],
    ['localhost:PORT', 'localhost'],
    ['LocalHost', 'localhost.'],
    ['::ffff:7f00:1', '[::ffff:127.0.0.1]'],
  ])('%s, at %s', async (listed, host) => {
    const { lookup } = resolver('127.0.0.1');
    const allowedHosts = [listed.replace('PORT', port)];
    expect(await call(`http://${host}:${port}/`, { allowedHosts, lookup })).toMatchObject({ text: 'inside' });
  });

  test('with one name resolution per connection', async () => {
    const { lookup, asked } = resolver('127.0.0.1');
    const client = openClient({ allowedHosts: ['mirror.corp'], lookup });
    const before = server.connections();
    for (let n = 0; n < 20; n += 1) {
      await client.send(new URL(`http://mirror.corp:${port}/${n}`), { method: 'GET' }, bounds);
    }
    expect(asked.length).toBeLessThanOrEqual(2);
    expect(server.connections() - before).toBe(asked.length);
  });
});

describe('environment of the HTTP client', () => {
  const run = promisify(execFile);
  const main = fileURLToPath(new URL('../../support/stand-in/call-once-main.ts', import.meta.url));

  /** Calls an address in a separate process. */
  async function callOnce(address: string, environment: Readonly<Record<string, string>>): Promise<string> {
    const env = { ...process.env, ...environment };
    const { stdout } = await run(process.execPath, ['--import', 'tsx', main, address], { env });
    return stdout.trim();
  }

  async function serveTls(): Promise<string> {
    const secure = createTlsServer(localCertificate, (_request, response) => response.end('secure'));
    secure.listen(0, '127.0.0.1');
    await once(secure, 'listening');
    onTestFinished(() => void secure.close());
    return `https://localhost:${(secure.address() as AddressInfo).port}/`;
  }

  test('cannot disable the verification of certificates', async () => {
    const url = await serveTls();
    const outcome = await callOnce(url, { NODE_TLS_REJECT_UNAUTHORIZED: '0' });
    expect(outcome).toContain('cannot be reached (DEPTH_ZERO_SELF_SIGNED_CERT)');
    const error: unknown = await call(url, { allowedHosts: ['localhost'] }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(EnrichError);
    expect(error).toMatchObject({ code: 'source_unavailable', inDoubt: false });
  });

  test('adds certificates with NODE_EXTRA_CA_CERTS', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nightshift-ca-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'ca.pem'), localCertificate.cert);
    expect(await callOnce(await serveTls(), { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') })).toBe('secure');
  });

  test('does not set a proxy', async () => {
    const proxy = await listenOnLoopback(createServer((_request, response) => response.end('by proxy')));
    onTestFinished(proxy.close);
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'];
    const environment = Object.fromEntries(names.map((name) => [name, proxy.url]));
    const outcome = await callOnce(`http://localhost:${port}/`, { ...environment, NODE_USE_ENV_PROXY: '1' });
    expect([outcome, proxy.connections()]).toEqual(['inside', 0]);
  });
});
