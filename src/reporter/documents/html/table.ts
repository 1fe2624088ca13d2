import type { Bounded } from '../../../core/reports/reported-ads.ts';
import { countText } from '../model/report-labels.ts';
import { html, type Markup, type Part } from '../model/markup.ts';

/** Column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => Part;
  /** Format of its cells. The first column is the row header, unless set otherwise. */
  readonly kind?: 'name' | 'number' | 'day' | 'ad' | 'text';
}

/** Id, caption and row attributes of a table. */
export interface TableLabels<Row> {
  /** Id within the page: letters and dashes, never input. */
  readonly id: string;
  readonly caption: string;
  /** Attributes of a row for the filters. */
  readonly marks?: (row: Row) => Readonly<Record<string, string | number>>;
  readonly isNarrow?: boolean;
}

/** Creates a table in a box that scrolls horizontally, also with the keyboard. */
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

/** Creates a note on rows that the table omits, with their place; null for a complete table. */
export function remainder({ rows, total }: Bounded<unknown>, what: string, where: Part): Markup | null {
  if (total <= rows.length) return null;
  return html`<p class="notice">
    Showing ${countText(rows.length)} of ${countText(total)} ${what}. ${where}
  </p>`;
}

function headCell<Row>({ title, kind }: Column<Row>): Markup {
  return html`<th scope="col" ${kind === 'number' && html` class="number"`}>${title}</th>`;
}

function bodyCell<Row>({ cell, kind = 'text' }: Column<Row>, row: Row): Markup {
  if (kind === 'name') return html`<th scope="row">${cell(row)}</th>`;
  return kind === 'text' ? html`<td>${cell(row)}</td>` : html`<td class="${kind}">${cell(row)}</td>`;
}

/** Creates an attribute for a filter. Names and values are never input. */
function mark(name: string, value: string | number): Markup {
  return html` data-${name}="${String(value)}"`;
}
