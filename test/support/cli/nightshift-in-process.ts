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
 * Changes the working folder; concurrent commands share it.
 */
export async function callNightshift(
  args: readonly string[],
  { folder, environment, input }: ProcessOptions,
): Promise<EndedProcess> {
  process.chdir(folder);
  const [stdout, stderr] = [new Written(), new Written()];
  const exitCode = await runProgram({
    args: ['node', join(binFolder, 'nightshift'), ...args],
    variables: { ...ownEnvironment(), PATH: binFolder, ...homeIn(folder), ...environment },
    stdin: Readable.from([Buffer.from(input)]),
    stdout,
    stderr,
    signal: new AbortController().signal,
  });
  return { exitCode, stdout: stdout.text(), stdoutBytes: stdout.bytes(), stderr: stderr.text() };
}

/** Stream that records its input. */
class Written extends Writable {
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
