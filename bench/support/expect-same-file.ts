import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { digestFile } from './digest.ts';

/** Ends the benchmark if two files differ, with the first different line. */
export async function expectSameFile(what: string, actual: string, expected: string): Promise<void> {
  if ((await digestFile(actual)) === (await digestFile(expected))) return;
  throw new Error(`${what} differs. ${await firstDifference(actual, expected)}`);
}

async function firstDifference(actual: string, expected: string): Promise<string> {
  const others = linesOf(expected)[Symbol.asyncIterator]();
  let lineNo = 0;
  for await (const line of linesOf(actual)) {
    lineNo += 1;
    const other = await others.next();
    if (other.done === true || other.value !== line)
      return `Line ${lineNo}:\n  got      ${line}\n  expected ${other.done === true ? '(no line)' : other.value}`;
  }
  return `It ends after line ${lineNo}, or only the ends of lines differ.`;
}

function linesOf(file: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(file), crlfDelay: Infinity });
}
