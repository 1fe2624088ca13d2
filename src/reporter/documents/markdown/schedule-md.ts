import { formatCredits } from '../../../core/credits/credits.ts';
import type { ScheduleData } from '../../../core/reports/schedule-data.ts';
import { dayOf, listDays, momentText, spanText } from '../../../core/reports/days.ts';
import { activityLine, dayBalances } from '../model/history.ts';
import {
  baselineMessage,
  changeReason,
  completenessText,
  counted,
  countText,
  kinds,
  kindLabels,
  scanCompleteness,
  scanStateText,
} from '../model/report-labels.ts';
import { scheduleTimes } from '../model/schedule-times.ts';
import { shorten } from '../../../core/reports/visible-text.ts';
import { adMd, companyMd, formatMd, formatsMd, longestMd } from './ad-text.ts';
import { sparkline } from './bars.ts';
import { codeMarkdown, escapeMarkdown } from './escape.ts';
import { mdRemainder, mdTable } from './table.ts';

/** Formats the report of a schedule as Markdown, for terminals and pull requests. The same data gives the same text. */
export function scheduleMarkdown(data: ScheduleData): string {
  const { schedule, window, asOf } = data;
  const span =
    window === null ? 'No finished scan yet.' : `${window.from} to ${window.to}, as of ${momentText(asOf)}.`;
  const parts = [
    `# Nightshift: ${escapeMarkdown(shorten(schedule.name, 120))}`,
    `${counted(schedule.companies, 'company', 'companies')}, scanned ${escapeMarkdown(scheduleTimes(schedule))}. ${span}`,
    totalsMd(data),
    ...failureParts(data),
    ...historyParts(data),
    '## Formats',
    formatsMd(data.formats),
    '## Longest running',
    longestMd(data.longest),
    '## Changes',
    ...changeParts(data),
    '## Companies',
    ...companyParts(data),
    '## Scans',
    ...scanParts(data),
  ];
  return `${parts.join('\n\n')}\n`;
}

function totalsMd({ days, adsActive, scans }: ScheduleData): string {
  const sums = kinds.map(
    (kind) => [kindLabels[kind], days.reduce((sum, day) => sum + day[kind], 0)] as const,
  );
  const charged = scans.rows.reduce((micro, { chargedMicro }) => micro + chargedMicro, 0n);
  return [
    `- Active ads: ${countText(adsActive)}`,
    ...sums.map(([label, count]) => `- ${label}: ${countText(count)}`),
    `- Scans: ${countText(scans.total)}`,
    `- Credits: ${formatCredits(charged)}`,
  ].join('\n');
}

function failureParts({ failures }: ScheduleData): readonly string[] {
  if (failures === null || failures.companies.total === 0) return [];
  const { companies, batch, dueAt, isRetriable } = failures;
  const retry = isRetriable ? `Retry them: \`nightshift retry ${batch}\`` : 'The scan has not finished.';
  const missing = counted(companies.total, 'company has no result', 'companies have no result');
  return [
    '## Failures',
    `${missing} in the scan of ${momentText(dueAt)}. ${retry}`,
    ...mdRemainder(companies, 'companies', ''),
    mdTable(companies.rows, [
      { title: 'Company', cell: ({ company }) => companyMd(company) },
      { title: 'Reason', cell: ({ reason }) => codeMarkdown(reason) },
    ]),
  ];
}

/** Maximum number of days drawn, the last ones: more do not fit a line. */
const daysDrawnMax = 60;

function historyParts({ window, activity, days: changed }: ScheduleData): readonly string[] {
  if (window === null) return [];
  const days = listDays(window.from, window.to).slice(-daysDrawnMax);
  const lines = activity.map((each) => activityLine(each, days));
  if (lines.length === 0) return [];
  const balances = dayBalances(changed, days);
  const balanceLines = [
    { name: 'new or back', values: balances.map(({ begun }) => begun) },
    { name: 'ended', values: balances.map(({ ended }) => ended) },
  ];
  return [
    `## Active ads, ${spanText(days[0] ?? '', days.at(-1) ?? '')}`,
    mdTable(lines, [
      { title: 'Company', cell: ({ activity: { company } }) => companyMd(company) },
      { title: 'Day by day', cell: ({ values }) => sparkline(values) },
      { title: 'Now', cell: ({ values }) => countText(values.at(-1) ?? 0), isNumber: true },
    ]),
    mdTable(balanceLines, [
      { title: 'Ads', cell: ({ name }) => name },
      { title: 'Day by day', cell: ({ values }) => sparkline(values) },
      {
        title: 'Total',
        cell: ({ values }) => countText(values.reduce((sum, one) => sum + one, 0)),
        isNumber: true,
      },
    ]),
  ];
}

function changeParts({ changes, scans, baseline }: ScheduleData): readonly string[] {
  const note = baseline > 0 ? [baselineMessage(baseline)] : [];
  if (changes.total === 0) {
    return [scans.total === 0 ? 'No finished scan yet.' : 'No changes in this period.', ...note];
  }
  return [
    ...note,
    ...mdRemainder(changes, 'changes', 'See all in the view `reports.ads_changes`.'),
    mdTable(changes.rows, [
      { title: 'Day', cell: ({ observedAt }) => dayOf(observedAt) },
      { title: 'Change', cell: ({ kind }) => kindLabels[kind] },
      { title: 'Company', cell: ({ company }) => companyMd(company) },
      { title: 'Ad', cell: ({ ad }) => adMd(ad) },
      { title: 'Format', cell: ({ ad }) => formatMd(ad.format) },
      { title: 'Reason', cell: (change) => escapeMarkdown(changeReason(change)) },
    ]),
  ];
}

function companyParts({ companies }: ScheduleData): readonly string[] {
  if (companies.total === 0) return ['No results yet.'];
  return [
    ...mdRemainder(companies, 'companies', 'See all in the view `reports.ads_current`.'),
    mdTable(companies.rows, [
      { title: 'Company', cell: ({ company }) => companyMd(company) },
      { title: 'Active ads', cell: ({ adsActive }) => countText(adsActive), isNumber: true },
      ...kinds.map((kind) => ({
        title: kindLabels[kind],
        cell: ({ changes }: (typeof companies.rows)[number]) => countText(changes[kind]),
        isNumber: true,
      })),
      { title: 'Last result', cell: ({ completeness }) => completenessText(completeness) },
      { title: 'Observed', cell: ({ observedAt }) => momentText(observedAt) },
    ]),
  ];
}

function scanParts({ scans }: ScheduleData): readonly string[] {
  if (scans.total === 0) return ['No scans yet.'];
  return [
    ...mdRemainder(scans, 'scans', 'See all in the view `reports.scans`.'),
    mdTable(scans.rows, [
      { title: 'Due', cell: ({ dueAt }) => momentText(dueAt) },
      { title: 'State', cell: (scan) => escapeMarkdown(scanStateText(scan)) },
      { title: 'Companies', cell: scanCompleteness },
      ...kinds.map((kind) => ({
        title: kindLabels[kind],
        cell: ({ changes }: (typeof scans.rows)[number]) => countText(changes[kind]),
        isNumber: true,
      })),
      { title: 'Credits', cell: ({ chargedMicro }) => formatCredits(chargedMicro), isNumber: true },
    ]),
  ];
}
