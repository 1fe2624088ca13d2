import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { useRefreshedFamilies } from '../../../adapters/families/refreshed-families.ts';
import {
  evaluateAdvertiser,
  type AdvertiserMatch,
} from '../../../core/companies/match/evaluate-advertiser.ts';
import { ValidationError } from '../../../core/errors.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { noteTyping } from '../../context/note-typing.ts';
import { parseMatchLine } from './parse-match-line.ts';

/** Options of `companies match`. */
export interface MatchOptions {
  readonly ndjson?: boolean;
}

/** Decimals of a confidence in the output. */
const decimals = 3;

/**
 * Evaluates the advertisers of standard input, offline. An invalid line is answered with its number and its error, so that every line
 * has a result; the error is also written to stderr.
 */
export const matchCompanies: Command<[], MatchOptions> = async (context, options) => {
  if (options.ndjson !== true)
    throw new ValidationError('Use --ndjson, and pass one JSON object per line on standard input.');
  const { stdin, output, signal } = context;
  useRefreshedFamilies(join(context.config().home, 'lists'));
  noteTyping(context);
  let lineNo = 0;
  let invalid = 0;
  for await (const text of createInterface({ input: stdin, crlfDelay: Infinity, signal })) {
    signal.throwIfAborted();
    lineNo += 1;
    if (text.trim() === '') continue;
    const line = parseMatchLine(text);
    if (line.kind === 'invalid') {
      invalid += 1;
      output.note(`Line ${lineNo}: ${line.reason}.`);
    }
    const answer =
      line.kind === 'invalid'
        ? { line: lineNo, error: line.reason }
        : { id: line.id, ...matchJson(evaluateAdvertiser(line.company, line.advertiser)) };
    if (!output.stdout.write(`${JSON.stringify(answer)}\n`))
      await new Promise((resolve) => output.stdout.once('drain', resolve));
  }
  // The signal ends the lines as well.
  signal.throwIfAborted();
  return invalid === 0 ? exitCodes.done : exitCodes.someFailed;
};

function matchJson({ relation, confidence, reasons }: AdvertiserMatch) {
  return { relation, confidence: Number(confidence.toFixed(decimals)), reasons };
}
