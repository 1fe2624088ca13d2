import { decodeHead } from './decode-head.ts';
import { fileError } from './file-error.ts';
import { createLineCounter } from './line-counter.ts';
import { validUtf8Length } from './utf8.ts';

/** Encodings of one byte per character that files of companies have, in order of preference. */
const candidates = [
  { encoding: 'cp850', description: 'MS-DOS, Western Europe' },
  { encoding: 'windows-1250', description: 'Windows, Central Europe' },
  { encoding: 'windows-1251', description: 'Windows, Cyrillic' },
  { encoding: 'koi8-r', description: 'Russian' },
  { encoding: 'macintosh', description: 'old Macintosh' },
] as const;

/** Creates the error for a text in an encoding that its bytes do not show. It proposes the encoding in which the text has words. */
export function unknownEncoding(head: Uint8Array, fileName: string): Error {
  const valid = validUtf8Length(head);
  const lines = createLineCounter();
  lines.add(head.subarray(0, valid));
  const byte = (head[valid] ?? 0).toString(16).toUpperCase();
  return fileError(
    fileName,
    lines.lineNo(),
    `The byte 0x${byte} is not valid in UTF-8, and the encoding of the file is unknown. Save the file as UTF-8, or set its encoding, ` +
      `${proposeEncoding(head)}.`,
  );
}

const wordShareMin = 0.9;

function proposeEncoding(head: Uint8Array): string {
  const [best] = candidates
    .map((candidate) => ({
      ...candidate,
      share: shareOfWords(decodeHead(head, { ...candidate, bomBytes: 0 })),
    }))
    .toSorted((one, other) => other.share - one.share);
  return best === undefined || best.share < wordShareMin
    ? 'such as --encoding cp850 for text of MS-DOS'
    : `probably --encoding ${best.encoding} (${best.description})`;
}

/** Returns the share of well-formed words among those with a character beyond ASCII. */
function shareOfWords(text: string): number {
  const words = text.split(/[\s!-/:-@[-`{-~]+/).filter((word) => /[\u0080-\uffff]/.test(word));
  return words.length === 0 ? 0 : words.filter(isWord).length / words.length;
}

/** True for letters of one script with a capital only at the start, or throughout. Half of the letters of Latin words are those of English. */
function isWord(word: string): boolean {
  if (!/^(?:.\p{Ll}*|\p{Lu}+)$/u.test(word)) return false;
  if (/^\p{Script=Cyrillic}+$/u.test(word)) return true;
  return /^\p{Script=Latin}+$/u.test(word) && word.replace(/[^a-z]/gi, '').length >= word.length / 2;
}
