import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';

/** Settings of the product, by variable name. */
export type Environment = Readonly<Record<string, string>>;

/** Result of a command. */
export interface EndedProcess {
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  /** Stdout as bytes, for binary output. */
  readonly stdoutBytes: Buffer;
  readonly stderr: string;
}

/** The real command line in a separate process. The end of the test kills it. */
export interface NightshiftProcess {
  readonly pid: number;
  /** Output on stderr so far. */
  readonly stderr: () => string;
  readonly isRunning: () => boolean;
  readonly ended: Promise<EndedProcess>;
  /** Resolves once stderr holds the text; rejects when the process ends before. */
  readonly waitForOutput: (text: string) => Promise<void>;
  /** `kill -9`; resolves when the process is gone. */
  readonly kill: () => Promise<void>;
  /** SIGTERM; resolves when the process has ended, without a timeout. */
  readonly stop: () => Promise<EndedProcess>;
  /** SIGINT, like Ctrl-C; resolves when the process has ended. */
  readonly interrupt: () => Promise<EndedProcess>;
}

const bin = join(import.meta.dirname, '../../../src/cli/nightshift.js');

/** The place that a process runs at. */
export interface HostedBy {
  /** Command that runs the program, whose arguments follow, in its own place. */
  readonly command: readonly string[];
  readonly environment: Environment;
}

/** Where and what a command runs. */
export interface ProcessOptions {
  /** Its folder; an empty one by default. */
  readonly folder?: string;
  /** Its standard input; empty by default. */
  readonly input?: string | Uint8Array;
  /** By default, this machine. */
  readonly host?: HostedBy;
  /** By default, that of the checkout. */
  readonly program?: string;
}

/** Starts `nightshift ARGS` for the length of a test. Of Nightshift's variables it receives only the given ones. */
export function startNightshift(
  args: readonly string[],
  environment: Environment,
  surroundings: ProcessOptions = {},
): NightshiftProcess {
  const started = spawnNightshift(args, environment, surroundings);
  onTestFinished(async () => void (started.isRunning() && (await started.kill())));
  return started;
}

/** `startNightshift` for hooks: the caller ends the process. */
export function spawnNightshift(
  args: readonly string[],
  environment: Environment,
  {
    folder = mkdtempSync(join(tmpdir(), 'nightshift-run-')),
    input = '',
    host,
    program = bin,
  }: ProcessOptions = {},
): NightshiftProcess {
  const [first = process.execPath, ...rest] = [...(host?.command ?? []), process.execPath, program, ...args];
  const child = spawn(first, rest, {
    cwd: folder,
    env: { ...ownEnvironment(), ...homeIn(folder), ...environment, ...host?.environment },
    stdio: 'pipe',
  });
  // A command that reads no input may end before the write.
  child.stdin.on('error', () => undefined).end(input);
  const chunks: Buffer[] = [];
  const written = { stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (written.stderr += text));
  const ended = once(child, 'close').then(() => {
    const stdoutBytes = Buffer.concat(chunks);
    return { exitCode: child.exitCode, stdout: stdoutBytes.toString(), stdoutBytes, ...written };
  });
  const signal = async (name: 'SIGKILL' | 'SIGTERM' | 'SIGINT') => {
    child.kill(name);
    return ended;
  };
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    pid: child.pid ?? 0,
    stderr: () => written.stderr,
    isRunning,
    ended,
    waitForOutput: (text) => untilWritten(child, written, text),
    kill: async () => void (await signal('SIGKILL')),
    stop: () => signal('SIGTERM'),
    interrupt: () => signal('SIGINT'),
  };
}

/**
 * Runs `nightshift ARGS` to its end.
 *
 * @throws Error when it takes longer than `timeoutMs` (default one minute).
 */
export async function runNightshift(
  args: readonly string[],
  environment: Environment,
  { timeoutMs = 60_000, ...surroundings }: ProcessOptions & { readonly timeoutMs?: number } = {},
): Promise<EndedProcess> {
  return runToEnd(startNightshift(args, environment, surroundings), args, timeoutMs);
}

/** @throws Error when the process takes longer, and is killed, or when Node warns of a leak. */
export async function runToEnd(
  running: NightshiftProcess,
  args: readonly string[],
  timeoutMs: number,
): Promise<EndedProcess> {
  let isOverdue = false;
  const timer = setTimeout(() => {
    isOverdue = true;
    void running.kill();
  }, timeoutMs);
  const ended = await running.ended;
  clearTimeout(timer);
  if (isOverdue) throw new Error(`nightshift ${args.join(' ')} took over ${timeoutMs} ms:\n${ended.stderr}`);
  if (ended.stderr.includes('MaxListenersExceededWarning'))
    throw new Error(`nightshift ${args.join(' ')} leaks listeners:\n${ended.stderr}`);
  return ended;
}

/**
 * Parses the JSON document that `nightshift ARGS --json` prints.
 *
 * @throws Error with its stderr if the exit code is not 0.
 */
export async function readNightshift(
  args: readonly string[],
  environment: Environment,
  options: ProcessOptions & { readonly timeoutMs?: number } = {},
): Promise<unknown> {
  const { exitCode, stdout, stderr } = await runNightshift([...args, '--json'], environment, options);
  if (exitCode !== 0)
    throw new Error(`nightshift ${args.join(' ')} ended with ${exitCode}:\n${stderr}${stdout}`);
  return JSON.parse(stdout) as unknown;
}

/**
 * The environment without Nightshift's variables, which tests never read, and without npm's: npm does not run a test's command. The data
 * folder of the user is a temporary one, so that no command finds the data of a developer.
 */
export function ownEnvironment(): NodeJS.ProcessEnv {
  const product = /^(NIGHTSHIFT_|DATABASE_URL|REDIS_URL|npm_command$)/;
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !product.test(name)));
  return { ...own, ...homeIn(tmpdir()) };
}

/** Setting of a home folder in the folder of a command. */
export function homeIn(folder: string): Environment {
  return { NIGHTSHIFT_HOME: join(folder, '.nightshift') };
}

function untilWritten(
  child: ChildProcessByStdio<Writable, Readable, Readable>,
  written: { readonly stderr: string },
  awaited: string,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const observation = () => void (written.stderr.includes(awaited) && resolve());
    child.stderr.on('data', observation);
    child.once('close', () =>
      reject(new Error(`The process ended before it said "${awaited}". It said:\n${written.stderr}`)),
    );
    observation();
  });
}
