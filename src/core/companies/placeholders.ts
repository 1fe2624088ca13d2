/**
 * Placeholders for an empty cell. They match only as the whole cell, case-insensitive, blanks aside. Our choice; kept short, because a
 * company with such a name cannot be looked up by that name alone.
 */
const placeholders = new Set(['-', '--', '–', '—', '?', 'n/a', '#n/a', 'none', 'null', 'unknown']);
const charsMax = 7;

/** Returns the text of a cell without blanks around it; empty for a placeholder such as `NULL`, `n/a`, `-` or `none`. */
export function cellText(cell: string | undefined): string {
  const text = cell?.trim() ?? '';
  return text.length <= charsMax && placeholders.has(text.toLowerCase()) ? '' : text;
}
