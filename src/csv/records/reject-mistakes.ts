import { fileError, type PlaceUnit } from '../file-error.ts';
import { mistakeOf, type TableRecord } from './read-records.ts';

/** Number of mistakes that an error lists. */
const mistakesMax = 20;

/**
 * Passes on the blocks of a file that must be well-formed.
 *
 * @throws ValidationError listing the first twenty mistakes, each with its line. The blocks before the first one come first.
 */
export async function* rejectMistakes(
  blocks: AsyncIterable<readonly TableRecord[]>,
  fileName: string,
  unit: PlaceUnit = 'line',
): AsyncGenerator<readonly TableRecord[], undefined> {
  const mistakes: { readonly lineNo: number; readonly text: string }[] = [];
  for await (const block of blocks) {
    for (const record of block) {
      const text = mistakeOf(record);
      if (text !== null) mistakes.push({ lineNo: record.lineNo, text });
    }
    if (mistakes.length >= mistakesMax) break;
    if (mistakes.length === 0) yield block;
  }
  const [first] = mistakes;
  if (first === undefined) return;
  const list = mistakes.slice(0, mistakesMax).map(({ lineNo, text }) => `  ${unit} ${lineNo}: ${text}`);
  throw fileError(
    fileName,
    first.lineNo,
    mistakes.length === 1
      ? `The record is not well-formed: ${first.text}.`
      : `The file is not well-formed. Its first mistakes:\n${list.join('\n')}`,
    { unit },
  );
}
