import type { ScheduleData } from '../../../core/reports/schedule-data.ts';
import { listDays, spanText } from '../../../core/reports/days.ts';
import { activityLine, dayBalances, type ActivityLine, type DayBalance } from '../model/history.ts';
import { companyLabel, counted, countText } from '../model/report-labels.ts';
import { untrusted } from './ad-cell.ts';
import { columnChart } from '../charts/column-chart.ts';
import { lineChart, lineSample, linesMax } from '../charts/line-chart.ts';
import { html, type Markup } from '../model/markup.ts';
import { chartFigure, emptyNote } from './report-parts.ts';
import { table } from './table.ts';

/** Creates the chart of active ads by day, for the companies with the most ads. */
export function activityFigure({ window, activity, companies }: ScheduleData): Markup {
  const title = 'Active ads over time';
  const days = window === null ? [] : listDays(window.from, window.to);
  const lines = activity.slice(0, linesMax).map((each) => activityLine(each, days));
  if (lines.every(({ values }) => values.every((value) => value === null))) {
    return chartFigure({
      title,
      isWide: true,
      content: emptyNote('No results yet.'),
    });
  }
  const others = companies.total - lines.length;
  const about = `${others > 0 ? `The ${lines.length} companies with the most active ads, of ${countText(companies.total)}. ` : ''}A dot marks a scan. Between scans the last count applies.`;
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
          { id: 'activity', title, summary: activitySummary(lines, days) },
        )}
      </div>
      <ul class="legend">
        ${lines.map(
          ({ activity: { company } }, i) =>
            html`<li>${lineSample(i)}${untrusted(companyLabel(company), 60)}</li>`,
        )}
      </ul>
      <details>
        <summary>Chart data</summary>
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

function activitySummary(lines: readonly ActivityLine[], days: readonly string[]): string {
  const span = `${spanText(days[0] ?? '', days.at(-1) ?? '')}.`;
  const each = lines.map(({ activity: { company }, values }) => {
    const known = values.filter((value) => value !== null);
    return `${companyLabel(company)}: from ${countText(known[0] ?? 0)} to ${countText(known.at(-1) ?? 0)}.`;
  });
  return [span, ...each].join(' ');
}

/** Creates the chart of started and ended ads by day. */
export function balanceFigure({ window, days: changed }: ScheduleData): Markup {
  const title = 'New and ended ads';
  const days = window === null ? [] : listDays(window.from, window.to);
  const balances = dayBalances(changed, days);
  const begun = balances.reduce((sum, day) => sum + day.begun, 0);
  const ended = balances.reduce((sum, day) => sum + day.ended, 0);
  if (begun + ended === 0) {
    return chartFigure({
      title,
      isWide: true,
      content: emptyNote('No ads started or ended in this period.'),
    });
  }
  const summary = `${counted(begun, 'ad')} started or returned and ${countText(ended)} ended, ${spanText(days[0] ?? '', days.at(-1) ?? '')}.`;
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
        <summary>Chart data</summary>
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
    { id: 'balance-numbers', caption: 'Days with new or ended ads', isNarrow: true },
  );
}
