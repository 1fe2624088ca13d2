import { html, type Markup, type Part } from '../model/markup.ts';
import { countText } from '../model/report-labels.ts';
import { coordinate, type CountAxis } from './scale.ts';

/** A drawing's size and its margins, in units of its own. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Title of a chart and its text alternative. */
export interface ChartLabels {
  /** Names it within the page: letters and dashes, of ours. */
  readonly id: string;
  readonly title: string;
  readonly summary: string;
}

/** A drawing with its name and its words. */
export function chart({ width, height }: Frame, words: ChartLabels, content: Part): Markup {
  return html`<svg
    class="chart"
    viewBox="0 0 ${width} ${height}"
    role="img"
    aria-labelledby="${words.id}-title ${words.id}-words"
  >
    <title id="${words.id}-title">${words.title}</title>
    <desc id="${words.id}-words">${words.summary}</desc>
    ${content}
  </svg>`;
}

/** The lines of an axis of counts across the drawing, each with its number. `at` says where a count lies. */
export function countLines(
  { left, right, width }: Frame,
  { ticks }: CountAxis,
  at: (count: number) => number,
): Markup {
  const end = width - right;
  return html`<g class="axis">
    ${ticks.map(
      (tick) =>
        html`<line x1="${left}" x2="${end}" y1="${coordinate(at(tick))}" y2="${coordinate(at(tick))}" /><text
            x="${left - 8}"
            y="${coordinate(at(tick) + 4)}"
            text-anchor="end"
            >${countText(Math.abs(tick))}</text
          >`,
    )}
  </g>`;
}
