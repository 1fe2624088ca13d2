import { ValidationError } from '../errors.ts';

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
type Unit = keyof typeof unitMs;

/** Ten years: every answer is younger. */
const ageMsMax = 3_650 * unitMs.d;

/**
 * Parses an age: `30m`, `12h`, `7d`. Returns milliseconds.
 *
 * @throws ValidationError that names `where`, an option or a field.
 */
export function readAge(text: string, where: string): number {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text.trim()) ?? [];
  const ageMs = unit === undefined ? 0 : Number(count) * unitMs[unit as Unit];
  if (ageMs > 0 && ageMs <= ageMsMax) return ageMs;
  throw new ValidationError(`${where} ${text}: write minutes, hours or days, such as 30m, 12h or 7d.`);
}

/** Formats an age in the largest unit that divides it; `readAge` parses the result to the same age. */
export function formatAge(ageMs: number): string {
  if (ageMs % unitMs.d === 0) return `${ageMs / unitMs.d}d`;
  return ageMs % unitMs.h === 0 ? `${ageMs / unitMs.h}h` : `${ageMs / unitMs.m}m`;
}
