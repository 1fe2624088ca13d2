const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const levels = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** Draws a bar of text in proportion to `largest`, to an eighth of a character. Every value above 0 has a visible bar. */
export function textBar(value: number, largest: number, width = 20): string {
  if (value <= 0 || largest <= 0) return '';
  const parts = Math.max(1, Math.round((value / largest) * width * 8));
  return '█'.repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? '');
}

/** Draws counts as one line of text in proportion to the largest; `·` without a value. */
export function sparkline(values: readonly (number | null)[]): string {
  const largest = Math.max(1, ...values.map((value) => value ?? 0));
  return values.map((value) => (value === null ? '·' : levelOf(value / largest))).join('');
}

function levelOf(part: number): string {
  return levels[part === 0 ? 0 : Math.max(1, Math.round(part * (levels.length - 1)))] ?? '';
}
