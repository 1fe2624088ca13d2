import type { Writable } from 'node:stream';
import { visibleText } from '../../core/reports/visible-text.ts';

/** The last line of a terminal, redrawn in place, with ordinary lines above it. */
export interface StatusLine {
  /** Draws this text; one that is wider than the terminal is cut. Null erases the line. */
  show(text: string | null): void;
  /** Writes whole lines above it. */
  writeAbove(text: string): void;
}

/** A terminal as Node gives it; `columns` changes with its window. */
export type TerminalStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Carriage return, then "erase in line" (ECMA-48, EL 2). The cursor stays visible and the terminal's mode as it is. */
export const eraseLine = '\r\x1b[2K';

/** The width of a terminal that does not say how wide it is. */
const columnsUsual = 80;

/** The width of a terminal in columns. */
export function columnsOf({ columns }: TerminalStream): number {
  return columns === undefined || columns < 1 ? columnsUsual : columns;
}

/**
 * Columns that a status line may take. A line that fills the last column wraps in some terminals, and so does one behind which the
 * terminal itself writes `^C`: what has wrapped cannot be erased.
 */
export function roomIn(columns: number): number {
  return columns - 3;
}

/** Draws on a terminal. Takes no input, changes no mode, and holds nothing open. */
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

/** Cuts a text to so many columns; one that is cut ends in `…`. */
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

/** The columns that a text takes, or more: characters that some terminals draw wide count as wide. */
export function columnsOfText(text: string): number {
  let columns = 0;
  for (const character of text) columns += columnsOfCharacter(character);
  return columns;
}

function columnsOfCharacter(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  // From Hangul Jamo on, but for punctuation, arrows, box drawing and Braille.
  return code >= 0x1100 && !(code >= 0x1e00 && code <= 0x2bff) ? 2 : 1;
}
