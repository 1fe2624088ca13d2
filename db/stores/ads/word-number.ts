/**
 * The number under which a word is stored in `nightshift.advertiser_words`: its hash (FNV-1a over UTF-16 units), as a signed integer of 32 bits. Four
 * bytes instead of a text halve the table.
 */
export function wordNumber(word: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i += 1) {
    hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  }
  return hash | 0;
}
