import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Closers } from '../../src/closers.ts';
import { expectEqual } from '../support/expect.ts';
import { productEnvironment, program } from './command.ts';

/** A process of `nightshift work`. */
export interface ProductWorker {
  /** Never resolves; rejects when it ends before it is stopped. */
  readonly died: Promise<never>;
  /** Stops it in an orderly way. */
  readonly stop: () => Promise<void>;
}

/** Starts a worker on the private server of `home`; it ends with the benchmark, however that ends. */
export function startWorker(
  home: string,
  settings: Readonly<Record<string, string>>,
  closers: Closers,
): ProductWorker {
  const child = spawn(process.execPath, [program, 'work'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: productEnvironment({ NIGHTSHIFT_HOME: home, ...settings }),
  });
  const ended = once(child, 'exit');
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-1000)));
  let isStopping = false;
  const died = ended.then(() => {
    if (isStopping) return new Promise<never>(() => undefined);
    throw new Error(`A worker has ended with exit code ${child.exitCode}:\n${output}`);
  });
  died.catch(() => undefined);
  closers.add(child, (left) => void left.kill('SIGKILL'));
  return {
    died,
    stop: async () => {
      isStopping = true;
      child.kill('SIGTERM');
      await ended;
      expectEqual('The exit code of a worker', child.exitCode, 0);
    },
  };
}
