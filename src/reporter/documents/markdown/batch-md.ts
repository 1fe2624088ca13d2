import { formatCredits } from '../../../core/credits/credits.ts';
import type { BatchData, CompanyOutcome } from '../../../core/reports/batch-data.ts';
import { momentText } from '../../../core/reports/days.ts';
import { countText, moreAdsText, outcomeLabels, stateLabels, verdictLabels } from '../model/report-labels.ts';
import { shorten } from '../../../core/reports/visible-text.ts';
import { adMd, companyMd, formatMd, formatsMd, longestMd, rankingsMd } from './ad-text.ts';
import { textBar } from './bars.ts';
import { codeMarkdown, escapeMarkdown } from './escape.ts';
import { mdRemainder, mdTable } from './table.ts';

/** Formats the report of a batch as Markdown, for terminals and pull requests. The same data gives the same text. */
export function batchMarkdown(data: BatchData): string {
  const { summary, asOf } = data;
  const { fileName, publicId, state, sources } = summary;
  const generated = sources.includes('sample') ? ' Sample data: these ads are generated, not real.' : '';
  const parts = [
    `# Nightshift: ${escapeMarkdown(shorten(fileName, 120))}`,
    `\`${publicId}\` is ${stateLabels.get(state) ?? state}, as of ${momentText(asOf)}.${generated}`,
    totalsMd(data),
    ...(summary.operations.includes('ads_search') ? adParts(data) : []),
    ...verdictParts(data),
    ...rejectedParts(data),
  ];
  return `${parts.join('\n\n')}\n`;
}

function totalsMd({ summary, ads }: BatchData): string {
  const { rows, lookups, emails, chargedMicro } = summary;
  return [
    `- Rows: ${countText(rows.total)}, of which ${countText(rows.rejected)} rejected`,
    `- Companies: ${countText(lookups.total - emails.total)}, of which ${countText(lookups.found)} with ads`,
    `- Ads: ${countText(ads.total)}`,
    ...(emails.total > 0 ? [`- Addresses: ${countText(emails.total)}`] : []),
    `- Without a result: ${countText(lookups.failed)} failed, ${countText(lookups.open)} open`,
    `- Credits: ${formatCredits(chargedMicro)}`,
  ].join('\n');
}

function adParts(data: BatchData): readonly string[] {
  return [
    '## Outcomes',
    outcomesMd(data),
    '## Formats',
    formatsMd(data.formats),
    '## Longest running',
    longestMd(data.longest),
    ...rankingsMd(data),
    '## Companies',
    ...companiesParts(data),
    '## Ads',
    ...adsParts(data),
  ];
}

function outcomesMd({ outcomes }: BatchData): string {
  const rows = [...outcomeLabels].flatMap(([outcome, label]) => {
    const count = outcomes.get(outcome) ?? 0;
    return count === 0 ? [] : [{ label, count }];
  });
  if (rows.length === 0) return 'This batch has no companies.';
  const largest = Math.max(...rows.map(({ count }) => count));
  return mdTable(rows, [
    { title: 'Outcome', cell: ({ label }) => label },
    { title: 'Companies', cell: ({ count }) => countText(count), isNumber: true },
    { title: '', cell: ({ count }) => textBar(count, largest) },
  ]);
}

function companiesParts({ companies, summary }: BatchData): readonly string[] {
  if (companies.rows.length === 0) return ['This batch has no companies.'];
  return [
    ...mdRemainder(companies, 'companies', exportHint(summary.publicId)),
    mdTable(companies.rows, [
      { title: 'Company', cell: ({ company }) => companyMd(company) },
      { title: 'Outcome', cell: ({ outcome }) => outcomeLabels.get(outcome) ?? outcome },
      { title: 'Ads', cell: adsCountMd, isNumber: true },
      { title: 'Source', cell: ({ source }) => escapeMarkdown(source ?? '') },
      { title: 'Reason', cell: ({ reason }) => codeMarkdown(reason ?? '') },
    ]),
  ];
}

function adsCountMd(company: CompanyOutcome): string {
  const more = moreAdsText(company);
  return more === null ? countText(company.adsCount) : `${countText(company.adsCount)} ${more}`;
}

function adsParts({ ads, summary }: BatchData): readonly string[] {
  if (ads.rows.length === 0) return ['No ads found.'];
  return [
    ...mdRemainder(ads, 'ads', exportHint(summary.publicId, ' --shape ads')),
    mdTable(ads.rows, [
      { title: 'Company', cell: ({ company }) => companyMd(company) },
      { title: 'Ad', cell: ({ ad }) => adMd(ad) },
      { title: 'Format', cell: ({ ad }) => formatMd(ad.format) },
      { title: 'First seen', cell: ({ ad }) => ad.start ?? '' },
      { title: 'Last seen', cell: ({ ad }) => ad.lastSeen ?? '' },
    ]),
  ];
}

function verdictParts({ summary: { operations, emails } }: BatchData): readonly string[] {
  if (!operations.includes('email_validation')) return [];
  return [
    '## Addresses',
    [...verdictLabels].map(([status, label]) => `- ${countText(emails[status])} ${label}`).join('\n'),
  ];
}

function rejectedParts({ rejected, summary }: BatchData): readonly string[] {
  if (rejected.total === 0) return [];
  return [
    '## Rejected rows',
    ...mdRemainder(rejected, 'rows', exportHint(summary.publicId)),
    mdTable(rejected.rows, [
      { title: 'Line', cell: ({ lineNo }) => countText(lineNo), isNumber: true },
      { title: 'Reason', cell: ({ reason }) => escapeMarkdown(shorten(reason, 200)) },
    ]),
  ];
}

function exportHint(publicId: string, shape = ''): string {
  return `Export all: \`nightshift export ${publicId}${shape} -o batch.csv\``;
}
