import { countText } from '../model/report-labels.ts';
import { html, type Markup } from '../model/markup.ts';

/** Choice of a filter: the mark of its rows, and its label. */
export type Choice = readonly [mark: string | number, name: string];

/** Filters of a table. */
export interface Filters {
  /** Id of the table. */
  readonly id: string;
  readonly total: number;
  /** Noun for the rows: `changes`. */
  readonly rows: string;
  /** Filters with one choice each, or all. */
  readonly choices: readonly {
    readonly name: string;
    readonly label: string;
    readonly all: string;
    readonly of: readonly Choice[];
  }[];
  /** Filter with several choices. */
  readonly boxes?: { readonly name: string; readonly label: string; readonly of: readonly Choice[] };
}

/** Creates the filters of a table. They are hidden until the script runs. */
export function filters({ id, total, rows, choices, boxes }: Filters): Markup {
  return html`<form
      class="filters"
      data-filters="${id}"
      data-message="# of ${countText(total)} ${rows} shown."
      aria-label="Filter the ${rows}"
      hidden
    >
      ${
        boxes !== undefined &&
        html`<fieldset>
          <legend>${boxes.label}</legend>
          ${boxes.of.map(
            ([mark, name]) =>
              html`<label
                ><input type="checkbox" name="${boxes.name}" value="${String(mark)}" checked />${name}</label
              >`,
          )}
        </fieldset>`
      }
      ${choices
        .filter(({ of }) => of.length > 1)
        .map(
          ({ name, label, all, of }) =>
            html`<label
              >${label}<select name="${name}">
                <option value="">${all}</option>
                ${of.map(([mark, text]) => html`<option value="${String(mark)}">${text}</option>`)}
              </select></label
            >`,
        )}
      <label>Search<input type="search" name="text" autocomplete="off" spellcheck="false" /></label>
      <button type="reset">Clear filters</button>
    </form>
    <output class="shown" id="${id}-shown" aria-live="polite"></output>`;
}

/** Numbers the distinct texts of rows in their order. Marks are numbers, so that they contain no input. */
export function numberChoices(texts: readonly string[]): {
  readonly choices: readonly Choice[];
  readonly markOf: (text: string) => number;
} {
  const sorted = [...new Set(texts)].sort(byLetters);
  const marks = new Map(sorted.map((text, i) => [text, i]));
  return { choices: sorted.map((text, i) => [i, text]), markOf: (text) => marks.get(text) ?? -1 };
}

/** Compares texts without case, independent of the locale. */
function byLetters(a: string, b: string): number {
  const [one, other] = [a.toLowerCase(), b.toLowerCase()];
  if (one !== other) return one < other ? -1 : 1;
  return a < b ? -1 : Number(a > b);
}
