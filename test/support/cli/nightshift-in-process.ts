import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { runProgram } from '../../../src/cli/run-program.ts';
import { homeIn, ownEnvironment, type EndedProcess, type Environment } from './nightshift-process.ts';

/** Folder of a global installation, so that hints say `nightshift`. */
const binFolder = '/usr/local/bin';

/** Folder and standard input of a command. */
interface ProcessOptions {
  readonly folder: string;
  readonly environment: Environment;
  readonly input: string | Uint8Array;
}

/**
 * Runs `nightshift ARGS` in this process, in the same way as `main.ts`: starting a process takes half a second.
 *
 * Changes the working folder until it ends; concurrent commands share the folder. Other tests of the process rely on their own.
 */
export async function callNightshift(
  args: readonly string[],
  { folder, environment, input }: ProcessOptions,
): Promise<EndedProcess> {
  const [stdout, stderr] = [new Written(), new Written()];
  const exitCode = await inFolder(folder, () =>
    runProgram({
      args: ['node', join(binFolder, 'nightshift'), ...args],
      variables: { ...ownEnvironment(), PATH: binFolder, ...homeIn(folder), ...environment },
      stdin: Readable.from([Buffer.from(input)]),
      stdout,
      stderr,
      signal: new AbortController().signal,
    }),
  );
  return { exitCode, stdout: stdout.text(), stdoutBytes: stdout.bytes(), stderr: stderr.text() };
}

let running = 0;
let ownFolder = process.cwd();

async function inFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  if (running === 0) ownFolder = process.cwd();
  running += 1;
  process.chdir(folder);
  try {
    return await work();
  } finally {
    running -= 1;
    if (running === 0) process.chdir(ownFolder);
  }
}

/** Stream that records its input. */
export class Written extends Writable {
  readonly #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  text(): string {
    return this.bytes().toString();
  }
}
