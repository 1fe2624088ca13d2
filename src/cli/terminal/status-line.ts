import type { Writable } from 'node:stream';
import { visibleText } from '../../core/reports/visible-text.ts';

/** The last line of a terminal, redrawn in place, with ordinary lines above it. */
export interface StatusLine {
  /** Draws the text, cut to the width of the terminal. Null erases the line. */
  show(text: string | null): void;
  /** Writes whole lines above the status line. */
  writeAbove(text: string): void;
}

/** Terminal stream of Node; `columns` changes with the window. */
export type TerminalStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Carriage return, then "erase in line" (ECMA-48, EL 2). The cursor stays visible, and the terminal's mode does not change. */
export const eraseLine = '\r\x1b[2K';

/** Width of a terminal that does not report one. */
const columnsUsual = 80;

/** Returns the width of a terminal in columns. */
export function columnsOf({ columns }: TerminalStream): number {
  return columns === undefined || columns < 1 ? columnsUsual : columns;
}

/**
 * Returns the maximum width of a status line. A line that reaches the last column wraps in some terminals, and so does a line
 * after which the terminal echoes `^C`. A wrapped line cannot be erased.
 */
export function roomIn(columns: number): number {
  return columns - 3;
}

/** Creates a status line on a terminal. It reads no input, changes no mode, and keeps no process alive. */
export function createStatusLine(terminal: TerminalStream): StatusLine {
  let shown: string | null = null;

  function draw(): string {
    return shown === null ? '' : fitColumns(visibleText(shown), roomIn(columnsOf(terminal)));
  }

  return {
    show(text) {
      if (text === null && shown === null) return;
      shown = text;
      terminal.write(`${eraseLine}${draw()}`);
    },
    writeAbove(text) {
      terminal.write(shown === null ? text : `${eraseLine}${text}${draw()}`);
    },
  };
}

/** Truncates a text to `columns` columns; a truncated text ends in `…`. */
export function fitColumns(text: string, columns: number): string {
  if (columnsOfText(text) <= columns) return text;
  let fitting = '';
  let used = 1;
  for (const character of text) {
    used += columnsOfCharacter(character);
    if (used > columns) break;
    fitting += character;
  }
  return `${fitting.trimEnd()}…`;
}

/** Returns the number of columns of a text, or more: characters that some terminals draw wide count as wide. */
export function columnsOfText(text: string): number {
  let columns = 0;
  for (const character of text) columns += columnsOfCharacter(character);
  return columns;
}

function columnsOfCharacter(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  // Hangul Jamo and later, except punctuation, arrows, box drawing and Braille.
  return code >= 0x1100 && !(code >= 0x1e00 && code <= 0x2bff) ? 2 : 1;
}
