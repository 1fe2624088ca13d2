import { CommanderError } from 'commander';
import { createClosers } from '../closers.ts';
import type { App } from '../app.ts';
import { parseLogLevel, readConfig, type Config } from '../config.ts';
import { EnrichError, Misconfigured } from '../core/errors.ts';
import { createLog } from '../log.ts';
import type { CommandContext } from './command-context.ts';
import { readEnvironment } from './environment.ts';
import { exitCodeOf, exitCodes } from './exit-codes.ts';
import { createOutput } from './output.ts';
import { createProgram } from './program.ts';

/** The process: its arguments, its environment, its signals and its exit code are known here and nowhere else. */
const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (interrupt.signal.aborted) process.exit(exitCodes.interrupted);
    interrupt.abort(new Error(`Stopped by ${signal}.`));
  });
}
// A reader of our stdout that goes away (`| head`) ends the output, not with an error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.done);
  throw error;
});
// Nobody reads the progress any more (`2>&1 | head`): the work, which is paid for, goes on.
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await main(process.argv);

async function main(args: readonly string[]): Promise<number> {
  let exitCode: number = exitCodes.done;
  const program = createProgram(async (isJson, run) => {
    exitCode = await runCommand(isJson, run);
  });
  try {
    await program.parseAsync([...args]);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUsage;
    throw error;
  }
  return exitCode;
}

/** Runs one command with all it needs, closes what it opened, and turns an error into words and an exit code. */
async function runCommand(
  isJson: boolean,
  run: (context: CommandContext) => Promise<number>,
): Promise<number> {
  const closers = createClosers();
  try {
    const environment = readEnvironment(process.env);
    const output = createOutput({ isJson, stdout: process.stdout, stderr: process.stderr, environment });
    return await run(createContext({ environment, output, closers }));
  } catch (error) {
    return report(error);
  } finally {
    await closers.close();
  }
}

function createContext({
  environment,
  output,
  closers,
}: {
  environment: Readonly<Record<string, string | undefined>>;
  output: CommandContext['output'];
  closers: ReturnType<typeof createClosers>;
}): CommandContext {
  let config: Config | undefined;
  let app: Promise<App> | undefined;
  const log = createLog(parseLogLevel(environment['NIGHTSHIFT_LOG_LEVEL']));
  const readOnce = () => (config ??= readConfig(environment));
  return {
    output,
    log,
    stdin: process.stdin,
    signal: interrupt.signal,
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
function report(error: unknown): number {
  if (interrupt.signal.aborted) return exitCodes.interrupted;
  if (error instanceof EnrichError) {
    const title = error instanceof Misconfigured ? 'Configuration' : 'Error';
    process.stderr.write(`${title}: ${error.message}\n${causeOf(error)}`);
  } else {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`Unexpected error, please report it:\n${stack}\n`);
  }
  return exitCodeOf(error);
}

/** What lies behind an error of the servers, in one line: the message above says what to do, this says what was met. */
function causeOf({ cause, message }: Error): string {
  const met = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : '';
  return met === '' || message.includes(met) ? '' : `  (${met})\n`;
}
