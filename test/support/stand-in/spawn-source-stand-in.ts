import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { StandInOptions } from './source-stand-in.ts';
import { parseLogFile, type StandInCall } from './stand-in-log.ts';

/** A stand-in in a separate process. */
export interface SpawnedStandIn {
  readonly url: string;
  readonly key: string;
  /** Reads the calls that have ended so far from the log file, in order of arrival. */
  readonly readLog: () => readonly StandInCall[];
  /** Suspends the process: until `resume`, further calls wait for their answer. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly close: () => Promise<void>;
}

/** Starts `source-stand-in-main.ts` with these options and waits until it serves. */
export async function spawnSourceStandIn(
  options: Omit<StandInOptions, 'ads'> & { readonly logFile: string },
): Promise<SpawnedStandIn> {
  const main = fileURLToPath(new URL('./source-stand-in-main.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', main, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const { url, key } = parseGreeting(await firstLine(child.stdout, ended));
  return {
    url,
    key,
    readLog: () => parseLogFile(options.logFile),
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    close: async () => {
      child.kill('SIGCONT');
      child.kill();
      await ended;
    },
  };
}

async function firstLine(stdout: NodeJS.ReadableStream, ended: Promise<unknown>): Promise<string> {
  const line = once(createInterface({ input: stdout }), 'line').then(([text]) => String(text));
  const early = ended.then(() => Promise.reject(new Error('the stand-in ended before it served')));
  return Promise.race([line, early]);
}

function parseGreeting(line: string): { readonly url: string; readonly key: string } {
  return JSON.parse(line) as { readonly url: string; readonly key: string };
}
