import type { Writable } from 'node:stream';
import { snakeKeys } from './snake-keys.ts';
import { columnsOf, createStatusLine, type StatusLine, type TerminalStream } from './status-line.ts';
import { createColors, safeForTerminal, terminalText, type Colors } from './terminal-text.ts';
import { wrapText } from './wrap-text.ts';

/** Output of a command: results on stdout, everything else on stderr. */
export interface Output {
  /** True for `--json`: stdout has one JSON document and nothing else. */
  readonly isJson: boolean;
  /** True if stderr is a terminal, on which progress can be drawn. */
  readonly isInteractive: boolean;
  /** True if stdout and stderr are terminals. A secret is printed on terminals only. */
  readonly isTerminal: boolean;
  readonly colors: Colors;
  /** Stream of results; foreign text cannot control the terminal. A command that takes it writes to it. */
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable;
  /** Status line of stderr; draws nothing if stderr is not a terminal. */
  readonly status: StatusLine;
  /** Returns the current width of the terminal of stderr. */
  readonly columns: () => number;
  /** Prints the result: `value` with `--json`, else the text, whose lines are wrapped to the width of a terminal. */
  result(value: unknown, text: () => string): void;
  /** Replaces `nightshift` in the commands of a result so that they run as printed. Messages and errors do that by themselves. */
  commands(text: string): string;
  /** Returns the maximum width of a table: that of the terminal, or Infinity in a pipe. */
  tableColumns(): number;
  /** Prints a message on stderr; silent with `--json`. */
  note(text: string): void;
  /** Prints an error on stderr, also with `--json`. */
  error(text: string): void;
  /** Prints the JSON document of an error on stdout, with `--json` and if nothing was printed there yet. */
  errorDocument(document: () => unknown): void;
}

export interface OutputOptions {
  readonly isJson: boolean;
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: TerminalStream;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Replaces `nightshift` in the commands of a text: `withOwnCommand`. Default: keeps them. */
  readonly commands?: (text: string) => string;
}

/** Creates the output of a command. Colours only on a terminal, never with `NO_COLOR` (no-color.org) or a dumb terminal. */
export function createOutput({
  isJson,
  stderr,
  environment,
  commands = (text) => text,
  ...options
}: OutputOptions): Output {
  const stdout = safeForTerminal(options.stdout);
  const mayColour = (environment['NO_COLOR'] ?? '') === '' && environment['TERM'] !== 'dumb';
  const status = createStatusLine(stderr);
  // In a pipe, lines stay whole.
  const toTerminal = (text: string) =>
    stderr.isTTY === true ? wrapText(terminalText(commands(text)), columnsOf(stderr)) : commands(text);
  const wrapped = (text: string) => (stdout.isTTY === true ? wrapText(text, columnsOf(stderr)) : text);
  let isPrinted = false;
  const print = (value: unknown) => void stdout.write(`${JSON.stringify(snakeKeys(value), jsonValue, 2)}\n`);
  return {
    isJson,
    isInteractive: stderr.isTTY === true && environment['TERM'] !== 'dumb' && environment['CI'] === undefined,
    isTerminal: stdout.isTTY === true && stderr.isTTY === true,
    colors: createColors(mayColour && stdout.isTTY === true && stderr.isTTY === true),
    get stdout() {
      isPrinted = true;
      return stdout;
    },
    stderr,
    status,
    columns: () => columnsOf(stderr),
    result: (value, text) => {
      isPrinted = true;
      if (isJson) print(value);
      else stdout.write(`${wrapped(text())}\n`);
    },
    commands,
    tableColumns: () => (stdout.isTTY === true ? columnsOf(stderr) : Infinity),
    note: (text) => {
      if (!isJson) status.writeAbove(`${toTerminal(text)}\n`);
    },
    error: (text) => status.writeAbove(`${toTerminal(text)}\n`),
    errorDocument: (document) => {
      if (isJson && !isPrinted) print(document());
    },
  };
}

/** Integers of the database are within the range of JSON readers (2^53); ids are strings. */
function jsonValue(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}
