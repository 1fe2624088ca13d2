import { shortDay } from '../../../core/reports/days.ts';
import type { DayBalance } from '../model/history.ts';
import { countText } from '../model/report-labels.ts';
import { html, type Markup } from '../model/markup.ts';
import { chart, countLines, type ChartLabels, type Frame } from './frame.ts';
import { columnPath } from './paths.ts';
import { balanceAxis, coordinate, labelledPlaces } from './scale.ts';

const frame: Frame = { width: 1000, height: 240, left: 44, right: 8, top: 12, bottom: 30 };

/** Draws a pair of columns per day: started ads above a line, ended ads below it. Ended columns are hollow, for black-and-white print. */
export function columnChart(balances: readonly DayBalance[], labels: ChartLabels): Markup {
  const { above, below, ticks } = balanceAxis(
    Math.max(...balances.map(({ begun }) => begun)),
    Math.max(...balances.map(({ ended }) => ended)),
  );
  const bottom = frame.height - frame.bottom;
  const y = (count: number) => bottom - ((count + below) / (above + below)) * (bottom - frame.top);
  const wide = (frame.width - frame.left - frame.right) / Math.max(1, balances.length);
  const x = (i: number) => frame.left + wide * i;
  return chart(frame, labels, [
    countLines(frame, { max: above, ticks }, y),
    html`<line
      class="zero"
      x1="${frame.left}"
      x2="${frame.width - frame.right}"
      y1="${coordinate(y(0))}"
      y2="${coordinate(y(0))}"
    />`,
    balances.map((balance, i) => columns(balance, { left: x(i), wide, y })),
    html`<g class="axis">
      ${labelledPlaces(balances.length, 8).map(
        (i) =>
          html`<text x="${coordinate(x(i) + wide / 2)}" y="${frame.height - 8}" text-anchor="middle"
            >${shortDay(balances[i]?.day ?? '')}</text
          >`,
      )}
    </g>`,
  ]);
}

interface Place {
  readonly left: number;
  readonly wide: number;
  readonly y: (count: number) => number;
}

function columns({ day, begun, ended }: DayBalance, { left, wide, y }: Place): Markup | null {
  if (begun + ended === 0) return null;
  const width = Math.min(26, wide * 0.66);
  const place = { left: left + (wide - width) / 2, width };
  const column = (name: string, from: number, to: number) =>
    html`<path class="${name}" d="${columnPath(place, y(from), y(to))}" />`;
  return html`<g>
    <title>${day}: ${countText(begun)} new or back, ${countText(ended)} ended</title>
    ${begun > 0 && column('begun', 0, begun)}${ended > 0 && column('ended', 0, -ended)}
  </g>`;
}
