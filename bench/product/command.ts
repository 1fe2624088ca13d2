import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Closers } from '../../src/closers.ts';
import { expectEqual } from '../support/expect.ts';
import { timed } from '../support/figures.ts';

/** The command line. */
export const program = fileURLToPath(new URL('../../src/cli/nightshift.js', import.meta.url));

/** Script that reports the peak memory of the process, in KiB, on a separate file descriptor. */
const reporter = `data:text/javascript,${encodeURIComponent(
  `import { writeSync } from 'node:fs';
   process.on('exit', () => writeSync(3, String(process.resourceUsage().maxRSS)));`,
)}`;

/** Credits of a new account: enough for every round of a benchmark. */
export const openingCredits = '10000000';

/** Result of a command. */
export interface CommandRun {
  /** Its output with `--json`. */
  readonly answer: unknown;
  /** Duration, including start and end of the process. */
  readonly seconds: number;
  /** Peak memory in MB of 10^6 bytes. */
  readonly peakRssMb: number;
}

/** Builds the product if it is outdated, so that no measured command does. */
export function buildProduct(): void {
  const { status } = spawnSync(process.execPath, [program, '--build-only'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  expectEqual('The exit code of the build', status, 0);
}

/** Environment of a process of the product: only these settings, and none of the shell that runs the benchmark. */
export function productEnvironment(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(
    ([name]) => !/^(NIGHTSHIFT_|DATABASE_URL|REDIS_URL|HOST$|PORT$)/.test(name),
  );
  return { ...Object.fromEntries(others), ...settings };
}

/** Runs a command like a user, on the private server of `home`. */
export async function runCommand(
  args: readonly string[],
  home: string,
  closers: Closers,
  settings: Readonly<Record<string, string>> = {},
): Promise<CommandRun> {
  const { seconds, value } = await timed(async () => {
    const child = spawn(process.execPath, ['--import', reporter, program, ...args, '--json'], {
      stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
      env: productEnvironment({
        NIGHTSHIFT_HOME: home,
        NIGHTSHIFT_OPENING_CREDITS: openingCredits,
        ...settings,
      }),
    });
    closers.add(child, (left) => void left.kill());
    const [answer, peak, [code]] = await Promise.all([
      text(child.stdout as Readable),
      text(child.stdio[3] as Readable),
      once(child, 'exit') as Promise<[number | null]>,
    ]);
    expectEqual(`The exit code of ${args[0] ?? 'nothing'}`, code, 0);
    return { answer: JSON.parse(answer) as unknown, peakRssMb: Math.round((Number(peak) * 1024) / 1e6) };
  });
  return { seconds, ...value };
}

/** A command that runs until it is stopped. */
export interface RunningCommand {
  /** Ends it like Ctrl-C and returns its peak memory in MB of 10^6 bytes. */
  readonly stop: () => Promise<number>;
}

/** Starts a command like a user, on the private server of `home`. */
export function startCommand(
  args: readonly string[],
  home: string,
  closers: Closers,
  settings: Readonly<Record<string, string>> = {},
): RunningCommand {
  const child = spawn(process.execPath, ['--import', reporter, program, ...args], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    env: productEnvironment({
      NIGHTSHIFT_HOME: home,
      NIGHTSHIFT_OPENING_CREDITS: openingCredits,
      ...settings,
    }),
  });
  closers.add(child, (left) => void left.kill());
  const peak = text(child.stdio[3] as Readable);
  return {
    stop: async () => {
      child.kill('SIGTERM');
      return Math.round((Number(await peak) * 1024) / 1e6);
    },
  };
}

/** Loads ads, and checks that all of them were loaded. */
export async function loadSnapshot(
  { file, rows }: { readonly file: string; readonly rows: number },
  home: string,
  closers: Closers,
): Promise<CommandRun> {
  const run = await runCommand(['snapshot', 'load', file], home, closers);
  expectEqual('Rows of the snapshot', loaded.parse(run.answer).rows, rows);
  return run;
}

const loaded = z.object({ rows: z.number() });
