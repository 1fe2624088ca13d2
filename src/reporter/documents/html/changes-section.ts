import type { AdLabels, ReportedChange, ScheduleData } from '../../../core/reports/schedule-data.ts';
import { dayOf } from '../../../core/reports/days.ts';
import {
  baselineLabels,
  changeReason,
  companyLabel,
  counted,
  kinds,
  kindLabels,
} from '../model/report-labels.ts';
import { shorten } from '../../../core/reports/visible-text.ts';
import { adCell, companyCell, foreign } from './ad-cell.ts';
import { filters, numberChoices } from './filters.ts';
import { html, type Markup } from '../model/markup.ts';
import { emptyNote, type Section } from './report-parts.ts';
import { remainder, table } from './table.ts';

/** Section with the changes, newest first, and their filters. */
export function changesSection(
  { changes, baseline, scans, missesToEnd }: ScheduleData & { readonly missesToEnd: number },
  withPictures: boolean,
): Section {
  const what = { id: 'changes', title: 'Changes' };
  const quiet = baseline > 0 && emptyNote(baselineLabels(baseline));
  if (changes.total === 0) {
    const words = scans.total === 0 ? 'No scan has ended yet.' : 'Nothing changed in these days.';
    return { ...what, content: [emptyNote(words), quiet] };
  }
  const about = `An ad has ended when ${counted(missesToEnd, 'complete scan')} in a row did not see it, or its source itself has not for long.`;
  return {
    ...what,
    content: [
      emptyNote(about),
      quiet,
      remainder(changes, 'changes', html`The view <code>reports.ads_changes</code> has them all.`),
      changesCard(changes.rows, withPictures),
    ],
  };
}

function changesCard(rows: readonly ReportedChange[], withPictures: boolean): Markup {
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
        { title: 'Format', cell: ({ ad }) => foreign(formatOf(ad), 40) },
        { title: 'Why', cell: changeReason },
      ],
      {
        id: 'changes-table',
        caption: 'Changes, the newest first',
        marks: ({ kind, company, ad }) => ({
          kind,
          company: companies.markOf(companyLabel(company)),
          format: formats.markOf(formatOf(ad)),
        }),
      },
    )}
  </div>`;
}

function formatOf({ format }: Pick<AdLabels, 'format'>): string {
  return shorten(format ?? 'not said', 40);
}

const wordNames: readonly (readonly [keyof AdLabels, string])[] = [
  ['format', 'format'],
  ['headline', 'headline'],
  ['description', 'description'],
  ['displayUrl', 'shown address'],
  ['finalUrl', 'address'],
];

/** Differences of a changed ad; its pictures, where its texts are the same. */
function differences({ kind, ad, before }: ReportedChange): Markup | null {
  if (kind !== 'changed') return null;
  const changed = wordNames.filter(([field]) => before !== null && before[field] !== ad[field]);
  if (changed.length === 0) return html`<p class="small quiet">Its renderings differ from before.</p>`;
  return html`${changed.map(
    ([field, name]) =>
      html`<p class="small">${name} before: <del>${foreign(before?.[field] ?? 'none', 160)}</del></p>`,
  )}`;
}
