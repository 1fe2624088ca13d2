import { Help, type HelpConfiguration } from 'commander';
import { columnsOf, type TerminalStream } from './status-line.ts';
import { wrapText } from './wrap-text.ts';

/** Width below which a description stands below its term. */
const besideColumnsMin = 40;

/** Width of help in a pipe or a file. */
const columnsInPipe = 80;

/** Blanks before a term, and before a description below it. */
const indents = { term: 2, below: 6 };

/** Help whose descriptions stand below their terms where there is no room beside them. */
export const helpFormat: HelpConfiguration = {
  formatItem(term, termWidth, description, helper) {
    const columns = helper.helpWidth ?? columnsInPipe;
    const room = columns - termWidth - 2 * indents.term;
    if (room >= besideColumnsMin || description === '')
      return Help.prototype.formatItem.call(helper, term, termWidth, description, helper);
    const below = wrapText(description, columns - indents.below).split('\n');
    return [
      `${' '.repeat(indents.term)}${term}`,
      ...below.map((line) => `${' '.repeat(indents.below)}${line}`),
    ].join('\n');
  },
};

/** Width of help on a stream. */
export function helpColumns(stream: TerminalStream): number {
  return stream.isTTY === true ? columnsOf(stream) : columnsInPipe;
}

/** Wraps the lines of help and usage errors to the width of a terminal. In a pipe, lines stay whole. */
export function fitHelp(text: string, stream: TerminalStream): string {
  return stream.isTTY === true ? wrapText(text, columnsOf(stream)) : text;
}
