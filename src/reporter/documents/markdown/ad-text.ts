import type {
  AdRankings,
  CompanyAd,
  FormatCount,
  NamedCompany,
  ShownAd,
} from '../../../core/reports/reported-ads.ts';
import { adRankings } from '../model/ad-rankings.ts';
import { runningDays } from '../model/running-days.ts';
import { companyLabel, countText } from '../model/report-labels.ts';
import { shorten } from '../../../core/reports/visible-text.ts';
import { textBar } from './bars.ts';
import { escapeMarkdown } from './escape.ts';
import { mdTable } from './table.ts';

/** Formats a company as Markdown. */
export function companyMd(company: NamedCompany): string {
  return escapeMarkdown(companyLabel(company));
}

/** Formats an ad as Markdown: its headline, else its id, its advertiser, and its payer. */
export function adMd({ headline, creativeId, advertiserName, details }: ShownAd): string {
  const title = shorten(headline ?? creativeId ?? 'untitled ad', 60);
  const by = advertiserName === null ? '' : ` (${shorten(advertiserName, 40)})`;
  const payer = details?.payer ?? null;
  return escapeMarkdown(title + by + (payer === null ? '' : `, paid by ${shorten(payer, 40)}`));
}

/** Formats the format of an ad as Markdown. */
export function formatMd(format: string | null): string {
  return format === null ? 'unknown' : escapeMarkdown(shorten(format, 30));
}

/** Formats the number of ads by format as a table with bars. */
export function formatsMd(formats: readonly FormatCount[]): string {
  if (formats.length === 0) return 'No ads yet.';
  const largest = Math.max(...formats.map(({ ads }) => ads));
  return mdTable(formats, [
    { title: 'Format', cell: ({ format }) => formatMd(format) },
    { title: 'Ads', cell: ({ ads }) => countText(ads), isNumber: true },
    { title: '', cell: ({ ads }) => textBar(ads, largest) },
  ]);
}

/** Formats the longest-running ads as a table with bars. */
export function longestMd(longest: readonly CompanyAd[]): string {
  if (longest.length === 0) return 'No ads with known dates.';
  const largest = Math.max(...longest.map(({ ad }) => runningDays(ad)));
  return mdTable(longest, [
    { title: 'Company', cell: ({ company }) => companyMd(company) },
    { title: 'Ad', cell: ({ ad }) => adMd(ad) },
    { title: 'Days', cell: ({ ad }) => countText(runningDays(ad)), isNumber: true },
    { title: '', cell: ({ ad }) => textBar(runningDays(ad), largest) },
  ]);
}

/** Formats the rankings of ads as tables with bars, each under its heading. */
export function rankingsMd(rankings: AdRankings): readonly string[] {
  return adRankings(rankings).flatMap(({ title, valueTitle, ads, valueOf, textOf }) => {
    const largest = Math.max(...ads.map(({ ad }) => valueOf(ad)));
    return [
      `## ${title}`,
      mdTable(ads, [
        { title: 'Company', cell: ({ company }) => companyMd(company) },
        { title: 'Ad', cell: ({ ad }) => adMd(ad) },
        { title: valueTitle, cell: ({ ad }) => textOf(ad), isNumber: true },
        { title: '', cell: ({ ad }) => textBar(valueOf(ad), largest) },
      ]),
    ];
  });
}
