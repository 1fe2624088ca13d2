import { shortDay } from '../../../core/reports/days.ts';
import { countText } from '../model/report-labels.ts';
import { shorten } from '../../../core/reports/visible-text.ts';
import { html, type Markup } from '../model/markup.ts';
import { chart, countLines, type ChartLabels, type Frame } from './frame.ts';
import { linePath } from './paths.ts';
import { coordinate, countAxis, labelledPlaces, spreadApart } from './scale.ts';

/** Maximum number of lines that differ in colour and dashes. */
export const linesMax = 6;

/** Line with one value per day. */
export interface ChartLine {
  readonly name: string;
  /** One value per day; null before the first. */
  readonly values: readonly (number | null)[];
  /** Days with a dot; the others repeat the value of the day before. */
  readonly dots: readonly boolean[];
}

const frame: Frame = { width: 1000, height: 300, left: 44, right: 140, top: 12, bottom: 30 };
/** Maximum number of days with a dot each. */
const dottedDaysMax = 62;

/** Draws daily counts as lines, up to `linesMax`, each with its name at its end. */
export function lineChart(days: readonly string[], lines: readonly ChartLine[], labels: ChartLabels): Markup {
  const drawn = lines.slice(0, linesMax);
  const axis = countAxis(Math.max(1, ...drawn.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const bottom = frame.height - frame.bottom;
  const x = (i: number) =>
    frame.left + (days.length < 2 ? 0.5 : i / (days.length - 1)) * (frame.width - frame.left - frame.right);
  const y = (count: number) => bottom - (count / axis.max) * (bottom - frame.top);
  return chart(frame, labels, [
    countLines(frame, axis, y),
    dayLabels(days, x),
    drawn.map((line, i) => drawLine(line, i, { x, y, hasDots: days.length <= dottedDaysMax })),
    endLabels(drawn, x(days.length - 1), y),
  ]);
}

/** Draws the sample of a line for the legend. */
export function lineSample(index: number): Markup {
  return html`<svg class="sample" width="28" height="8" viewBox="0 0 28 8" aria-hidden="true">
    <path class="line line-${index + 1}" d="M1,4H27" />
  </svg>`;
}

function dayLabels(days: readonly string[], x: (i: number) => number): Markup {
  return html`<g class="axis">
    ${labelledPlaces(days.length, 8).map(
      (i) =>
        html`<text x="${coordinate(x(i))}" y="${frame.height - 8}" text-anchor="middle"
          >${shortDay(days[i] ?? '')}</text
        >`,
    )}
  </g>`;
}

interface Scales {
  readonly x: (i: number) => number;
  readonly y: (count: number) => number;
  readonly hasDots: boolean;
}

function drawLine({ name, values, dots }: ChartLine, index: number, { x, y, hasDots }: Scales): Markup {
  const points = values.flatMap((value, i) => (value === null ? [] : [{ i, x: x(i), y: y(value) }]));
  const path = linePath(points);
  const dotted = points.filter(({ i }) => hasDots && dots[i] === true);
  return html`<g>
    <title>${name}</title>
    ${path !== '' && html`<path class="line line-${index + 1}" d="${path}" />`}
    ${dotted.map(
      (dot) =>
        html`<circle
          class="dot dot-${index + 1}"
          cx="${coordinate(dot.x)}"
          cy="${coordinate(dot.y)}"
          r="2.6"
        />`,
    )}
  </g>`;
}

/** Draws names beside the ends of lines, moved apart where they overlap. */
function endLabels(
  lines: readonly ChartLine[],
  right: number,
  y: (count: number) => number,
): readonly Markup[] {
  const ended = lines.flatMap(({ name, values }, index) => {
    const last = values.at(-1) ?? null;
    return last === null ? [] : [{ name, index, last }];
  });
  const places = spreadApart(
    ended.map(({ last }) => y(last)),
    { gap: 15, from: frame.top + 4, to: frame.height - frame.bottom },
  );
  return ended.map(
    ({ name, index, last }, i) =>
      html`<text
        class="end end-${index + 1}"
        x="${coordinate(right + 10)}"
        y="${coordinate((places[i] ?? 0) + 4)}"
        >${shorten(name, 14)} ${countText(last)}</text
      >`,
  );
}
