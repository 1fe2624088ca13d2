import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import { createTestDatabase } from './database.ts';
import {
  runToEnd,
  spawnNightshift,
  type EndedProcess,
  type Environment,
  type NightshiftProcess,
} from './nightshift-process.ts';

/** What one run differs in. */
export interface RunOptions {
  /** On top of the desk's own settings. */
  readonly environment?: Environment;
  readonly input?: string | Uint8Array;
}

/** Where a person sits: a folder with their files, their settings, and the command line. */
export interface Desk {
  readonly folder: string;
  readonly environment: Environment;
  /** Starts `nightshift ARGS` in the folder. */
  readonly start: (args: readonly string[], options?: RunOptions) => NightshiftProcess;
  /** Runs it to its end, within half a minute. */
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<EndedProcess>;
  /** Runs it with `--json` and reads the one document it prints; rejects, with what it said, when it ends with another code. */
  readonly ask: (
    args: readonly string[],
    options?: RunOptions & { readonly exitCode?: number },
  ) => Promise<unknown>;
  readonly write: (name: string, content: string | Uint8Array) => void;
  readonly read: (name: string) => string;
  /** Kills what still runs and takes the folder away. */
  readonly close: () => Promise<void>;
}

const runMsMax = 30_000;

/** A desk with these settings. */
export function openDesk(settings: Environment): Desk {
  // Any free port: several desks serve at once.
  const environment = { PORT: '0', ...settings };
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'nightshift-desk-')));
  const started: NightshiftProcess[] = [];

  function start(args: readonly string[], options: RunOptions = {}): NightshiftProcess {
    const { input = '' } = options;
    const running = spawnNightshift(args, { ...environment, ...options.environment }, { folder, input });
    started.push(running);
    return running;
  }

  const run: Desk['run'] = (args, options) => runToEnd(start(args, options), args, runMsMax);

  const ask: Desk['ask'] = async (args, { exitCode = 0, ...options } = {}) => {
    const ended = await run([...args, '--json'], options);
    if (ended.exitCode === exitCode) return JSON.parse(ended.stdout) as unknown;
    throw new Error(`nightshift ${args.join(' ')} ended with ${ended.exitCode}:\n${ended.stderr}`);
  };

  return {
    folder,
    environment,
    start,
    run,
    ask,
    write: (name, content) => writeFileSync(join(folder, name), content),
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    close: async () => {
      await Promise.all(started.filter((one) => one.isRunning()).map((one) => one.kill()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface DeskOptions {
  /** Where the queue is. Default Postgres. */
  readonly queue?: 'postgres' | 'redis';
  readonly settings?: Environment;
  /** Load the sample ads. Default true. */
  readonly sample?: boolean;
}

/** A desk that all tests of a block share, with a database of its own. */
export function useDesk({ queue = 'postgres', settings = {}, sample = true }: DeskOptions = {}): () => Desk {
  let desk: Desk | undefined;
  let database: Awaited<ReturnType<typeof createTestDatabase>> | undefined;
  beforeAll(async () => {
    database = await createTestDatabase();
    desk = openDesk({ DATABASE_URL: database.url, ...queueSettings(queue), ...settings });
    if (sample) await desk.ask(['snapshot', 'load', '--sample']);
  });
  afterAll(async () => {
    await desk?.close();
    await database?.close();
  });
  return () => {
    if (desk === undefined) throw new Error('The desk is there once the tests run.');
    return desk;
  };
}

function queueSettings(queue: 'postgres' | 'redis'): Environment {
  const redisUrl = inject('redisUrl');
  if (queue === 'postgres' || redisUrl === null) return {};
  const prefix = `{test-${randomBytes(6).toString('hex')}}`;
  return { REDIS_URL: redisUrl, NIGHTSHIFT_QUEUE_PREFIX: prefix };
}
