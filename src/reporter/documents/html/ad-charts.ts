import type { AdRankings, CompanyAd, FormatCount } from '../../../core/reports/reported-ads.ts';
import { countText } from '../model/report-labels.ts';
import { runningDays } from '../model/running-days.ts';
import { adRankings } from '../model/ad-rankings.ts';
import { adName, untrusted } from './ad-cell.ts';
import { barTable } from '../charts/bar-table.ts';
import { html, type Markup } from '../model/markup.ts';
import { chartFigure, emptyNote } from './report-parts.ts';

/** Creates the chart of ads by format. */
export function formatsFigure(formats: readonly FormatCount[], caption: string): Markup {
  const bars = formats.map(({ format, ads }) => ({
    name: format === null ? html`unknown` : untrusted(format, 40),
    value: ads,
    text: countText(ads),
  }));
  const labels = { caption, nameTitle: 'Format', valueTitle: 'Ads' };
  return chartFigure({
    title: 'Formats',
    content: bars.length === 0 ? emptyNote('No ads yet.') : barTable(bars, labels),
  });
}

/** Creates the chart of the longest-running ads, first and last day included. */
export function longestFigure(longest: readonly CompanyAd[], caption: string): Markup {
  const bars = longest.map((each) => {
    const days = runningDays(each.ad);
    return { name: adName(each), value: days, text: countText(days) };
  });
  const labels = { caption, nameTitle: 'Ad', valueTitle: 'Days' };
  return chartFigure({
    title: 'Longest running',
    content: bars.length === 0 ? emptyNote('No ads with known dates.') : barTable(bars, labels),
  });
}

/** Creates the charts of the ads with the largest reach and of those really shown longest; none where no source counts it. */
export function rankingFigures(rankings: AdRankings): readonly Markup[] {
  return adRankings(rankings).map(({ title, caption, valueTitle, ads, valueOf, textOf }) => {
    const bars = ads.map((each) => ({ name: adName(each), value: valueOf(each.ad), text: textOf(each.ad) }));
    return chartFigure({ title, content: barTable(bars, { caption, nameTitle: 'Ad', valueTitle }) });
  });
}
