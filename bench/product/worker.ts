import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Closers } from '../../src/closers.ts';
import { expectEqual } from '../support/expect.ts';
import { productEnvironment, program } from './command.ts';

/** A process of `nightshift work`. */
export interface ProductWorker {
  /** Ends it in good order. */
  readonly stop: () => Promise<void>;
}

/** Starts a worker over the private server of `home`; it ends with the benchmark, whatever ends that. */
export function startWorker(
  home: string,
  settings: Readonly<Record<string, string>>,
  closers: Closers,
): ProductWorker {
  const child = spawn(process.execPath, [program, 'work'], {
    stdio: ['ignore', 'ignore', 'ignore'],
    env: productEnvironment({ NIGHTSHIFT_HOME: home, ...settings }),
  });
  const ended = once(child, 'exit');
  closers.add(child, (left) => void left.kill('SIGKILL'));
  return {
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      expectEqual('The exit code of a worker', child.exitCode, 0);
    },
  };
}
