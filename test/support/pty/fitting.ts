import { expect } from 'vitest';
import type { Environment } from '../cli/nightshift-process.ts';
import type { TestCli } from '../cli/test-cli.ts';
import { openTerminal, type EndedTerminal, type TerminalRun } from './terminal.ts';

/** Form of a terminal. */
export interface TerminalForm {
  readonly columns: number;
  readonly environment?: Environment;
}

/** Terminals that show what one of 80 columns shows. */
export const plainTerminals = [
  { kind: 'a terminal without a width', columns: 0, environment: {} },
  { kind: 'a dumb terminal', columns: 80, environment: { TERM: 'dumb' } },
  { kind: 'a terminal with NO_COLOR', columns: 80, environment: { NO_COLOR: '1' } },
] as const satisfies readonly (TerminalForm & { readonly kind: string })[];

/** Starts commands of a test CLI in terminals. */
export function terminalsOf(cli: () => TestCli) {
  return (args: readonly string[], { columns, environment }: TerminalForm): TerminalRun => {
    const { folder, environment: own } = cli();
    return openTerminal(args, { folder, environment: { ...own, ...environment }, columns });
  };
}

/** Exit codes of commands with findings: the file of the listings has a rejected row. */
const exitsOf: Readonly<Record<string, readonly number[]>> = { check: [1], doctor: [0, 1] };

/** Width of a terminal below which no lines are drawn around cells. */
const columnsWithBoxes = 60;

const boxes = /[│┌└├┬┴┼┐┘┤]/;
/** Select Graphic Rendition: colours and bold. */
const colour = /^[\d;]*m/;
/** A carriage return that does not end a line: a progress line that is drawn again. */
const rubble = /\r(?!\r*\n)/;

/** Asserts that the command ends as it should, no line was ever wider than the terminal, and a narrow one has no boxes. */
export function expectFits(
  { tooWide, lines, text, controls, exitCode }: EndedTerminal,
  command: string,
  columns: number,
): void {
  expect(exitsOf[command] ?? [0], lines.join('\n')).toContain(exitCode);
  expect(controls).toEqual([]);
  // A word, such as a URL or a path, is never cut.
  expect(tooWide.filter((line) => !/^ *\S+$/.test(line))).toEqual([]);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
  if (columns < columnsWithBoxes) expect(text).not.toMatch(boxes);
}

/** Asserts that there are no colours with `NO_COLOR` or on a dumb terminal, on which no line is drawn again. */
export function expectPlain({ raw }: EndedTerminal, { environment = {} }: TerminalForm): void {
  if ('NO_COLOR' in environment || environment['TERM'] === 'dumb')
    expect(sequencesOf(raw).filter((sequence) => colour.test(sequence))).toEqual([]);
  if (environment['TERM'] === 'dumb') expect(raw).not.toMatch(rubble);
}

/** What follows each control sequence introducer. */
function sequencesOf(raw: string): readonly string[] {
  return raw.split('\u001b[').slice(1);
}
