/** Largest count of files or landings by state: it stands for itself and for all greater ones, so that a list reads no million rows. */
export const countedMax = 10_000;

/** Formats a count that ends at `countedMax`: `1,234`, `10,000+`. */
export function cappedText(count: number): string {
  return `${count.toLocaleString('en')}${count < countedMax ? '' : '+'}`;
}
