import type { AdLabels, ReportedChange, ScheduleData } from '../../../core/reports/schedule-data.ts';
import type { DaySpan } from '../../../core/reports/highlights.ts';
import { dayOf } from '../../../core/reports/days.ts';
import {
  baselineMessage,
  changeReason,
  companyLabel,
  counted,
  kinds,
  kindLabels,
} from '../model/report-labels.ts';
import { shorten } from '../../../core/reports/visible-text.ts';
import { adCell, companyCell, untrusted } from './ad-cell.ts';
import { filters, numberChoices } from './filters.ts';
import { html, type Markup } from '../model/markup.ts';
import { emptyNote, type Section } from './report-parts.ts';
import { remainder, table } from './table.ts';

/** Creates the section of changes, newest first, with their filters. */
export function changesSection(
  { changes, baseline, scans, highlights, missesToEnd }: ScheduleData & { readonly missesToEnd: number },
  withPictures: boolean,
): Section {
  const section = { id: 'changes', title: 'Changes' };
  const note = baseline > 0 && emptyNote(baselineMessage(baseline));
  if (changes.total === 0) {
    const message = scans.total === 0 ? 'No finished scan yet.' : 'No changes in this period.';
    return { ...section, content: [emptyNote(message), note] };
  }
  const rule = `An ad ends after ${counted(missesToEnd, 'complete scan', 'complete scans in a row')} without it, or when its source has not seen it for a long time.`;
  return {
    ...section,
    content: [
      emptyNote(rule),
      note,
      remainder(changes, 'changes', html`See all in the view <code>reports.ads_changes</code>.`),
      changesCard(changes.rows, highlights.week, withPictures),
    ],
  };
}

function changesCard(rows: readonly ReportedChange[], week: DaySpan | null, withPictures: boolean): Markup {
  const periodOf = ({ observedAt }: ReportedChange) =>
    week !== null && dayOf(observedAt) >= week.from ? 'week' : 'before';
  const companies = numberChoices(rows.map(({ company }) => companyLabel(company)));
  const formats = numberChoices(rows.map(({ ad }) => formatOf(ad)));
  return html`<div class="card">
    ${filters({
      id: 'changes-table',
      total: rows.length,
      rows: 'changes',
      boxes: { name: 'kind', label: 'Change', of: kinds.map((kind) => [kind, kindLabels[kind]]) },
      choices: [
        { name: 'company', label: 'Company', all: 'All companies', of: companies.choices },
        { name: 'format', label: 'Format', all: 'All formats', of: formats.choices },
        { name: 'period', label: 'Period', all: 'All days', of: week === null ? [] : periods },
      ],
    })}
    ${table(
      rows,
      [
        { title: 'Day', kind: 'day', cell: ({ observedAt }) => dayOf(observedAt) },
        {
          title: 'Change',
          cell: ({ kind }) => html`<span class="badge badge-${kind}">${kindLabels[kind]}</span>`,
        },
        { title: 'Company', cell: ({ company }) => companyCell(company) },
        { title: 'Ad', kind: 'ad', cell: (change) => [adCell(change.ad, withPictures), differences(change)] },
        { title: 'Format', cell: ({ ad }) => untrusted(formatOf(ad), 40) },
        { title: 'Reason', cell: changeReason },
      ],
      {
        id: 'changes-table',
        caption: 'Changes, newest first',
        marks: (change) => ({
          kind: change.kind,
          company: companies.markOf(companyLabel(change.company)),
          format: formats.markOf(formatOf(change.ad)),
          period: periodOf(change),
        }),
      },
    )}
  </div>`;
}

/** Periods of changes: the week of the first page, and the days before it. */
const periods = [
  ['week', 'This week'],
  ['before', 'Earlier'],
] as const;

function formatOf({ format }: Pick<AdLabels, 'format'>): string {
  return shorten(format ?? 'unknown', 40);
}

const textLabels: readonly (readonly [keyof AdLabels, string])[] = [
  ['format', 'format'],
  ['headline', 'headline'],
  ['description', 'description'],
  ['displayUrl', 'display URL'],
  ['finalUrl', 'landing page'],
];

/** Lists the differences of a changed ad. If no text differs, its picture or layout does. */
function differences({ kind, ad, before }: ReportedChange): Markup | null {
  if (kind !== 'changed') return null;
  const changed = textLabels.filter(([field]) => before !== null && before[field] !== ad[field]);
  if (changed.length === 0) return html`<p class="small quiet">The picture or layout changed.</p>`;
  return html`${changed.map(
    ([field, name]) =>
      html`<p class="small">Previous ${name}: <del>${untrusted(before?.[field] ?? 'none', 160)}</del></p>`,
  )}`;
}
