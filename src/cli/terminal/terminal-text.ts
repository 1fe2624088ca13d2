import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { visibleLines } from '../../core/reports/visible-text.ts';
import type { TerminalStream } from './status-line.ts';

/** Emphasis in text of ours. */
export type Colors = Readonly<Record<keyof typeof codes, (text: string) => string>>;

/** Select Graphic Rendition (ECMA-48): on and off. */
const codes = { bold: [1, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;

/** Marks emphasis until the text is written: nobody whose text we show can guess it. A noncharacter, then a name of this process. */
const mark = `\u{fdd0}${randomUUID()}`;
const marks = new RegExp(`${mark}(\\d+);`, 'u');

/** Emphasis that `terminalText` makes visible, or none. */
export function createColors(areOn: boolean): Colors {
  const paint = ([on, off]: readonly [number, number]) =>
    areOn ? (text: string) => `${mark}${on};${text}${mark}${off};` : (text: string) => text;
  return {
    bold: paint(codes.bold),
    red: paint(codes.red),
    green: paint(codes.green),
    yellow: paint(codes.yellow),
  };
}

/**
 * A text as a terminal may get it, whoever wrote it: control characters, and those that steer how others are shown, are written as
 * their numbers. Line ends, tabs and our own emphasis stay.
 */
export function terminalText(text: string): string {
  return text
    .split(marks)
    .map((piece, i) => (i % 2 === 0 ? visibleLines(piece) : `\x1b[${piece}m`))
    .join('');
}

/** A stream that writes to a terminal as `terminalText` has it; one that leads elsewhere is answered as it is. */
export function safeForTerminal(stream: TerminalStream): TerminalStream {
  if (stream.isTTY !== true) return stream;
  const decoder = new StringDecoder('utf8');
  let heldBack = '';
  const safe = new Writable({
    write(chunk: Buffer, _encoding, done) {
      // The other half of a line end may be in the next piece.
      const [, text = '', rest = ''] = /^(.*?)(\r?)$/s.exec(heldBack + decoder.write(chunk)) ?? [];
      heldBack = rest;
      stream.write(terminalText(text), (error) => done(error));
    },
  });
  // The process knows of errors of its streams by itself.
  safe.on('error', () => undefined);
  return Object.assign(safe, { isTTY: true });
}
