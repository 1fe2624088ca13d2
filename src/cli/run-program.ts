import { CommanderError } from 'commander';
import type { Readable, Writable } from 'node:stream';
import type { App } from '../app.ts';
import { createClosers, type Closers } from '../closers.ts';
import { parseLogLevel, readConfig, type Config } from '../config/config.ts';
import { EnrichError, Misconfigured } from '../core/errors.ts';
import { createLog } from '../log.ts';
import type { CommandContext } from './command-context.ts';
import { readEnvironment } from './environment.ts';
import { exitCodeOf, exitCodes } from './exit-codes.ts';
import { createOutput } from './output.ts';
import { createProgram } from './program.ts';

/** What the command line has of its process. */
export interface Terminal {
  /** As in `process.argv`. */
  readonly args: readonly string[];
  /** As in `process.env`; settings are read from here. */
  readonly variables: NodeJS.ProcessEnv;
  readonly stdin: Readable;
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** Aborts with Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
}

/** Runs the command that the arguments name. Resolves to the exit code when everything it opened is closed. */
export async function runProgram(terminal: Terminal): Promise<number> {
  let exitCode: number = exitCodes.done;
  const program = createProgram(terminal, async (isJson, run) => {
    exitCode = await runCommand(terminal, isJson, run);
  });
  try {
    await program.parseAsync([...terminal.args]);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUsage;
    throw error;
  }
  return exitCode;
}

/** Runs one command with all it needs, closes what it opened, and turns an error into words and an exit code. */
async function runCommand(
  terminal: Terminal,
  isJson: boolean,
  run: (context: CommandContext) => Promise<number>,
): Promise<number> {
  const closers = createClosers();
  try {
    const environment = readEnvironment(terminal.variables);
    return await run(createContext({ ...terminal, isJson, environment, closers }));
  } catch (error) {
    return report(terminal, error);
  } finally {
    await closers.close();
  }
}

function createContext({
  environment,
  closers,
  stdin,
  signal,
  ...streams
}: Pick<Terminal, 'stdin' | 'stdout' | 'stderr' | 'signal'> & {
  readonly isJson: boolean;
  readonly environment: CommandContext['environment'];
  readonly closers: Closers;
}): CommandContext {
  const output = createOutput({ ...streams, environment });
  let config: Config | undefined;
  let app: Promise<App> | undefined;
  const log = createLog(parseLogLevel(environment['NIGHTSHIFT_LOG_LEVEL']));
  const readOnce = () => (config ??= readConfig(environment));
  return {
    output,
    log,
    stdin,
    signal,
    environment,
    config: readOnce,
    app: () => (app ??= openOnce()),
    onEnd: (close) => void closers.add(undefined, close),
  };

  async function openOnce(): Promise<App> {
    const { openApp } = await import('../app.ts');
    const onProgress = (message: string) => output.note(`${message} …`);
    return closers.add(await openApp(readOnce(), { onProgress, log }), (opened) => opened.close());
  }
}

/** Expected errors are told in their own words; anything else is a defect of ours and keeps its stack. */
function report({ stderr, signal }: Terminal, error: unknown): number {
  if (signal.aborted) return exitCodes.interrupted;
  if (error instanceof EnrichError) {
    const title = error instanceof Misconfigured ? 'Configuration' : 'Error';
    stderr.write(`${title}: ${error.message}\n${causeOf(error)}`);
  } else {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    stderr.write(`Unexpected error, please report it:\n${stack}\n`);
  }
  return exitCodeOf(error);
}

/** What lies behind an error of the servers, in one line: the message above says what to do, this says what was met. */
function causeOf({ cause, message }: Error): string {
  const met = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : '';
  return met === '' || message.includes(met) ? '' : `  (${met})\n`;
}
