const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** Formats a size, such as `12.3 MB`. */
export function sizeText(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const value = bytes / 1000 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power] ?? ''}`;
}

/** Formats a moment in UTC, to the second. */
export function momentText(moment: string | Date): string {
  return `${new Date(moment).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
