import { dateText, isoDateText } from '../cells/date-text.ts';
import type { NumberFormat } from './number-format.ts';
import { numberText } from '../cells/number-text.ts';

/** Returns the text of a number in its format. */
export function formattedNumber(value: string, format: NumberFormat, isFrom1904: boolean): string {
  if (format.kind === 'number' || value === '') return numberText(value);
  if (format.kind === 'date') return dateText(Number(value), format, isFrom1904) ?? numberText(value);
  const text = numberText(value);
  return /^[0-9]+$/.test(text) ? text.padStart(format.digits, '0') : text;
}

/** Returns the text of a date that is stored as ISO 8601, as the strict form does. */
export function storedDate(value: string, format: NumberFormat): string {
  return isoDateText(value, format.kind === 'date' ? format.parts : null);
}
