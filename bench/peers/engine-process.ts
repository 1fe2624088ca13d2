import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { z } from 'zod';
import type { Closers } from '../../src/closers.ts';
import type { PeerCompany } from './peer-task.ts';

/** Folder of the engines, each a program of its own. */
export const enginesFolder = join(import.meta.dirname, 'engines');

/** A process of an engine. */
export interface EngineProcess {
  readonly pid: number;
  /** Looks up companies, and resolves when all of them are committed and the queue is empty. */
  readonly run: (companies: readonly PeerCompany[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Servers and settings of an engine. */
export interface EnginePlace {
  readonly script: string;
  readonly node: string;
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
  readonly size: number;
  readonly seed: number;
}

const reply = z.object({ error: z.string().nullable() });

/** Starts an engine. It ends with the benchmark, however that ends. */
export async function startEngine(
  { script, node, ...place }: EnginePlace,
  closers: Closers,
): Promise<EngineProcess> {
  const child = fork(join(enginesFolder, script), [], {
    execPath: node,
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const ended = once(child, 'exit');
  const close = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  closers.add(child, close);

  async function ask(message: object): Promise<void> {
    const answered = once(child, 'message');
    child.send(message);
    const gone = ended.then(() => {
      throw new Error(`${script} ended in the middle of its work.`);
    });
    const messages: readonly unknown[] = await Promise.race([answered, gone]);
    const { error } = reply.parse(messages[0]);
    if (error !== null) throw new Error(`${script}: ${error}`);
  }

  await ask({ kind: 'open', ...place });
  return { pid: child.pid ?? 0, run: (companies) => ask({ kind: 'run', companies }), close };
}
