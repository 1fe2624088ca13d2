import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type LookupFunction, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { readAllowedHosts } from '../../../src/adapters/http/allowed-hosts.ts';
import { databaseName, openOwnDatabase } from '../../../src/adapters/postgres/connect.ts';
import { ownDatabaseError } from '../../../src/adapters/postgres/database-errors.ts';
import { parseLocation, type PostgresLocation } from '../../../src/core/storage/location.ts';
import { localCertificate } from '../../support/dns-smtp/local-certificate.ts';
import { errorOf as failureOf } from '../../support/storage/error-of.ts';
import { never } from '../../support/storage/local-files.ts';

const server = new URL(inject('postgresUrl'));
const role = 'storage_test_login';
const password = 'secret-password';
const errorOf = (attempt: Promise<unknown>) => failureOf(attempt, /secret-password/);

interface Opening {
  readonly host?: string;
  readonly port?: string | number;
  readonly user?: string;
  readonly database?: string;
  readonly sslMode?: PostgresLocation['sslMode'];
  readonly secret?: string;
  readonly allowed?: readonly string[];
  readonly lookup?: LookupFunction;
  readonly statementMs?: number;
  readonly connectMs?: number;
}

async function open(opening: Opening = {}) {
  const { host = '127.0.0.1', port = server.port, user = role, database = role } = opening;
  const { sslMode = 'disable', secret = password, allowed = ['127.0.0.1', 'localhost'], lookup } = opening;
  const address = `postgres://${user}@${host}:${port}/${database}?sslmode=${sslMode}`;
  const client = await openOwnDatabase(
    parseLocation(address) as PostgresLocation,
    secret === '' ? null : { password: secret },
    {
      isAllowedHost: readAllowedHosts(allowed),
      signal: never,
      connectMs: opening.connectMs ?? 20_000,
      ...(lookup === undefined ? {} : { lookup }),
      ...(opening.statementMs === undefined ? {} : { statementMs: opening.statementMs }),
    },
  );
  onTestFinished(() => client.end().catch(() => {}));
  return client;
}

/** Runs a statement of the owner of the test server. */
async function asOwner(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.href });
  await client.connect();
  await client.query(statement);
  await client.end();
}

