import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../../src/app/app.ts';
import { readConfig } from '../../../src/config/config.ts';
import { diagnose } from '../../../src/doctor/diagnose.ts';
import { createLog } from '../../../src/log.ts';
import { openChunkQueue } from '../../../src/queue/chunk-queue.ts';
import { openRedis } from '../../../src/queue/open-redis.ts';
import { reachRedis } from '../../../src/queue/reach-redis.ts';
import { openTestDatabase } from '../../support/db/database.ts';
import { runNightshift, type Environment } from '../../support/cli/nightshift-process.ts';
import { localCertificate } from '../../support/dns-smtp/local-certificate.ts';
import {
  queueSettings,
  startRedisProcess,
  type RedisProcess,
  type RedisProcessOptions,
} from '../../support/queue/redis-process.ts';
import { startCluster } from '../../support/queue/redis-cluster.ts';
import { masterName, startSentinels } from '../../support/queue/redis-sentinels.ts';
import { findRedisProgram, freePort } from '../../support/queue/test-redis.ts';

/** Starts a server for the length of a test. */
async function start(options: RedisProcessOptions): Promise<RedisProcess> {
  const started = await startRedisProcess(options);
  onTestFinished(started.close);
  return started;
}

/** Opens a client of the product for the length of a test. */
function open(url: string) {
  const client = openRedis(url, () => undefined);
  onTestFinished(() => client.disconnect());
  return client;
}

/** Message for the user when the product does not reach Redis. */
async function refusalOf(url: string): Promise<string> {
  const refusal: unknown = await reachRedis(open(url)).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'queue_unavailable' });
  return refusal instanceof Error ? refusal.message : '';
}

/** Findings of the doctor about Redis, as "status found". */
async function findings(redisUrl: string): Promise<ReadonlyMap<string, string>> {
  const { url } = await openTestDatabase();
  const diagnosis = await diagnose(readConfig({ DATABASE_URL: url, REDIS_URL: redisUrl }), {
    nodeVersion: '22.11.0',
    onProgress: () => undefined,
  });
  return new Map(diagnosis.findings.map(({ name, status, found }) => [name, `${status}: ${found}`]));
}

