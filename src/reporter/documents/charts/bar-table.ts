import { html, type Markup } from '../model/markup.ts';
import { coordinate } from './scale.ts';

export interface Bar {
  readonly name: Markup;
  readonly value: number;
  /** The value as people read it. */
  readonly text: string;
}

export interface BarTableLabels {
  readonly caption: string;
  /** Titles of the two columns. */
  readonly nameTitle: string;
  readonly valueTitle: string;
}

/** A table with a bar beside each number: chart and numbers in one, and whole for whoever does not see the bars. */
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

/** A bar as long as the given part of its cell. */
function drawBar(part: number): Markup {
  return html`<svg viewBox="0 0 100 10" preserveAspectRatio="none">
    <path d="M0,0H${coordinate(part * 100)}V10H0Z" />
  </svg>`;
}