beforeAll(async () => {
  await dropAll();
  await asOwner(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`);
  await asOwner(`CREATE DATABASE ${role} OWNER ${role}`);
});
afterAll(dropAll);

async function dropAll(): Promise<void> {
  await asOwner(`DROP DATABASE IF EXISTS ${role} WITH (FORCE)`);
  await asOwner(`DROP ROLE IF EXISTS ${role}`);
}

/** Listens on loopback; returns the port. */
async function listen(serve: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    serve(socket);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    listener.close();
  });
  return (listener.address() as AddressInfo).port;
}

describe('connection to a database of a user', () => {
  test('has a name and time limits', async () => {
    const client = await open({ statementMs: 12_345 });
    const { rows } = await client.query<{ name: string; timeout: string }>(
      "SELECT current_setting('application_name') AS name, current_setting('statement_timeout') AS timeout",
    );
    expect(rows).toEqual([{ name: 'nightshift', timeout: '12345ms' }]);
  });

  test('ends a statement after its time limit', async () => {
    const client = await open({ statementMs: 100 });
    const error = await client.query('SELECT pg_sleep(5)').catch((reason: unknown) => reason);
    const location = parseLocation('postgres://jane@db.example:5433/lists') as PostgresLocation;
    expect(ownDatabaseError(error, databaseName(location))).toMatchObject({
      code: 'storage_unavailable',
      message: 'The database lists at db.example:5433 cannot do it at the moment (57014).',
    });
  });

  test.each([
    ['a wrong password', { secret: 'secret-password-2' }, /^storage_rejected: .* rejects the password/],
    ['no password', { secret: '' }, /^storage_rejected: .* Check user and password/],
    ['an unknown user', { user: 'stranger' }, /^storage_rejected: .* Check user and password/],
    ['an unknown database', { database: 'missing' }, /^storage_rejected: .* does not exist/],
    ['TLS to a server without it', { sslMode: 'require' }, /^storage_rejected: .* does not support TLS/],
    [
      'a port where no one listens',
      { port: 9 },
      /^storage_unavailable: .* cannot be reached \(ECONNREFUSED\)/,
    ],
    [
      'a host without an address',
      { host: 'missing.invalid', allowed: ['missing.invalid'] },
      /^storage_unavailable: /,
    ],
  ] as const)('with %s is reported with what to do', async (_, opening, message) => {
    expect(await errorOf(open(opening))).toMatch(message);
  });

  test('uses no password of the environment', async () => {
    process.env['PGPASSWORD'] = password;
    onTestFinished(() => void delete process.env['PGPASSWORD']);
    expect(await errorOf(open({ secret: '' }))).toMatch(/^storage_rejected: /);
  });

  test('without TLS needs a host that the operator allows', async () => {
    const error = await errorOf(open({ host: 'db.example', allowed: [] }));
    expect(error).toMatch(/^storage_rejected: .* with TLS only.* NIGHTSHIFT_ALLOWED_HOSTS/);
  });

  test.each(['127.0.0.1', '169.254.169.254', '[::1]', 'localhost', '10.1.2.3', '2130706433'])(
    'to %s is rejected, unless the operator allows it',
    async (host) => {
      expect(await errorOf(open({ host, allowed: [], sslMode: 'require' }))).toMatch(
        /^storage_rejected: .* an address that is not public/,
      );
    },
  );

  test('to a name with one private address among others is rejected', async () => {
    const lookup: LookupFunction = (_name, _options, callback) =>
      callback(null, [
        { address: '8.8.8.8', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ]);
    expect(await errorOf(open({ host: 'db.example', allowed: [], sslMode: 'require', lookup }))).toContain(
      'not public',
    );
  });

  test('resolves the name once, and tries its addresses in turn', async () => {
    let lookups = 0;
    const lookup: LookupFunction = (_name, _options, callback) => {
      lookups += 1;
      callback(null, [
        { address: '127.0.0.9', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]);
    };
    const client = await open({ host: 'db.corp', allowed: ['db.corp'], lookup });
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    expect(lookups).toBe(1);
  });

  test('to a server that never answers ends after the time limit', async () => {
    const port = await listen(() => {});
    const started = performance.now();
    expect(await errorOf(open({ port, connectMs: 500 }))).toMatch(
      /^storage_unavailable: .* gave no answer within 0\.5 s/,
    );
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  test('to a server that ends it is reported as unavailable', async () => {
    const port = await listen((socket) => socket.end());
    expect(await errorOf(open({ port }))).toMatch(/^storage_unavailable: /);
  });

  test('that is lost between statements fails the next, and not the process', async () => {
    const client = await open();
    await asOwner(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`);
    await expect
      .poll(async () => {
        const error: unknown = await client.query('SELECT 1').catch((reason: unknown) => reason);
        return ownDatabaseError(error, 'The database');
      })
      .toMatchObject({ code: 'storage_unavailable' });
  });
});

describe('connection with TLS to a database of a user', () => {
  const names: (string | undefined)[] = [];

  /** Adds TLS to the test server. */
  const listenWithTls = () =>
    listen((socket) => {
      socket.once('data', () => {
        socket.write('S');
        const secured = new TLSSocket(socket, {
          isServer: true,
          ...localCertificate,
          SNICallback: (name, callback) => {
            names.push(name);
            callback(null, createSecureContext(localCertificate));
          },
        });
        secured.on('error', () => socket.destroy());
        const inner = connect(Number(server.port), '127.0.0.1');
        inner.on('error', () => socket.destroy());
        secured.pipe(inner).pipe(secured);
      });
    });

  test('rejects a certificate that no authority has signed, in the strictest mode', async () => {
    const port = await listenWithTls();
    expect(await errorOf(open({ host: 'localhost', port, sslMode: 'verify-full' }))).toMatch(
      /^storage_rejected: .* does not prove the host \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
    );
  });

  test('accepts any certificate with sslmode=require, and names the host, not its address', async () => {
    const port = await listenWithTls();
    names.length = 0;
    const client = await open({ host: 'localhost', port, sslMode: 'require' });
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    expect(names).toEqual(['localhost']);
    await open({ port, sslMode: 'require' });
    expect(names).toEqual(['localhost']);
  });
});
