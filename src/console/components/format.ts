import { dateFormat } from './dates/date-language.ts';

const counts = new Intl.NumberFormat('en-GB');
const clock = dateFormat({ hour: '2-digit', minute: '2-digit' });
const amounts = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 6 });

/** Formats an integer: "12,345". */
export function formatCount(count: number): string {
  return counts.format(count);
}

/** Formats a count that ends at 10,000, which stands for more: "1,234", "10,000+". */
export function formatCapped(count: number): string {
  return `${formatCount(count)}${count < 10_000 ? '' : '+'}`;
}

/** Formats a count with its noun: "1 row", "2 rows". */
export function formatCounted(count: number, one: string, several = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : several}`;
}

/** Formats an exact amount of credits. */
export function formatCredits(credits: number): string {
  return amounts.format(credits);
}

/** Formats a share as a percentage: 0.25 becomes "25 %". */
export function formatShare(share: number): string {
  return `${counts.format(Math.round(share * 100))} %`;
}

/** Formats a time of day in the browser's time zone: "14:05". */
export function formatClock(at: Date): string {
  return clock(at);
}

/** Formats a duration, roughly: "40 s", "12 min", "3 h 20 min". */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return rest === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${rest} min`;
}

const byteUnits = [
  ['gigabyte', 1_000_000_000],
  ['megabyte', 1_000_000],
  ['kilobyte', 1000],
] as const;

/** Formats a size: `18 bytes`, `1.2 MB`. */
export function formatBytes(bytes: number): string {
  const [unit, size] = byteUnits.find(([, least]) => bytes >= least) ?? [null, 1];
  if (unit === null) return formatCounted(bytes, 'byte');
  const format = new Intl.NumberFormat('en-US', { style: 'unit', unit, maximumFractionDigits: 1 });
  return format.format(bytes / size);
}
