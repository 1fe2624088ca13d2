import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { isFree } from '../../../src/postgres-server/system/port.ts';
import type { TestServer } from '../db/test-postgres.ts';

const notRun =
  'NOT RUN: the tests of the Redis queue. No Redis was found: install redis-server or valkey-server, or Docker, or set ' +
  'NIGHTSHIFT_TEST_REDIS_URL. The same tests ran on the Postgres queue.';

/**
 * Opens `NIGHTSHIFT_TEST_REDIS_URL`, otherwise `redis-server` or `valkey-server` on the path, otherwise a container. Without any
 * of them, returns null and prints one line; with `CI=true` it throws, so that CI never skips tests silently.
 */
export async function openTestRedis(): Promise<TestServer | null> {
  const given = process.env['NIGHTSHIFT_TEST_REDIS_URL'];
  if (given !== undefined) return { url: given, close: () => Promise.resolve() };
  const program = findRedisProgram();
  if (program !== undefined) return spawnRedis(program);
  const container = await startContainer();
  if (container !== null) return container;
  if (process.env['CI'] === 'true') throw new Error(notRun);
  process.stderr.write(`\n${notRun}\n\n`);
  return null;
}

/** Path of the server program, for tests that own their Redis. */
export function findRedisProgram(): string | undefined {
  return ['redis-server', 'valkey-server'].find(isOnPath);
}

function isOnPath(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
}

/** Starts a separate Redis on loopback with the required settings of the product: append-only file on, `noeviction`. */
export async function spawnRedis(program: string, options: { port?: number; folder?: string } = {}) {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'nightshift-redis-')));
  const port = options.port ?? (await freePort());
  const settings = ['--port', port, '--bind', '127.0.0.1', '--dir', folder, '--appendonly', 'yes'];
  const child = spawn(program, [...settings.map(String), '--save', '', '--maxmemory-policy', 'noeviction'], {
    stdio: 'ignore',
  });
  const url = `redis://127.0.0.1:${port}`;
  await waitUntilReady(url);
  return { url, port, folder, child, close: () => stopRedis(child, folder) };
}

async function stopRedis(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
  await rm(folder, { recursive: true, force: true });
}

async function waitUntilReady(url: string): Promise<void> {
  const client = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  await client.ping();
  client.disconnect();
}

/**
 * Finds a port for a server that may end and start again: below those that the system gives to connections, and below those of private servers, so
 * that nothing else takes it meanwhile.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 20_000);
  return (await isFree(port)) ? port : freePort();
}

async function startContainer(): Promise<TestServer | null> {
  const { GenericContainer } = await import('testcontainers');
  try {
    const container = await new GenericContainer('redis:7-alpine').withExposedPorts(6379).start();
    const url = `redis://${container.getHost()}:${container.getMappedPort(6379)}`;
    return { url, close: async () => void (await container.stop()) };
  } catch (error) {
    if (error instanceof Error && /container runtime/i.test(error.message)) return null;
    throw error;
  }
}
