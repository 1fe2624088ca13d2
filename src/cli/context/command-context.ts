import type { Readable } from 'node:stream';
import type { App } from '../../app/app.ts';
import type { Config } from '../../config/config.ts';
import type { Logger } from '../../log.ts';
import type { Output } from '../terminal/output.ts';

/** Context of a command, created by `run-program.ts`. */
export interface CommandContext {
  readonly output: Output;
  readonly log: Logger;
  readonly stdin: Readable;
  /** Aborts with Ctrl-C or SIGTERM; a second one ends the process at once. */
  readonly signal: AbortSignal;
  /** Environment from which the configuration is read. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Reads the configuration once. @throws Misconfigured naming every mistake. */
  readonly config: () => Config;
  /** Opens the app on first use. It is closed when the command ends. */
  readonly app: () => Promise<App>;
  /** Registers a function to run when the command ends, newest first. */
  readonly onEnd: (close: () => Promise<void> | void) => void;
}

/** Implementation of a command, with parsed arguments and options. Resolves to the exit code. */
export type Command<Arguments extends readonly unknown[], Options> = (
  context: CommandContext,
  options: Options,
  ...args: Arguments
) => Promise<number>;
