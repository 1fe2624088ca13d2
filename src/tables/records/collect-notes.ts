import { noNotes, type TableNotes } from './table.ts';

/** Counter of what a person wants to know about a sheet. */
export interface NotesCollector {
  readonly addHiddenRow: () => void;
  readonly addErrorCell: (cell: string) => void;
  readonly addUncalculatedCell: (cell: string) => void;
  readonly counts: () => TableNotes;
}

/** Creates a counter at zero. */
export function createNotes(): NotesCollector {
  let { hiddenRows, errorCells, firstErrorCell, uncalculatedCells, firstUncalculatedCell } = noNotes;
  return {
    addHiddenRow() {
      hiddenRows += 1;
    },
    addErrorCell(cell) {
      errorCells += 1;
      firstErrorCell ??= cell;
    },
    addUncalculatedCell(cell) {
      uncalculatedCells += 1;
      firstUncalculatedCell ??= cell;
    },
    counts: () => ({
      ...noNotes,
      hiddenRows,
      errorCells,
      firstErrorCell,
      uncalculatedCells,
      firstUncalculatedCell,
    }),
  };
}
