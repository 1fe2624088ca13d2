import { formatCredits } from '../../../core/credits/credits.ts';
import type { ReportedScan, ScheduleData } from '../../../core/reports/schedule-data.ts';
import { momentText } from '../../../core/reports/days.ts';
import {
  completenessText,
  counted,
  countText,
  kinds,
  kindLabels,
  scanCompleteness,
  scanStateText,
} from '../model/report-labels.ts';
import { companyCell, untrusted } from './ad-cell.ts';
import { html, type Markup } from '../model/markup.ts';
import { emptyNote, type Section } from './report-parts.ts';
import { remainder, table } from './table.ts';

/** Creates the section of companies after their last scan. */
export function companiesSection({ companies, schedule }: ScheduleData): Section {
  const section = { id: 'companies', title: 'Companies' };
  if (companies.total === 0) {
    return { ...section, content: emptyNote('No results yet.') };
  }
  const missing = schedule.companies - companies.total;
  return {
    ...section,
    content: [
      missing > 0 && emptyNote(`${counted(missing, 'company has', 'companies have')} no result yet.`),
      remainder(companies, 'companies', html`See all in the view <code>reports.ads_current</code>.`),
      html`<div class="card">
        ${table(
          companies.rows,
          [
            { title: 'Company', kind: 'name', cell: ({ company }) => companyCell(company) },
            { title: 'Active ads', kind: 'number', cell: ({ adsActive }) => countText(adsActive) },
            ...kinds.map((kind) => ({
              title: kindLabels[kind],
              kind: 'number' as const,
              cell: ({ changes }: (typeof companies.rows)[number]) => countOrBlank(changes[kind]),
            })),
            { title: 'Last result', cell: ({ completeness }) => completenessText(completeness) },
            { title: 'Observed', kind: 'day', cell: ({ observedAt }) => momentText(observedAt) },
          ],
          { id: 'companies-table', caption: 'Companies, most ads first' },
        )}
      </div>`,
    ],
  };
}

/** Creates the section of scans, newest first. */
export function scansSection({ scans }: ScheduleData): Section {
  const section = { id: 'scans', title: 'Scans' };
  if (scans.total === 0) return { ...section, content: emptyNote('No scans yet.') };
  return {
    ...section,
    content: [
      remainder(scans, 'scans', html`See all in the view <code>reports.scans</code>.`),
      html`<div class="card">
        ${table(
          scans.rows,
          [
            {
              title: 'Due',
              kind: 'name',
              cell: ({ dueAt }) => html`<span class="day">${momentText(dueAt)}</span>`,
            },
            { title: 'State', cell: stateCell },
            { title: 'Companies', cell: (scan) => scanCompleteness(scan) },
            ...kinds.map((kind) => ({
              title: kindLabels[kind],
              kind: 'number' as const,
              cell: ({ changes, isEvaluated }: ReportedScan) =>
                isEvaluated ? countText(changes[kind]) : '–',
            })),
            { title: 'Credits', kind: 'number', cell: ({ chargedMicro }) => formatCredits(chargedMicro) },
            { title: 'Batch', cell: ({ batch }) => (batch === null ? null : html`<code>${batch}</code>`) },
          ],
          { id: 'scans-table', caption: 'Scans, newest first' },
        )}
      </div>`,
    ],
  };
}

function stateCell(scan: ReportedScan): Markup {
  const { reason } = scan;
  return html`${scanStateText(scan)}${reason !== null && html`<br /><span class="small quiet">${untrusted(reason, 200)}</span>`}`;
}

/** Creates the section of failures in the newest scan, with the command to retry; null without any. */
export function failuresSection({ failures }: ScheduleData): Section | null {
  if (failures === null || failures.companies.total === 0) return null;
  const { companies, batch, dueAt, isRetriable } = failures;
  const command = html`<code>nightshift retry ${batch}</code>`;
  const missing = counted(companies.total, 'company has no result', 'companies have no result');
  return {
    id: 'failures',
    title: 'Failures',
    content: [
      html`<p>
        ${missing} in the scan of ${momentText(dueAt)}.
        ${isRetriable ? html`Retry them: ${command}` : 'The scan has not finished.'}
      </p>`,
      remainder(companies, 'companies', html`See all in the view <code>reports.lookups</code>.`),
      html`<div class="card">
        ${table(
          companies.rows,
          [
            { title: 'Company', kind: 'name', cell: ({ company }) => companyCell(company) },
            { title: 'Reason', cell: ({ reason }) => html`<code>${reason}</code>` },
          ],
          { id: 'failures-table', caption: 'Companies without a result', isNarrow: true },
        )}
      </div>`,
    ],
  };
}

function countOrBlank(count: number): string {
  return count === 0 ? '' : countText(count);
}
