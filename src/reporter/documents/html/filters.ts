import { countText } from '../model/report-labels.ts';
import { html, type Markup } from '../model/markup.ts';

/** A choice of a filter: what rows are marked with, and what people read. */
export type Choice = readonly [mark: string | number, name: string];

export interface Filters {
  /** The table. */
  readonly id: string;
  readonly total: number;
  /** Noun for the rows: `changes`. */
  readonly rows: string;
  /** One of which is chosen, or all. */
  readonly choices: readonly {
    readonly name: string;
    readonly label: string;
    readonly all: string;
    readonly of: readonly Choice[];
  }[];
  /** Several of which may be. */
  readonly boxes?: { readonly name: string; readonly label: string; readonly of: readonly Choice[] };
}

/** The filters of a table. They are hidden until the script that makes them work has run. */
export function filters({ id, total, rows, choices, boxes }: Filters): Markup {
  return html`<form
      class="filters"
      data-filters="${id}"
      data-said="# of ${countText(total)} ${rows} shown."
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
      <button type="reset">Show all</button>
    </form>
    <output class="shown" id="${id}-shown" aria-live="polite"></output>`;
}

/** Numbers for the distinct texts of some rows, in the order of the texts: marks that carry nothing of what they stand for. */
export function numberChoices(texts: readonly string[]): {
  readonly choices: readonly Choice[];
  readonly markOf: (text: string) => number;
} {
  const sorted = [...new Set(texts)].sort(byLetters);
  const marks = new Map(sorted.map((text, i) => [text, i]));
  return { choices: sorted.map((text, i) => [i, text]), markOf: (text) => marks.get(text) ?? -1 };
}

/** Without regard to case, and the same on every machine. */
function byLetters(a: string, b: string): number {
  const [one, other] = [a.toLowerCase(), b.toLowerCase()];
  if (one !== other) return one < other ? -1 : 1;
  return a < b ? -1 : Number(a > b);
}
