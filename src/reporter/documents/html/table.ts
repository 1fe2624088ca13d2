import type { Bounded } from '../../../core/reports/reported-ads.ts';
import { countText } from '../model/report-labels.ts';
import { html, type Markup, type Part } from '../model/markup.ts';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => Part;
  /** Format of its cells. The first column is the row header, unless set otherwise. */
  readonly kind?: 'name' | 'number' | 'day' | 'ad' | 'text';
}

export interface TableLabels<Row> {
  /** Names the table within the page: letters and dashes, of ours. */
  readonly id: string;
  readonly caption: string;
  /** Attributes of a row that the filters compare. */
  readonly marks?: (row: Row) => Readonly<Record<string, string | number>>;
  readonly isNarrow?: boolean;
}

/** A table in a box of its own, which is scrolled where the table is wider, also with the keyboard. */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { id, caption, marks, isNarrow = false }: TableLabels<Row>,
): Markup {
  return html`<div class="scroll" role="region" aria-labelledby="${id}-caption" tabindex="0">
    <table id="${id}" ${isNarrow && html` class="narrow"`}>
      <caption id="${id}-caption">
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map(headCell)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) => html`
<tr${Object.entries(marks?.(row) ?? {}).map(([name, value]) => mark(name, value))}>${columns.map((column) => bodyCell(column, row))}</tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Note on the rows of a list that its table leaves out, and their place; null where it has all of them. */
export function remainder({ rows, total }: Bounded<unknown>, what: string, where: Part): Markup | null {
  if (total <= rows.length) return null;
  return html`<p class="notice">
    The table has ${countText(rows.length)} of ${countText(total)} ${what}. ${where}
  </p>`;
}

function headCell<Row>({ title, kind }: Column<Row>): Markup {
  return html`<th scope="col" ${kind === 'number' && html` class="number"`}>${title}</th>`;
}

function bodyCell<Row>({ cell, kind = 'text' }: Column<Row>, row: Row): Markup {
  if (kind === 'name') return html`<th scope="row">${cell(row)}</th>`;
  return kind === 'text' ? html`<td>${cell(row)}</td>` : html`<td class="${kind}">${cell(row)}</td>`;
}

/** Names of marks are ours, and so are their values. */
function mark(name: string, value: string | number): Markup {
  return html` data-${name}="${String(value)}"`;
}
