import { CommanderError } from 'commander';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { App } from '../app/app.ts';
import { createClosers, type Closers } from '../closers.ts';
import { parseLogLevel, readConfig, type Config } from '../config/config.ts';
import { problemCodeOf, problemKinds } from '../api/http/problem.ts';
import { EnrichError, messageWithVendor, ValidationError } from '../core/errors.ts';
import { toLoggedError } from '../core/logged-error.ts';
import { createLog } from '../log.ts';
import type { CommandContext } from './context/command-context.ts';
import type { RunOptions } from './context/command-options.ts';
import { readEnvironment } from './process/environment.ts';
import { exitCodeOf, exitCodes } from './context/exit-codes.ts';
import { Interrupted } from './process/interrupted.ts';
import { findOwnCommand, withOwnCommand } from './process/own-command.ts';
import { explainWriteError } from './process/folder-errors.ts';
import { createOutput, type Output } from './terminal/output.ts';
import { createProgram } from './program.ts';
import type { TerminalStream } from './terminal/status-line.ts';

/** The parts of the process that the command line uses. */
export interface Terminal {
  /** Arguments, as in `process.argv`. */
  readonly args: readonly string[];
  /** Environment variables, as in `process.env`. Settings are read from here. */
  readonly variables: NodeJS.ProcessEnv;
  readonly stdin: Readable;
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: TerminalStream;
  /** Aborts with Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
}

/** Runs the command of the arguments. Resolves to the exit code when everything that it opened is closed. */
export async function runProgram(terminal: Terminal): Promise<number> {
  let exitCode: number = exitCodes.done;
  const program = createProgram(
    { ...terminal, ownCommand: findOwnCommand(terminal) },
    async (options, run) => {
      exitCode = await runCommand(terminal, options, run);
    },
  );
  try {
    await program.parseAsync([...terminal.args]);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return exitCodes.done;
    if (terminal.args.includes('--json')) await printUsageError(terminal, error);
    return exitCodes.wrongUsage;
  }
  return exitCode;
}

/** Runs one command in its context, closes what it opened, and translates an error to a message and an exit code. */
async function runCommand(
  terminal: Terminal,
  { isJson, mayCreate }: RunOptions,
  run: (context: CommandContext) => Promise<number>,
): Promise<number> {
  const closers = createClosers();
  const ownCommand = findOwnCommand(terminal);
  const commands = (text: string) => withOwnCommand(text, ownCommand);
  let output = createOutput({ ...terminal, isJson, commands, environment: terminal.variables });
  try {
    const environment = readEnvironment(terminal.variables);
    // A file `.env` can set colours and progress.
    output = createOutput({ ...terminal, isJson, commands, environment });
    return await run(createContext({ ...terminal, output, environment, closers, mayCreate }));
  } catch (error) {
    return await report(output, terminal, error);
  } finally {
    await closers.close();
  }
}

function createContext({
  environment,
  closers,
  stdin,
  signal,
  output,
  mayCreate,
}: Pick<Terminal, 'stdin' | 'signal'> & {
  readonly output: Output;
  readonly environment: CommandContext['environment'];
  readonly closers: Closers;
  readonly mayCreate: boolean;
}): CommandContext {
  let config: Config | undefined;
  let app: Promise<App> | undefined;
  const log = createLog(parseLogLevel(environment['NIGHTSHIFT_LOG_LEVEL']), (line) =>
    output.status.writeAbove(line),
  );
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
    const { openApp } = await import('../app/app.ts');
    const { useRefreshedFamilies } = await import('../adapters/families/refreshed-families.ts');
    useRefreshedFamilies(join(readOnce().home, 'lists'));
    const onProgress = (message: string) => output.note(`${message} …`);
    const opened = closers.add(await openApp(readOnce(), { onProgress, log, mayCreate }), (app) =>
      app.close(),
    );
    signal.throwIfAborted();
    return opened;
  }
}

/** Prints the message of an expected error, and the stack of any other, which is a defect. */
async function report(output: Output, { signal, variables }: Terminal, thrown: unknown): Promise<number> {
  const error = explainWriteError(thrown);
  if (signal.aborted) {
    output.note(error instanceof Interrupted ? error.message : 'Stopped.');
    return exitCodes.interrupted;
  }
  await printDocument(output, error, variables);
  if (error instanceof EnrichError) {
    output.error(`Error: ${messageWithVendor(error)}${causeOf(error)}`);
  } else {
    // A report of the error must not contain data of the file.
    output.error(`Unexpected error. Please report it:\n${toLoggedError(error).stack}`);
  }
  return exitCodeOf(error);
}

/** Prints an error as JSON on stdout, with `--json`. The code for it is loaded on demand. */
async function printDocument(
  output: Output,
  error: unknown,
  variables: Terminal['variables'],
): Promise<void> {
  if (!output.isJson) return;
  const { toErrorBody } = await import('./terminal/error-body.ts');
  output.errorDocument(() => toErrorBody(error, output.commands(messageOf(error)), variables));
}

/** Message of an expected error. The message of another may contain data of the file. */
function messageOf(error: unknown): string {
  return error instanceof EnrichError ? messageWithVendor(error) : problemKinds[problemCodeOf(error)].title;
}

/** Prints an error of the arguments as JSON. Its text is on stderr already. */
function printUsageError(terminal: Terminal, error: CommanderError): Promise<void> {
  const { variables } = terminal;
  const output = createOutput({ ...terminal, isJson: true, environment: variables });
  return printDocument(output, new ValidationError(error.message.replace(/^error: /, '')), variables);
}

/** Formats the cause of an error in one line if the message does not contain it. */
function causeOf({ cause, message }: Error): string {
  const detail = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : '';
  return detail === '' || message.includes(detail) ? '' : `\n  (${detail})`;
}
