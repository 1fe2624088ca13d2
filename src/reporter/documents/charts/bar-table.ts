import { html, type Markup } from '../model/markup.ts';
import { coordinate } from './scale.ts';

/** Row of a bar table. */
export interface Bar {
  readonly name: Markup;
  readonly value: number;
  /** Formatted value. */
  readonly text: string;
}

/** Caption and column titles of a bar table. */
export interface BarTableLabels {
  readonly caption: string;
  /** Titles of the two columns. */
  readonly nameTitle: string;
  readonly valueTitle: string;
}

/** Creates a table with a bar beside each number: chart and data in one, complete for screen readers. */
export function barTable(bars: readonly Bar[], { caption, nameTitle, valueTitle }: BarTableLabels): Markup {
  const largest = Math.max(1, ...bars.map(({ value }) => value));
  return html`<table class="bars">
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        <th scope="col">${nameTitle}</th>
        <td aria-hidden="true"></td>
        <th scope="col" class="number">${valueTitle}</th>
      </tr>
    </thead>
    <tbody>
      ${bars.map(
        ({ name, value, text }) =>
          html`<tr>
            <th scope="row">${name}</th>
            <td class="bar" aria-hidden="true">${drawBar(value / largest)}</td>
            <td class="number">${text}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** Draws a bar of this fraction of its cell. */
function drawBar(fraction: number): Markup {
  return html`<svg viewBox="0 0 100 10" preserveAspectRatio="none">
    <path d="M0,0H${coordinate(fraction * 100)}V10H0Z" />
  </svg>`;
}
