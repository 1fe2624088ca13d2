import { quoteNames, tableError } from './table-error.ts';
import type { SheetInfo } from './table.ts';

/**
 * Returns the sheets to try in order: the named one, or all visible ones.
 *
 * @throws ValidationError listing the sheets when none has this name, or all are hidden.
 */
export function sheetsToTry<Sheet extends SheetInfo>(
  sheets: readonly Sheet[],
  wanted: string | undefined,
  fileName: string,
): readonly Sheet[] {
  if (wanted !== undefined) {
    const exact = sheets.find(({ name }) => name === wanted);
    const found = exact ?? sheets.find(({ name }) => isAlike(name, wanted));
    if (found !== undefined) return [found];
    throw tableError(
      fileName,
      null,
      `Unknown sheet ${quoteNames([wanted])}. Sheets of the workbook: ${quoteNames(sheets.map(({ name }) => name))}.`,
    );
  }
  const visible = sheets.filter(({ isHidden }) => !isHidden);
  if (visible.length > 0) return visible;
  throw tableError(
    fileName,
    null,
    sheets.length === 0
      ? 'The workbook has no sheet with cells. Save the list as CSV (UTF-8) or as a new workbook.'
      : `All sheets are hidden. Name the sheet to read (--sheet): ${quoteNames(sheets.map(({ name }) => name))}.`,
  );
}

function isAlike(name: string, wanted: string): boolean {
  return name.trim().toLowerCase() === wanted.trim().toLowerCase();
}

/** Creates the error for a workbook without content in the sheets that were tried. */
export function emptySheets(fileName: string, tried: readonly SheetInfo[], all: readonly SheetInfo[]): Error {
  const others = all.filter((sheet) => !tried.includes(sheet)).map(({ name }) => name);
  const hint =
    others.length === 0 ? '' : ` Other sheets, which can be named with --sheet: ${quoteNames(others)}.`;
  const names = quoteNames(tried.map(({ name }) => name));
  return tableError(
    fileName,
    null,
    `The ${tried.length === 1 ? 'sheet' : 'sheets'} ${names} ${tried.length === 1 ? 'has' : 'have'} no content. ` +
      `Save the workbook again, with its rows.${hint}`,
  );
}
