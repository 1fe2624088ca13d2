/** Maximum number of typos of a suggestion, and the maximum share of its characters. As of Commander, for commands. */
const typosMax = 3;
const typosShareMax = 0.6;

/** Returns the known name that a misspelt one most likely means; null without a similar name. */
export function nearestName(text: string, known: readonly string[]): string | null {
  const near = known
    .map((name) => ({ name, typos: countTypos(text, name) }))
    .filter(
      ({ name, typos }) => typos <= typosMax && typos < typosShareMax * Math.max(name.length, text.length),
    )
    .sort((a, b) => a.typos - b.typos);
  return near[0]?.name ?? null;
}

/** Counts the insertions, deletions, substitutions and swaps of neighbours between two words (optimal string alignment). */
function countTypos(from: string, to: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: to.length + 1 }, (_, j) => j);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    [before, row] = [row, next];
  }
  return row[to.length] ?? 0;
}
