import type { BatchData, CompanyOutcome } from '../../../core/reports/batch-data.ts';
import type { CompanyAd } from '../../../core/reports/reported-ads.ts';
import {
  companyLabel,
  countText,
  moreAdsText,
  outcomeLabels,
  verdictLabels,
} from '../model/report-labels.ts';
import { shorten } from '../../../core/reports/visible-text.ts';
import { adCell, companyCell, foreign } from './ad-cell.ts';
import { filters, numberChoices } from './filters.ts';
import { html, type Markup, type Part } from '../model/markup.ts';
import { emptyNote, type Section } from './report-parts.ts';
import { remainder, table } from './table.ts';

/** Every company with what came of it, and its filters. */
export function companiesSection({ companies, summary }: BatchData): Section {
  const what = { id: 'companies', title: 'Companies' };
  if (companies.rows.length === 0) return { ...what, content: emptyNote('The list names no company.') };
  const rest = remainder(companies, 'companies', exportHint(summary.publicId));
  const card = html`<div class="card">
    ${filters({
      id: 'companies-table',
      total: companies.rows.length,
      rows: 'companies',
      choices: [
        { name: 'outcome', label: 'Outcome', all: 'All outcomes', of: outcomesAmong(companies.rows) },
      ],
    })}
    ${table(
      companies.rows,
      [
        { title: 'Company', kind: 'name', cell: ({ company }) => companyCell(company) },
        { title: 'Outcome', cell: outcomeCell },
        { title: 'Ads', kind: 'number', cell: adsCell },
        { title: 'Source', cell: ({ source }) => source },
        { title: 'Reason', cell: ({ reason }) => reason !== null && html`<code>${reason}</code>` },
      ],
      {
        id: 'companies-table',
        caption: 'Companies, in the order of the list',
        marks: ({ outcome }) => ({ outcome }),
      },
    )}
  </div>`;
  return { ...what, content: [rest, card] };
}

function outcomesAmong(rows: readonly CompanyOutcome[]) {
  const there = new Set(rows.map(({ outcome }) => outcome));
  return [...outcomeLabels].filter(([outcome]) => there.has(outcome));
}

function outcomeCell({ outcome }: CompanyOutcome): Markup {
  const badge = ['found', 'failed', 'open'].includes(outcome) ? outcome : 'plain';
  return html`<span class="badge badge-${badge}">${outcomeLabels.get(outcome) ?? outcome}</span>`;
}

function adsCell(company: CompanyOutcome): Part {
  const { outcome, adsCount } = company;
  if (outcome !== 'found') return outcome === 'none' ? '0' : null;
  const more = moreAdsText(company);
  return more === null
    ? countText(adsCount)
    : html`${countText(adsCount)}<br /><span class="small quiet">${more}</span>`;
}

/** Every ad that was found, and its filters. */
export function adsSection({ ads, summary }: BatchData, withPictures: boolean): Section {
  const what = { id: 'ads', title: 'Ads' };
  if (ads.rows.length === 0) return { ...what, content: emptyNote('No ad has been found.') };
  const rest = remainder(ads, 'ads', exportHint(summary.publicId, ' --shape ads'));
  return { ...what, content: [rest, adsCard(ads.rows, withPictures)] };
}

function adsCard(rows: readonly CompanyAd[], withPictures: boolean): Markup {
  const companies = numberChoices(rows.map(({ company }) => companyLabel(company)));
  const formats = numberChoices(rows.map(formatOf));
  return html`<div class="card">
    ${filters({
      id: 'ads-table',
      total: rows.length,
      rows: 'ads',
      choices: [
        { name: 'company', label: 'Company', all: 'All companies', of: companies.choices },
        { name: 'format', label: 'Format', all: 'All formats', of: formats.choices },
      ],
    })}
    ${table(
      rows,
      [
        { title: 'Company', kind: 'name', cell: ({ company }) => companyCell(company) },
        { title: 'Ad', kind: 'ad', cell: ({ ad }) => adCell(ad, withPictures) },
        { title: 'Format', cell: (row) => foreign(formatOf(row), 40) },
        { title: 'First seen', kind: 'day', cell: ({ ad }) => ad.start },
        { title: 'Last seen', kind: 'day', cell: ({ ad }) => ad.lastSeen },
      ],
      {
        id: 'ads-table',
        caption: 'Ads, in the order of the list and of the source',
        marks: (row) => ({
          company: companies.markOf(companyLabel(row.company)),
          format: formats.markOf(formatOf(row)),
        }),
      },
    )}
  </div>`;
}

function formatOf({ ad }: CompanyAd): string {
  return shorten(ad.format ?? 'not said', 40);
}

/** Section with the number of addresses by verdict. The addresses themselves are left out: they are personal data. */
export function verdictsSection({ summary }: BatchData): Section {
  const rows = [...verdictLabels].map(([status, word]) => ({ word, count: summary.emails[status] }));
  return {
    id: 'addresses',
    title: 'Addresses',
    content: [
      emptyNote('A report shows no addresses.'),
      html`<p class="quiet">${exportHint(summary.publicId)}</p>`,
      html`<div class="card">
        ${table(
          rows,
          [
            { title: 'Verdict', kind: 'name', cell: ({ word }) => word },
            { title: 'Addresses', kind: 'number', cell: ({ count }) => countText(count) },
          ],
          { id: 'verdicts-table', caption: 'Addresses by their verdict', isNarrow: true },
        )}
      </div>`,
    ],
  };
}

/** Rows that were not looked up, with the reason; null where there are none. */
export function rejectedSection({ rejected, summary }: BatchData): Section | null {
  if (rejected.total === 0) return null;
  return {
    id: 'rejected',
    title: 'Rejected rows',
    content: [
      remainder(rejected, 'rows', exportHint(summary.publicId)),
      html`<div class="card">
        ${table(
          rejected.rows,
          [
            { title: 'Line', kind: 'number', cell: ({ lineNo }) => countText(lineNo) },
            { title: 'Reason', cell: ({ reason }) => foreign(reason, 300) },
          ],
          { id: 'rejected-table', caption: 'Rows that name nothing to look up', isNarrow: true },
        )}
      </div>`,
    ],
  };
}

function exportHint(publicId: string, shape = ''): Markup {
  return html`All of them: <code>nightshift export ${publicId}${shape} -o list.csv</code>`;
}
