import type { ScheduleData } from '../../../core/reports/schedule-data.ts';
import { listDays, spanText } from '../../../core/reports/days.ts';
import { activityLine, dayBalances, type ActivityLine, type DayBalance } from '../model/history.ts';
import { companyLabel, counted, countText } from '../model/report-labels.ts';
import { foreign } from './ad-cell.ts';
import { columnChart } from '../charts/column-chart.ts';
import { lineChart, lineSample, linesMax } from '../charts/line-chart.ts';
import { html, type Markup } from '../model/markup.ts';
import { chartFigure, emptyNote } from './report-parts.ts';
import { table } from './table.ts';

/** Draws the running ads of the companies with the most, over the days. */
export function activityFigure({ window, activity, companies }: ScheduleData): Markup {
  const title = 'Active ads over time';
  const days = window === null ? [] : listDays(window.from, window.to);
  const lines = activity.slice(0, linesMax).map((each) => activityLine(each, days));
  if (lines.every(({ values }) => values.every((value) => value === null))) {
    return chartFigure({
      title,
      isWide: true,
      content: emptyNote('No scan has said anything about a company yet.'),
    });
  }
  const others = companies.total - lines.length;
  const about = `${others > 0 ? `The ${lines.length} companies with the most ads now, of ${countText(companies.total)}. ` : ''}A dot is a scan; between scans the last count stands.`;
  return chartFigure({
    title,
    about,
    isWide: true,
    content: html`<div class="scroll" role="region" aria-label="Chart: ${title}" tabindex="0">
        ${lineChart(
          days,
          lines.map(({ activity: { company }, values, checked }) => ({
            name: companyLabel(company),
            values,
            dots: checked,
          })),
          { id: 'activity', title, summary: activityLabels(lines, days) },
        )}
      </div>
      <ul class="legend">
        ${lines.map(
          ({ activity: { company } }, i) =>
            html`<li>${lineSample(i)}${foreign(companyLabel(company), 60)}</li>`,
        )}
      </ul>
      <details>
        <summary>Numbers of this chart</summary>
        ${activityTable(lines, days)}
      </details>`,
  });
}

function activityTable(lines: readonly ActivityLine[], days: readonly string[]): Markup {
  const rows = days.map((day, i) => ({ day, i })).reverse();
  return table(
    rows,
    [
      { title: 'Day', kind: 'name', cell: ({ day }) => day },
      ...lines.map(({ activity: { company }, values }) => ({
        title: companyLabel(company),
        kind: 'number' as const,
        cell: ({ i }: { readonly i: number }) => countOrNone(values[i] ?? null),
      })),
    ],
    { id: 'activity-numbers', caption: 'Active ads by day', isNarrow: true },
  );
}

function countOrNone(count: number | null): string {
  return count === null ? '–' : countText(count);
}

function activityLabels(lines: readonly ActivityLine[], days: readonly string[]): string {
  const span = `${spanText(days[0] ?? '', days.at(-1) ?? '')}.`;
  const each = lines.map(({ activity: { company }, values }) => {
    const known = values.filter((value) => value !== null);
    return `${companyLabel(company)}: from ${countText(known[0] ?? 0)} to ${countText(known.at(-1) ?? 0)}.`;
  });
  return [span, ...each].join(' ');
}

/** Draws what began and what ended, day by day. */
export function balanceFigure({ window, days: changed }: ScheduleData): Markup {
  const title = 'New against ended';
  const days = window === null ? [] : listDays(window.from, window.to);
  const balances = dayBalances(changed, days);
  const begun = balances.reduce((sum, day) => sum + day.begun, 0);
  const ended = balances.reduce((sum, day) => sum + day.ended, 0);
  if (begun + ended === 0) {
    return chartFigure({ title, isWide: true, content: emptyNote('No ad began or ended in these days.') });
  }
  const summary = `${counted(begun, 'ad')} began or came back and ${countText(ended)} ended, ${spanText(days[0] ?? '', days.at(-1) ?? '')}.`;
  return chartFigure({
    title,
    about: summary,
    isWide: true,
    content: html`<div class="scroll" role="region" aria-label="Chart: ${title}" tabindex="0">
        ${columnChart(balances, { id: 'balance', title, summary })}
      </div>
      <ul class="legend">
        <li>${keySample('begun')}new or back</li>
        <li>${keySample('ended')}ended</li>
      </ul>
      <details>
        <summary>Numbers of this chart</summary>
        ${balanceTable(balances)}
      </details>`,
  });
}

function keySample(name: 'begun' | 'ended'): Markup {
  return html`<svg class="key" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
    <path class="${name}" d="M1,1H11V11H1Z" />
  </svg>`;
}

function balanceTable(balances: readonly DayBalance[]): Markup {
  const rows = balances.filter(({ begun, ended }) => begun + ended > 0).reverse();
  return table(
    rows,
    [
      { title: 'Day', kind: 'name', cell: ({ day }) => day },
      { title: 'New or back', kind: 'number', cell: ({ begun }) => countText(begun) },
      { title: 'Ended', kind: 'number', cell: ({ ended }) => countText(ended) },
    ],
    { id: 'balance-numbers', caption: 'Days on which ads began or ended', isNarrow: true },
  );
}
