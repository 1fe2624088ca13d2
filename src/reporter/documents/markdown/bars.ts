const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const levels = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** A bar of text, as long as `value` is of `largest`, to an eighth of a character. Something that is there is never quite without one. */
export function textBar(value: number, largest: number, width = 20): string {
  if (value <= 0 || largest <= 0) return '';
  const parts = Math.max(1, Math.round((value / largest) * width * 8));
  return '█'.repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? '');
}

/** Counts as one line of text, each as high as it is of the largest: the lowest is 0, and `·` where there is none. */
export function sparkline(values: readonly (number | null)[]): string {
  const largest = Math.max(1, ...values.map((value) => value ?? 0));
  return values.map((value) => (value === null ? '·' : levelOf(value / largest))).join('');
}

function levelOf(part: number): string {
  return levels[part === 0 ? 0 : Math.max(1, Math.round(part * (levels.length - 1)))] ?? '';
}
