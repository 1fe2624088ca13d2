import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import { createSnapshotStore } from '../../../db/stores/ads/snapshots.ts';
import { createTestDatabase } from '../db/database.ts';
import { callNightshift } from './nightshift-in-process.ts';
import {
  runToEnd,
  spawnNightshift,
  type EndedProcess,
  type Environment,
  type NightshiftProcess,
} from './nightshift-process.ts';
import { loadSample } from '../sources/snapshots.ts';

/** Options of one run. */
export interface RunOptions {
  /** Additions to the settings of the test CLI. */
  readonly environment?: Environment;
  readonly input?: string | Uint8Array;
}

/** Command line of a user, with a folder for files and settings. */
export interface TestCli {
  readonly folder: string;
  readonly environment: Environment;
  /** Starts `nightshift ARGS` in the folder. */
  readonly start: (args: readonly string[], options?: RunOptions) => NightshiftProcess;
  /** Runs it to its end, within 30 seconds; in a separate process by default. */
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<EndedProcess>;
  /** Runs it in the process of the test, regardless of the default. */
  readonly call: (args: readonly string[], options?: RunOptions) => Promise<EndedProcess>;
  /** Runs it in a separate process, regardless of the default. */
  readonly runApart: (args: readonly string[], options?: RunOptions) => Promise<EndedProcess>;
  /** Runs it with `--json` and parses the document that it prints; rejects with its output if the exit code differs. */
  readonly ask: (
    args: readonly string[],
    options?: RunOptions & { readonly exitCode?: number },
  ) => Promise<unknown>;
  readonly write: (name: string, content: string | Uint8Array) => void;
  readonly read: (name: string) => string;
  /** Kills running commands and removes the folder. */
  readonly close: () => Promise<void>;
}

const runMsMax = 90_000;

/** Opens a test CLI with these settings. */
export function openTestCli(
  settings: Environment,
  { inProcess = false }: { readonly inProcess?: boolean } = {},
): TestCli {
  // Any free port: several servers run at once.
  const environment = { PORT: '0', ...settings };
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'nightshift-desk-')));
  const started: NightshiftProcess[] = [];

  function start(args: readonly string[], options: RunOptions = {}): NightshiftProcess {
    const { input = '' } = options;
    const running = spawnNightshift(args, { ...environment, ...options.environment }, { folder, input });
    started.push(running);
    return running;
  }

  const call: TestCli['run'] = (args, { input = '', ...options } = {}) =>
    callNightshift(args, { folder, environment: { ...environment, ...options.environment }, input });

  const runApart: TestCli['run'] = (args, options) => runToEnd(start(args, options), args, runMsMax);

  const run = inProcess ? call : runApart;

  const ask: TestCli['ask'] = async (args, { exitCode = 0, ...options } = {}) => {
    const ended = await run([...args, '--json'], options);
    if (ended.exitCode === exitCode) return JSON.parse(ended.stdout) as unknown;
    throw new Error(`nightshift ${args.join(' ')} ended with ${ended.exitCode}:\n${ended.stderr}`);
  };

  return {
    folder,
    environment,
    start,
    run,
    call,
    runApart,
    ask,
    write: (name, content) => writeFileSync(join(folder, name), content),
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    close: async () => {
      await Promise.all(started.filter((one) => one.isRunning()).map((one) => one.kill()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface TestCliOptions {
  /** Run commands in the process of the test, if the start and end of a process do not matter. Default false. */
  readonly inProcess?: boolean;
  /** Server of the queue. Default Postgres. */
  readonly queue?: 'postgres' | 'redis';
  readonly settings?: Environment;
  /** Load the sample ads. Default true. */
  readonly sample?: boolean;
}

/** Opens a test CLI with its own database that all tests of a block share. */
export function useTestCli({
  queue = 'postgres',
  settings = {},
  sample = true,
  inProcess = false,
}: TestCliOptions = {}): () => TestCli {
  let service: TestCli | undefined;
  let database: Awaited<ReturnType<typeof createTestDatabase>> | undefined;
  beforeAll(async () => {
    database = await createTestDatabase();
    const environment = { DATABASE_URL: database.url, ...queueSettings(queue), ...settings };
    service = openTestCli(environment, { inProcess });
    if (sample) await loadSample(createSnapshotStore(database.app));
  });
  afterAll(async () => {
    await service?.close();
    await database?.close();
  });
  return () => {
    if (service === undefined) throw new Error('The desk is there once the tests run.');
    return service;
  };
}

/** Settings of an unused queue; on Postgres if there is no Redis. */
export function queueSettings(queue: 'postgres' | 'redis'): Environment {
  const redisUrl = inject('redisUrl');
  if (queue === 'postgres' || redisUrl === null) return {};
  const prefix = `{test-${randomBytes(6).toString('hex')}}`;
  return { REDIS_URL: redisUrl, NIGHTSHIFT_QUEUE_PREFIX: prefix };
}
