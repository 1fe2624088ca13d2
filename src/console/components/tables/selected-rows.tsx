import type { ComponentChildren } from 'preact';
import { escapeFormula } from '../../../reporter/formats/escape-formula.ts';
import { formatCounted } from '../format.ts';
import { toast } from '../toast.tsx';
import type { GridColumn } from './grid-column.ts';

/** Bar with the actions for the selected rows. */
export function SelectedRows<Row>({
  rows,
  columns,
  label,
  onAll,
  onClear,
  children,
}: {
  readonly rows: readonly Row[];
  readonly columns: readonly GridColumn<Row>[];
  /** Number of selected rows, as text. */
  readonly label: string;
  /** Selects all rows that match. Undefined: they are. */
  readonly onAll: (() => void) | undefined;
  readonly onClear: () => void;
  /** Further actions. */
  readonly children: ComponentChildren;
}) {
  const copy = () => {
    void navigator.clipboard.writeText(tabbedText(rows, columns)).then(
      () => toast(`Copied ${formatCounted(rows.length, 'row')}.`),
      () => toast('The browser does not allow copying here.'),
    );
  };
  return (
    <div class="selected-bar actions" role="group" aria-label="Selected rows">
      <span role="status">{label}</span>
      {onAll !== undefined && (
        <button type="button" onClick={onAll}>
          Select all
        </button>
      )}
      {children}
      <button type="button" onClick={copy}>
        Copy rows
      </button>
      <button type="button" class="plain" onClick={onClear}>
        Clear selection
      </button>
    </div>
  );
}

/** Formats rows for a spreadsheet: tabs between cells, and no cell that runs as a formula. Columns without values are left out. */
function tabbedText<Row>(rows: readonly Row[], columns: readonly GridColumn<Row>[]): string {
  const valued = columns.flatMap(({ head, value }) => (value === undefined ? [] : [{ head, value }]));
  const lines = [
    valued.map(({ head }) => head),
    ...rows.map((row) => valued.map(({ value }) => String(value(row) ?? ''))),
  ];
  return lines
    .map((cells) => cells.map((cell) => escapeFormula(cell.replace(/\s+/g, ' '))).join('\t'))
    .join('\n');
}
