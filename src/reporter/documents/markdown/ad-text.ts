import type { CompanyAd, FormatCount, NamedCompany, ShownAd } from '../../../core/reports/reported-ads.ts';
import { runningDays } from '../model/running-days.ts';
import { companyLabel, countText } from '../model/report-labels.ts';
import { shorten } from '../../../core/reports/visible-text.ts';
import { textBar } from './bars.ts';
import { escapeMarkdown } from './escape.ts';
import { mdTable } from './table.ts';

export function companyMd(company: NamedCompany): string {
  return escapeMarkdown(companyLabel(company));
}

/** An ad in a few words: its own, else its id, and who runs it. */
export function adMd({ headline, creativeId, advertiserName }: ShownAd): string {
  const words = shorten(headline ?? creativeId ?? 'an ad without a name', 60);
  const by = advertiserName === null ? '' : ` (${shorten(advertiserName, 40)})`;
  return escapeMarkdown(words + by);
}

export function formatMd(format: string | null): string {
  return format === null ? 'not said' : escapeMarkdown(shorten(format, 30));
}

/** Number of ads by format, with bars. */
export function formatsMd(formats: readonly FormatCount[]): string {
  if (formats.length === 0) return 'There is no ad yet.';
  const largest = Math.max(...formats.map(({ ads }) => ads));
  return mdTable(formats, [
    { title: 'Format', cell: ({ format }) => formatMd(format) },
    { title: 'Ads', cell: ({ ads }) => countText(ads), isNumber: true },
    { title: '', cell: ({ ads }) => textBar(ads, largest) },
  ]);
}

/** The ads that have run for the longest, with bars. */
export function longestMd(longest: readonly CompanyAd[]): string {
  if (longest.length === 0) return 'There is no ad whose source says since when it runs.';
  const largest = Math.max(...longest.map(({ ad }) => runningDays(ad)));
  return mdTable(longest, [
    { title: 'Company', cell: ({ company }) => companyMd(company) },
    { title: 'Ad', cell: ({ ad }) => adMd(ad) },
    { title: 'Days', cell: ({ ad }) => countText(runningDays(ad)), isNumber: true },
    { title: '', cell: ({ ad }) => textBar(runningDays(ad), largest) },
  ]);
}
