import { ValidationError } from '../errors.ts';
import { staleDaysBounds } from './schedule.ts';

/**
 * Reads after how many days without a sign of life an ad has ended: `14d`, or `14`.
 *
 * @throws ValidationError naming `where`, an option or a field.
 */
export function readStaleDays(text: string, where: string): number {
  const { min, max, standard } = staleDaysBounds;
  const days = Number(/^(\d{1,4})d?$/.exec(text.trim())?.[1] ?? NaN);
  if (days >= min && days <= max) return days;
  throw new ValidationError(`${where} ${text}: write days from ${min}d to ${max}d, such as ${standard}d.`);
}
