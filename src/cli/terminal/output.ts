import type { Writable } from 'node:stream';
import Table from 'cli-table3';
import { visibleLines } from '../../core/reports/visible-text.ts';
import { snakeKeys } from './snake-keys.ts';
import {
  columnsOf,
  columnsOfText,
  createStatusLine,
  type StatusLine,
  type TerminalStream,
} from './status-line.ts';
import { createColors, safeForTerminal, terminalText, type Colors } from './terminal-text.ts';
import { wrapText } from './wrap-text.ts';

/** Output of a command: results on stdout, everything else on stderr. */
export interface Output {
  /** True for `--json`: stdout has one JSON document and nothing else. */
  readonly isJson: boolean;
  /** True if stderr is a terminal, on which progress can be drawn. */
  readonly isInteractive: boolean;
  readonly colors: Colors;
  /** Stream of results; foreign text cannot control the terminal. */
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable;
  /** Status line of stderr; draws nothing if stderr is not a terminal. */
  readonly status: StatusLine;
  /** Returns the current width of the terminal of stderr. */
  readonly columns: () => number;
  /** Prints the result: `value` with `--json`, otherwise the text. */
  result(value: unknown, text: () => string): void;
  /** Wraps a text to the width of the terminal. In a pipe, lines stay whole. */
  wrapped(text: string): string;
  /** Returns the maximum width of a table: that of the terminal, or Infinity in a pipe. */
  tableColumns(): number;
  /** Prints a message on stderr; silent with `--json`. */
  note(text: string): void;
  /** Prints an error on stderr, also with `--json`. */
  error(text: string): void;
}

export interface OutputOptions {
  readonly isJson: boolean;
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: TerminalStream;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Creates the output of a command. Uses colours only on a terminal, never with `NO_COLOR` (no-color.org) or a dumb terminal. */
export function createOutput({ isJson, stderr, environment, ...options }: OutputOptions): Output {
  const stdout = safeForTerminal(options.stdout);
  const mayColour = (environment['NO_COLOR'] ?? '') === '' && environment['TERM'] !== 'dumb';
  const status = createStatusLine(stderr);
  // In a pipe, lines stay whole.
  const toTerminal = (text: string) =>
    stderr.isTTY === true ? wrapText(terminalText(text), columnsOf(stderr)) : text;
  return {
    isJson,
    isInteractive: stderr.isTTY === true && environment['TERM'] !== 'dumb' && environment['CI'] === undefined,
    colors: createColors(mayColour && stdout.isTTY === true && stderr.isTTY === true),
    stdout,
    stderr,
    status,
    columns: () => columnsOf(stderr),
    result: (value, text) =>
      void stdout.write(`${isJson ? JSON.stringify(snakeKeys(value), jsonValue, 2) : text()}\n`),
    wrapped: (text) => (stdout.isTTY === true ? wrapText(text, columnsOf(stderr)) : text),
    tableColumns: () => (stdout.isTTY === true ? columnsOf(stderr) : Infinity),
    note: (text) => {
      if (!isJson) status.writeAbove(`${toTerminal(text)}\n`);
    },
    error: (text) => status.writeAbove(`${toTerminal(text)}\n`),
  };
}

/** Integers of the database are within the range of JSON readers (2^53); ids are strings. */
function jsonValue(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

/**
 * Formats a table for people. Control characters in cells are written as their numbers.
 *
 * @param columnsMax width of the terminal: cells of the widest columns are wrapped to fit. Default: every cell stays in one line.
 */
export function formatTable(
  head: readonly string[],
  rows: readonly (readonly unknown[])[],
  columnsMax = Infinity,
): string {
  const lines = [head.map(visibleLines), ...rows.map((row) => row.map(cellText))];
  const colWidths = fitWidths(lines, columnsMax);
  const style = { head: [], border: [], compact: true };
  const table = new Table({
    head: lines[0] ?? [],
    style,
    ...(colWidths === null ? {} : { colWidths: [...colWidths], wordWrap: true }),
  });
  table.push(...lines.slice(1));
  return table.toString();
}

/** Width below which a column is not narrowed. */
const narrowestColumn = 16;

/** Returns the column widths, padding included, of a table that is too wide; null for a table that fits. */
function fitWidths(lines: readonly (readonly string[])[], columnsMax: number): readonly number[] | null {
  const widths = (lines[0] ?? []).map((_, i) =>
    Math.max(...lines.map((cells) => columnsOfText(cells[i] ?? '') + 2)),
  );
  const borders = widths.length + 1;
  const total = () => widths.reduce((sum, width) => sum + width, borders);
  if (total() <= columnsMax) return null;
  for (let over = total() - columnsMax; over > 0; over = total() - columnsMax) {
    const widest = Math.max(...widths);
    if (widest <= narrowestColumn) break;
    const next = Math.max(narrowestColumn, ...widths.filter((width) => width < widest));
    const column = widths.indexOf(widest);
    widths[column] = Math.max(next - 1, narrowestColumn, widest - over);
  }
  return widths;
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return visibleLines(typeof value === 'string' ? value : JSON.stringify(value, jsonValue));
}
