import type { DateForm, DateParts } from '../cells/date-text.ts';

/** Effect of a number format on the text of a cell. All other formats only decorate the number. */
export type NumberFormat =
  | { readonly kind: 'number' }
  | ({ readonly kind: 'date' } & DateForm)
  /** Format `00000` of postcodes and the like: leading zeros up to this many digits. */
  | { readonly kind: 'padded'; readonly digits: number };

export const plainNumber: NumberFormat = { kind: 'number' };

/** Built-in formats of dates (ECMA-376 part 1, §18.8.30), with those of East Asian versions of Excel. */
const builtinParts: Readonly<Record<number, DateParts>> = {
  ...sameParts([14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58], 'date'),
  ...sameParts([18, 19, 20, 21, 32, 33, 34, 35, 45, 47, 55, 56], 'time'),
  22: 'datetime',
  46: 'elapsed',
};

function sameParts(ids: readonly number[], parts: DateParts): Record<number, DateParts> {
  return Object.fromEntries(ids.map((id) => [id, parts]));
}

/** Returns the effect of a format that the file does not define itself. */
export function builtinFormat(id: number): NumberFormat {
  const parts = builtinParts[id];
  return parts === undefined ? plainNumber : { kind: 'date', parts };
}

/**
 * Parses the code of a number format, such as `yyyy\-mm\-dd hh:mm` or `[$-409]h:mm AM/PM;@`. Its first section counts, that of positive
 * numbers.
 */
export function parseFormat(code: string): NumberFormat {
  const section = code
    .replace(/"[^"]*"?|\\.|_.|\*./gs, '')
    .split(';', 1)
    .join('')
    .toLowerCase();
  const zeros = /^0+$/.exec(section);
  if (zeros !== null && section.length > 1) return { kind: 'padded', digits: section.length };
  const hasFractions = /s\]?\.0/.test(section);
  if (/\[(?:h+|m+|s+)\]/.test(section)) return dateFormat('elapsed', hasFractions);
  // Colours, conditions, currencies and languages; then the words that contain letters of dates.
  const letters = section.replace(/\[[^\]]*\]/g, '').replace(/general|standard|am\/pm|a\/p|e[+-]/g, '');
  const hasTime = /[hs]/.test(letters);
  // An `m` means minutes next to hours or seconds, months else.
  const hasDate = /[ydeg]/.test(letters) || (/m/.test(letters) && !hasTime);
  if (hasDate) return dateFormat(hasTime ? 'datetime' : 'date', hasFractions);
  return hasTime ? dateFormat('time', hasFractions) : plainNumber;
}

function dateFormat(parts: DateParts, hasFractions: boolean): NumberFormat {
  return { kind: 'date', parts, ...(hasFractions ? { hasFractions } : {}) };
}
