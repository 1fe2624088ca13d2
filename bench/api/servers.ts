import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Closers } from '../../src/closers.ts';
import { productEnvironment, program } from '../product/command.ts';

/** Starts `nightshift serve` on the private server of a home, with very high rate limits. Returns its address. */
export async function startProductServer(home: string, closers: Closers): Promise<string> {
  const child = spawn(process.execPath, [program, 'serve'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: productEnvironment({
      NIGHTSHIFT_HOME: home,
      NIGHTSHIFT_SOURCES: 'snapshot',
      NIGHTSHIFT_KEY_REQUESTS_PER_MINUTE: '100000000',
      NIGHTSHIFT_ACCOUNT_REQUESTS_PER_MINUTE: '100000000',
      NIGHTSHIFT_BAD_KEYS_PER_MINUTE: '100000000',
      PORT: '0',
    }),
  });
  closers.add(child, (left) => void left.kill());
  for await (const line of createInterface(child.stderr)) {
    const url = /Console +(\S+)/.exec(line)?.[1];
    if (url !== undefined) {
      child.stderr.resume();
      return url;
    }
  }
  throw new Error('`nightshift serve` ended before it listened.');
}

/** Starts a server of the benchmark, which prints its address when it listens. */
export async function startServer(
  name: 'floor' | 'idle-hono',
  argument: string,
  closers: Closers,
): Promise<string> {
  const main = fileURLToPath(new URL(`./${name}-main.ts`, import.meta.url));
  const child = fork(main, [argument], { execArgv: ['--import', 'tsx'] });
  closers.add(child, (left) => void left.kill());
  const messages: readonly unknown[] = await once(child, 'message');
  return String(messages[0]);
}
