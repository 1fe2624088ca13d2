import type { FormatTable, TableNotes } from '../../tables/records/table.ts';

/**
 * Describes what a person should know about the content of a table.
 *
 * `choice`: the sheet that was read among several, where the user named none; null otherwise.
 */
export function describeNotes(
  notes: TableNotes,
  choice: Pick<FormatTable, 'sheet' | 'sheets'> | null,
): readonly string[] {
  const findings: string[] = [];
  const others = choice?.sheets.filter(({ name, isHidden }) => name !== choice.sheet && !isHidden) ?? [];
  if (others.length > 0)
    findings.push(
      `Only the sheet ${quote(choice?.sheet ?? '')} is read, not ${listNames(others.map(({ name }) => name))}. ` +
        'Choose one with --sheet NAME',
    );
  const { hiddenRows, errorCells, firstErrorCell, uncalculatedCells, firstUncalculatedCell } = notes;
  if (hiddenRows > 0)
    findings.push(
      `${counted(hiddenRows, 'row is', 'rows are')} hidden in the sheet, for example by a filter, and read like the others. ` +
        'Delete hidden rows that should not be looked up',
    );
  if (errorCells > 0)
    findings.push(
      `${counted(errorCells, 'cell has', 'cells have')} an error such as #N/A, the first one in ${firstErrorCell ?? '?'}, and ` +
        `${errorCells === 1 ? 'is' : 'are'} read as empty. Correct the formulas and save the file again`,
    );
  if (uncalculatedCells > 0)
    findings.push(
      `${counted(uncalculatedCells, 'formula has', 'formulas have')} no stored result, the first one in ${firstUncalculatedCell ?? '?'}, ` +
        `and ${uncalculatedCells === 1 ? 'is' : 'are'} read as empty. Open the file in Excel or LibreOffice and save it again`,
    );
  return findings;
}

function counted(count: number, one: string, several: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : several}`;
}

const namesMax = 10;

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, namesMax).map(quote);
  return names.length > namesMax
    ? `${shown.join(', ')} and ${names.length - namesMax} more`
    : shown.join(', ');
}

function quote(name: string): string {
  return JSON.stringify(name.slice(0, 60));
}
