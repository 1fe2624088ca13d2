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
import { companyCell, foreign } from './ad-cell.ts';
import { html, type Markup } from '../model/markup.ts';
import { emptyNote, type Section } from './report-parts.ts';
import { remainder, table } from './table.ts';

/** Section with the state of each company after its last scan. */
export function companiesSection({ companies, schedule }: ScheduleData): Section {
  const what = { id: 'companies', title: 'Companies' };
  if (companies.total === 0) {
    return { ...what, content: emptyNote('No scan has said anything about a company yet.') };
  }
  const silent = schedule.companies - companies.total;
  return {
    ...what,
    content: [
      silent > 0 && emptyNote(`Of ${counted(silent, 'company', 'companies')} nothing is known yet.`),
      remainder(companies, 'companies', html`The view <code>reports.ads_current</code> has them all.`),
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
            { title: 'Last answer', cell: ({ completeness }) => completenessText(completeness) },
            { title: 'Observed', kind: 'day', cell: ({ observedAt }) => momentText(observedAt) },
          ],
          { id: 'companies-table', caption: 'Companies, those with the most ads first' },
        )}
      </div>`,
    ],
  };
}

/** The scans, the newest first. */
export function scansSection({ scans }: ScheduleData): Section {
  const what = { id: 'scans', title: 'Scans' };
  if (scans.total === 0) return { ...what, content: emptyNote('No scan has begun yet.') };
  return {
    ...what,
    content: [
      remainder(scans, 'scans', html`The view <code>reports.scans</code> has them all.`),
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
            { title: 'List', cell: ({ batch }) => (batch === null ? null : html`<code>${batch}</code>`) },
          ],
          { id: 'scans-table', caption: 'Scans, the newest first' },
        )}
      </div>`,
    ],
  };
}

function stateCell(scan: ReportedScan): Markup {
  const { reason } = scan;
  return html`${scanStateText(scan)}${reason !== null && html`<br /><span class="small quiet">${foreign(reason, 200)}</span>`}`;
}

/** Section with the failures of the newest scan and their remedies. */
export function failuresSection({ failures }: ScheduleData): Section | null {
  if (failures === null || failures.companies.total === 0) return null;
  const { companies, batch, dueAt, isRetriable } = failures;
  const command = html`<code>nightshift retry ${batch}</code>`;
  const missing = counted(companies.total, 'company has no answer', 'companies have no answer');
  return {
    id: 'failures',
    title: 'What failed',
    content: [
      html`<p>
        ${missing} in the scan of ${momentText(dueAt)}.
        ${isRetriable ? html`To look them up again: ${command}` : 'It has not ended yet.'}
      </p>`,
      remainder(companies, 'companies', html`The view <code>reports.lookups</code> has them all.`),
      html`<div class="card">
        ${table(
          companies.rows,
          [
            { title: 'Company', kind: 'name', cell: ({ company }) => companyCell(company) },
            { title: 'Reason', cell: ({ reason }) => html`<code>${reason}</code>` },
          ],
          { id: 'failures-table', caption: 'Companies without an answer', isNarrow: true },
        )}
      </div>`,
    ],
  };
}

function countOrBlank(count: number): string {
  return count === 0 ? '' : countText(count);
}