describe.skipIf(findRedisProgram() === undefined)(
  'Redis behind REDIS_URL (not run without redis-server)',
  () => {
    test('is asked again by a process whose first opening of the queue failed', async () => {
      const redis = await start({ settings: queueSettings });
      const { url } = await openTestDatabase();
      const config = readConfig({ DATABASE_URL: url, REDIS_URL: `redis://127.0.0.1:${redis.port}` });
      const app = await openApp(config, { log: createLog('silent'), onProgress: () => undefined });
      onTestFinished(() => app.close());
      await redis.kill();
      await expect(app.work.boardQueues()).rejects.toMatchObject({ code: 'queue_unavailable' });
      await redis.bringBack();
      await expect.poll(() => app.work.boardQueues()).not.toHaveLength(0);
    });

    test('is found by its sentinels, with the logins of both', async () => {
      const redis = await startSentinels({ replicas: 1, password: 'queue-pw', sentinelPassword: 'watch-pw' });
      onTestFinished(redis.close);
      const found = await findings(redis.url);
      expect(found.get('Redis topology')).toBe(
        `ok: master ${masterName}, 3 sentinels, 1 replica. A failover can lose the last jobs, which the dispatcher restores from Postgres`,
      );
      expect(found.get('queue')).toMatch(
        new RegExp(`^ok: on Redis \\S+ at 127.0.0.1:${redis.servers[0]?.port}$`),
      );

      const [unknown, wrong, without, wrongAtRedis, withoutAtRedis] = await Promise.all([
        refusalOf(redis.url.replace(masterName, 'day')),
        refusalOf(redis.url.replace('watch-pw', 'wrong-pw')),
        refusalOf(redis.url.replace(/\?.*/, '')),
        refusalOf(redis.url.replace('queue-pw', 'wrong-pw')),
        refusalOf(redis.url.replace(':queue-pw@', '')),
      ]);
      expect(unknown).toMatch(
        /^The sentinel \S+ knows no master of the name in REDIS_URL\. Correct the name/,
      );
      expect(wrong).toMatch(/^The sentinel \S+ rejected the login\. Set sentinelPassword/);
      expect(without).toMatch(/^The sentinel \S+ rejected the login\./);
      expect(wrongAtRedis).toMatch(/^Redis rejected the login\. Check user and password/);
      expect(withoutAtRedis).toMatch(/^Redis rejected the login\./);

      await redis.sentinels[2]?.kill();
      const { port = 0 } = redis.sentinels[2] ?? {};
      expect((await findings(redis.url)).get('Redis topology')).toMatch(
        new RegExp(`^warning: .* no answer from 127.0.0.1:${port}$`),
      );
      await redis.sentinels[1]?.kill();
      await redis.sentinels[0]?.kill();
      const refusal = await refusalOf(redis.url);
      expect(refusal).toMatch(/^No sentinel of REDIS_URL answers: .* Check that the sentinels are running/);
      expect(refusal).not.toMatch(/queue-pw|watch-pw/);
    });

    test('gets a write that a demoted master rejects, when sentinels name another', async () => {
      const [old, next] = [
        await start({ settings: queueSettings }),
        await start({ settings: queueSettings }),
      ];
      const sentinel = await start({
        settings: [`sentinel monitor ${masterName} 127.0.0.1 ${old.port} 1`],
        args: ['--sentinel'],
      });
      const client = open(`sentinel://127.0.0.1:${sentinel.port}/${masterName}`);
      expect(await client.set('a', 'old')).toBe('OK');
      // By hand, so that no sentinel ends the connections of the old master.
      await old.client.replicaof('127.0.0.1', next.port);
      await sentinel.client.call('SENTINEL', 'REMOVE', masterName);
      await sentinel.client.call('SENTINEL', 'MONITOR', masterName, '127.0.0.1', next.port, 1);
      const written = await Promise.all([
        client.set('a', 'new'),
        client.eval("redis.call('SET', KEYS[1], 'script') return 'done'", 1, 'b'),
      ]);
      expect(written).toEqual(['OK', 'done']);
      expect(await next.client.mget('a', 'b')).toEqual(['new', 'script']);
    });

    test('gets another connection when it became a replica, and the write is rejected', async () => {
      const [server, other] = [
        await start({ settings: queueSettings }),
        await start({ settings: queueSettings }),
      ];
      const client = open(`redis://127.0.0.1:${server.port}`);
      const idOf = async () => Number(await client.client('ID'));
      const before = await idOf();
      await server.client.replicaof('127.0.0.1', other.port);
      await expect(client.set('a', '1')).rejects.toThrow('READONLY');
      expect(await idOf()).toBeGreaterThan(before);
      await server.client.replicaof('NO', 'ONE');
      expect(await client.set('a', '1')).toBe('OK');
    });

    test('is asked by each call at the master of the queue alone, in a cluster', async () => {
      const cluster = await startCluster();
      onTestFinished(cluster.close);
      const connection = { kind: 'redis', client: open(cluster.url), prefix: '{test}' } as const;
      const queue = await openChunkQueue(connection, { onError: () => undefined });
      onTestFinished(() => queue.close());
      const masters = cluster.servers.slice(0, 3);
      await Promise.all(masters.map(({ client }) => client.config('RESETSTAT')));
      for (let n = 0; n < 20; n += 1) await queue.listMissing([]);
      const commands = await Promise.all(masters.map(({ client }) => client.info('commandstats')));
      expect(commands.filter((text) => /cmdstat_(ping|exists):/.test(text))).toHaveLength(1);
    });

    test('is not a cluster if several servers are named, and is one if one of its nodes is', async () => {
      const server = await start({ settings: queueSettings });
      const address = `redis://127.0.0.1:${server.port}`;
      expect(await refusalOf(`${address},${address}`)).toMatch(
        /^REDIS_URL lists several servers, but they are no/,
      );
      const node = await startNode(['cluster-announce-ip 127.0.0.1'], {});
      expect((await findings(`redis://127.0.0.1:${node.port}`)).get('Redis topology')).toMatch(
        /^problem: the server of REDIS_URL is a node of a cluster/,
      );
    });

    test('is unreachable with the reason', async () => {
      expect(await refusalOf(`redis://127.0.0.1:${await freePort()}`)).toMatch(
        /^Redis is unreachable: connect ECONNREFUSED .* Check that the server is running/,
      );
    });
  },
);

