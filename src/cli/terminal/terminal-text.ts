import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { visibleLines } from '../../core/reports/visible-text.ts';
import type { TerminalStream } from './status-line.ts';

/** Emphasis in Nightshift's own text. */
export type Colors = Readonly<Record<keyof typeof codes, (text: string) => string>>;

/** Select Graphic Rendition (ECMA-48): on and off. */
const codes = { bold: [1, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;

/** Marks emphasis until the text is written: a noncharacter and a random value, which foreign text cannot contain. */
const mark = `\u{fdd0}${randomUUID()}`;
const marks = new RegExp(`${mark}(\\d+);`, 'u');

/** Creates emphasis that `terminalText` renders, or none. */
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

/** Removes emphasis from a text. */
export function withoutEmphasis(text: string): string {
  return text
    .split(marks)
    .filter((_, i) => i % 2 === 0)
    .join('');
}

/**
 * Makes a text safe for a terminal: control and bidirectional characters are written as their code points. Line ends, tabs and
 * Nightshift's own emphasis are kept.
 */
export function terminalText(text: string): string {
  return text
    .split(marks)
    .map((piece, i) => (i % 2 === 0 ? visibleLines(piece) : `\x1b[${piece}m`))
    .join('');
}

/** Wraps a stream to a terminal so that it writes `terminalText`; returns any other stream unchanged. */
export function safeForTerminal(stream: TerminalStream): TerminalStream {
  if (stream.isTTY !== true) return stream;
  const decoder = new StringDecoder('utf8');
  let heldBack = '';
  const safe = new Writable({
    write(chunk: Buffer, _encoding, done) {
      // The other half of a line end may be in the next chunk.
      const [, text = '', rest = ''] = /^(.*?)(\r?)$/s.exec(heldBack + decoder.write(chunk)) ?? [];
      heldBack = rest;
      stream.write(terminalText(text), (error) => done(error));
    },
  });
  // The process handles errors of its streams.
  safe.on('error', () => undefined);
  return Object.assign(safe, { isTTY: true });
}
