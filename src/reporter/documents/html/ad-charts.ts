import type { CompanyAd, FormatCount } from '../../../core/reports/reported-ads.ts';
import { countText } from '../model/report-labels.ts';
import { runningDays } from '../model/running-days.ts';
import { adName, foreign } from './ad-cell.ts';
import { barTable } from '../charts/bar-table.ts';
import { html, type Markup } from '../model/markup.ts';
import { chartFigure, emptyNote } from './report-parts.ts';

/** Draws the number of ads by format. */
export function formatsFigure(formats: readonly FormatCount[], ofWhat: string): Markup {
  const bars = formats.map(({ format, ads }) => ({
    name: format === null ? html`not said` : foreign(format, 40),
    value: ads,
    text: countText(ads),
  }));
  const words = { caption: ofWhat, nameTitle: 'Format', valueTitle: 'Ads' };
  return chartFigure({
    title: 'Formats',
    content: bars.length === 0 ? emptyNote('There is no ad yet.') : barTable(bars, words),
  });
}

/** Draws the ads that have run longest, both days counted. */
export function longestFigure(longest: readonly CompanyAd[], ofWhat: string): Markup {
  const bars = longest.map((each) => {
    const days = runningDays(each.ad);
    return { name: adName(each), value: days, text: countText(days) };
  });
  const words = { caption: ofWhat, nameTitle: 'Ad', valueTitle: 'Days' };
  return chartFigure({
    title: 'Longest running',
    content:
      bars.length === 0
        ? emptyNote('There is no ad whose source says since when it runs.')
        : barTable(bars, words),
  });
}