/** Starts a cluster of one node, which has all slots. */
async function startNode(
  settings: readonly string[],
  options: Partial<RedisProcessOptions>,
): Promise<RedisProcess> {
  const node = await start({
    ...options,
    settings: [
      ...queueSettings,
      'cluster-enabled yes',
      'cluster-config-file nodes.conf',
      `cluster-port ${await freePort()}`,
      ...settings,
    ],
  });
  await node.client.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16_383);
  return node;
}

describe.skipIf(findRedisProgram() === undefined)('TLS to Redis (not run without redis-server)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nightshift-ca-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];

  function serveTls(tlsPort: number): readonly string[] {
    writeFileSync(cert, localCertificate.cert);
    writeFileSync(key, localCertificate.key);
    return [
      `tls-port ${tlsPort}`,
      `tls-cert-file ${cert}`,
      `tls-key-file ${key}`,
      `tls-ca-cert-file ${cert}`,
      'tls-auth-clients no',
    ];
  }

  /** Findings of `nightshift doctor` in a process of its own: certificates are read when a process starts. */
  async function findingsOf(settings: Environment) {
    const { url } = await openTestDatabase();
    const { stdout } = await runNightshift(['doctor', '--json'], { DATABASE_URL: url, ...settings });
    const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string; found: string }[] };
    return new Map(checks.map(({ name, status, found }) => [name, `${status}: ${found}`]));
  }

  test('verifies the certificate, with those of NODE_EXTRA_CA_CERTS', async () => {
    const tlsPort = await freePort();
    const server = await start({ settings: [...queueSettings, ...serveTls(tlsPort)] });
    const settings = { REDIS_URL: `rediss://localhost:${tlsPort}`, NODE_EXTRA_CA_CERTS: cert };
    expect((await findingsOf(settings)).get('queue')).toMatch(/^ok: on Redis/);
    const refusal = await findingsOf({
      REDIS_URL: settings.REDIS_URL,
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    });
    expect(refusal.get('queue')).toBe('problem: the certificate of Redis is not trusted');
    const other = [`rediss://localhost:${server.port}`, `redis://localhost:${tlsPort}`];
    for (const answer of await Promise.all(other.map(refusalOf)))
      expect(answer).toMatch(/^Redis is unreachable: .* gives no answer\. .* use rediss:\/\//);
  });

  test('holds for all nodes of a cluster, with their login', async () => {
    const tlsPort = await freePort();
    await startNode(
      [
        ...serveTls(tlsPort),
        'tls-cluster yes',
        'requirepass queue-pw',
        'cluster-announce-ip 127.0.0.1',
        'cluster-announce-hostname localhost',
        'cluster-preferred-endpoint-type hostname',
        `cluster-announce-tls-port ${tlsPort}`,
      ],
      { password: 'queue-pw' },
    );
    const node = `rediss://:queue-pw@localhost:${tlsPort}`;
    const found = await findingsOf({ REDIS_URL: `${node},${node}`, NODE_EXTRA_CA_CERTS: cert });
    expect(found.get('queue')).toMatch(new RegExp(`^ok: on Redis \\S+ at localhost:${tlsPort}$`));
    expect(found.get('Redis topology')).toMatch(/^warning: cluster of 1 master, 0 replicas/);
  });

  test('holds for sentinels and the master that they name', async () => {
    const [tlsPort, sentinelPort] = [await freePort(), await freePort()];
    const tls = (port: number) => [...serveTls(port), 'tls-replication yes'];
    await start({ settings: [...queueSettings, ...tls(tlsPort)] });
    await start({
      settings: [...tls(sentinelPort), `sentinel monitor ${masterName} 127.0.0.1 ${tlsPort} 1`],
      args: ['--sentinel'],
    });
    const found = await findingsOf({
      REDIS_URL: `sentinel://localhost:${sentinelPort}/${masterName}?tls=true`,
      NODE_EXTRA_CA_CERTS: cert,
    });
    expect(found.get('queue')).toMatch(new RegExp(`^ok: on Redis \\S+ at 127.0.0.1:${tlsPort}$`));
    expect(found.get('Redis topology')).toMatch(/^warning: master main, 1 sentinel, 0 replicas/);
  });
});
