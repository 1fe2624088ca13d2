import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { vi } from 'vitest';
import { waitMsMax } from '../wait-bound.ts';
import { findRedisProgram, freePort } from './test-redis.ts';

/** A real server or sentinel on loopback, with a file of settings that it may rewrite. */
export interface RedisProcess {
  readonly port: number;
  /** Client of this process alone; it reconnects. */
  readonly client: Redis;
  /** `kill -9`; resolves when the process is gone. */
  readonly kill: () => Promise<void>;
  /** SIGSTOP: connections stay open, and nothing answers. */
  readonly freeze: () => void;
  /** SIGCONT after `freeze`, or another process with the same files after `kill`. */
  readonly bringBack: () => Promise<void>;
  /** Kills it and deletes its files. */
  readonly close: () => Promise<void>;
}

/** Options of a process: lines of redis.conf, further arguments, and the password that clients need. */
export interface RedisProcessOptions {
  readonly settings: readonly string[];
  readonly args?: readonly string[];
  readonly password?: string;
}

/** Starts it on a free port and waits until it answers. */
export async function startRedisProcess({
  settings,
  args = [],
  password,
}: RedisProcessOptions): Promise<RedisProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'nightshift-redis-'));
  const port = await freePort();
  const file = join(folder, 'redis.conf');
  writeFileSync(
    file,
    [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, 'save ""', ...settings, ''].join('\n'),
  );
  const client = new Redis({
    port,
    host: '127.0.0.1',
    ...(password === undefined ? {} : { password }),
    lazyConnect: true,
    enableReadyCheck: false,
    retryStrategy: () => 50,
    maxRetriesPerRequest: null,
    // A frozen server answers nothing.
    commandTimeout: 1000,
  });
  client.on('error', () => undefined);

  let child = start();
  function start(): ChildProcess {
    return spawn(findRedisProgram() ?? 'redis-server', [file, ...args], { stdio: 'ignore' });
  }

  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** A process that reads its files first answers with an error. */
  async function untilReady(): Promise<void> {
    await vi.waitFor(() => client.ping(), { timeout: waitMsMax, interval: 50 });
  }

  await untilReady();
  return {
    port,
    client,
    kill,
    freeze: () => void child.kill('SIGSTOP'),
    async bringBack() {
      if (child.exitCode !== null || child.signalCode !== null) child = start();
      else child.kill('SIGCONT');
      await untilReady();
    },
    async close() {
      client.disconnect();
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Settings of servers that hold the queue, which the product requires. */
export const queueSettings = [
  'appendonly yes',
  'maxmemory-policy noeviction',
  // A replica is filled at once, not after five seconds.
  'repl-diskless-sync-delay 0',
] as const;

/** Reads a field of INFO. */
export async function readInfo({ client }: RedisProcess, name: string): Promise<string> {
  return new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(await client.info())?.[1] ?? '';
}
