import { html, type Markup, type Part } from '../model/markup.ts';
import { countText } from '../model/report-labels.ts';
import { coordinate, type CountAxis } from './scale.ts';

/** Size and margins of a chart, in units of the drawing. */
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
  /** Id within the page: letters and dashes, never input. */
  readonly id: string;
  readonly title: string;
  readonly summary: string;
}

/** Creates the SVG of a chart with its title and text alternative. */
export function chart({ width, height }: Frame, labels: ChartLabels, content: Part): Markup {
  return html`<svg
    class="chart"
    viewBox="0 0 ${width} ${height}"
    role="img"
    aria-labelledby="${labels.id}-title ${labels.id}-summary"
  >
    <title id="${labels.id}-title">${labels.title}</title>
    <desc id="${labels.id}-summary">${labels.summary}</desc>
    ${content}
  </svg>`;
}

/** Draws the grid lines of a count axis with their numbers. `at` returns the position of a count. */
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
