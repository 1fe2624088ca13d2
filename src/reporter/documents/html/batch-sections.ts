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
import { adCell, companyCell, untrusted } from './ad-cell.ts';
import { filters, numberChoices } from './filters.ts';
import { html, type Markup, type Part } from '../model/markup.ts';
import { emptyNote, type Section } from './report-parts.ts';
import { remainder, table } from './table.ts';

/** Creates the section of companies with their outcomes and filters. */
export function companiesSection({ companies, summary }: BatchData): Section {
  const section = { id: 'companies', title: 'Companies' };
  if (companies.rows.length === 0) return { ...section, content: emptyNote('This batch has no companies.') };
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
        caption: 'Companies, in the order of the file',
        marks: ({ outcome }) => ({ outcome }),
      },
    )}
  </div>`;
  return { ...section, content: [rest, card] };
}

function outcomesAmong(rows: readonly CompanyOutcome[]) {
  const present = new Set(rows.map(({ outcome }) => outcome));
  return [...outcomeLabels].filter(([outcome]) => present.has(outcome));
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

/** Creates the section of ads with their filters. */
export function adsSection({ ads, summary }: BatchData, withPictures: boolean): Section {
  const section = { id: 'ads', title: 'Ads' };
  if (ads.rows.length === 0) return { ...section, content: emptyNote('No ads found.') };
  const rest = remainder(ads, 'ads', exportHint(summary.publicId, ' --shape ads'));
  return { ...section, content: [rest, adsCard(ads.rows, withPictures)] };
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
        { title: 'Format', cell: (row) => untrusted(formatOf(row), 40) },
        { title: 'First seen', kind: 'day', cell: ({ ad }) => ad.start },
        { title: 'Last seen', kind: 'day', cell: ({ ad }) => ad.lastSeen },
      ],
      {
        id: 'ads-table',
        caption: 'Ads, in the order of the file and of the source',
        marks: (row) => ({
          company: companies.markOf(companyLabel(row.company)),
          format: formats.markOf(formatOf(row)),
        }),
      },
    )}
  </div>`;
}

function formatOf({ ad }: CompanyAd): string {
  return shorten(ad.format ?? 'unknown', 40);
}

/** Creates the section of addresses by verdict. It omits the addresses, which are personal data. */
export function verdictsSection({ summary }: BatchData): Section {
  const rows = [...verdictLabels].map(([status, label]) => ({ label, count: summary.emails[status] }));
  return {
    id: 'addresses',
    title: 'Addresses',
    content: [
      emptyNote('Reports contain no e-mail addresses.'),
      html`<p class="quiet">${exportHint(summary.publicId)}</p>`,
      html`<div class="card">
        ${table(
          rows,
          [
            { title: 'Verdict', kind: 'name', cell: ({ label }) => label },
            { title: 'Addresses', kind: 'number', cell: ({ count }) => countText(count) },
          ],
          { id: 'verdicts-table', caption: 'Addresses by verdict', isNarrow: true },
        )}
      </div>`,
    ],
  };
}

/** Creates the section of rejected rows with their reasons; null without any. */
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
            { title: 'Reason', cell: ({ reason }) => untrusted(reason, 300) },
          ],
          { id: 'rejected-table', caption: 'Rejected rows with their reasons', isNarrow: true },
        )}
      </div>`,
    ],
  };
}

function exportHint(publicId: string, shape = ''): Markup {
  return html`Export all: <code>nightshift export ${publicId}${shape} -o batch.csv</code>`;
}
