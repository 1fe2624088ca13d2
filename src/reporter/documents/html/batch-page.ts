import { formatCredits } from '../../../core/credits/credits.ts';
import type { BatchData } from '../../../core/reports/batch-data.ts';
import { countText, outcomeLabels, stateLabels } from '../model/report-labels.ts';
import { formatsFigure, longestFigure, rankingFigures } from './ad-charts.ts';
import { companyCell, untrusted } from './ad-cell.ts';
import { adsSection, companiesSection, rejectedSection, verdictsSection } from './batch-sections.ts';
import { batchFrontPage } from '../model/front-page.ts';
import { barTable } from '../charts/bar-table.ts';
import { frontSection } from './front-page.ts';
import { html, type Markup } from '../model/markup.ts';
import { printPage } from './page.ts';
import {
  chartFigure,
  emptyNote,
  keyFigures,
  reportFooter,
  reportHeader,
  sectionMarkup,
  type KeyFigure,
  type Section,
} from './report-parts.ts';

/** Creates the report of a batch as an HTML page. The same data gives the same text. */
export function batchPage(data: BatchData, { withPictures }: { readonly withPictures: boolean }): string {
  const { summary, asOf, account } = data;
  const sections = sectionsOf(data, withPictures);
  const front = batchFrontPage(data);
  const { period } = front;
  const top = { kind: 'batch', title: summary.fileName, account, period, asOf, lines: headLines(data) };
  return printPage({
    title: `${summary.fileName} · Nightshift`,
    header: reportHeader(top),
    main: html`${frontSection(front, sections, withPictures)}${keyFigures(figuresOf(data))}${sections.map(sectionMarkup)}`,
    footer: reportFooter(asOf, withPictures),
    withPictures,
  });
}

function sectionsOf(data: BatchData, withPictures: boolean): readonly Section[] {
  const hasCompanies = data.summary.operations.includes('ads_search');
  const rejected = rejectedSection(data);
  return [
    ...(hasCompanies ? [overview(data), companiesSection(data), adsSection(data, withPictures)] : []),
    ...(data.summary.operations.includes('email_validation') ? [verdictsSection(data)] : []),
    ...(rejected === null ? [] : [rejected]),
  ];
}

function headLines({ summary }: BatchData): readonly Markup[] {
  const { publicId, state, stateReason, sources } = summary;
  const generated = sources.includes('sample') && 'Sample data: these ads are generated, not real.';
  return [
    html`<code>${publicId}</code> is
      ${stateLabels.get(state) ?? state}${stateReason !== null && html`: ${untrusted(stateReason, 300)}`}.
      ${sources.length > 0 && `Ads from ${sources.join(', ')}.`} ${generated}`,
  ];
}

function figuresOf({ summary, ads }: BatchData): readonly KeyFigure[] {
  const { rows, lookups, emails, operations, chargedMicro } = summary;
  const companies = lookups.total - emails.total;
  const unfinished = ['failed', 'open', 'cancelled'] as const;
  const left = unfinished
    .filter((outcome) => lookups[outcome] > 0)
    .map((outcome) => `${countText(lookups[outcome])} ${outcome}`);
  return [
    { label: 'Rows', value: countText(rows.total), note: `${countText(rows.rejected)} rejected` },
    ...(operations.includes('ads_search')
      ? [
          { label: 'Companies', value: countText(companies), note: `${countText(lookups.found)} with ads` },
          { label: 'Ads', value: countText(ads.total) },
        ]
      : []),
    ...(emails.total > 0
      ? [{ label: 'Addresses', value: countText(emails.total), note: `${countText(emails.valid)} valid` }]
      : []),
    {
      label: 'Without a result',
      value: countText(lookups.failed + lookups.open + lookups.cancelled),
      note: left.join(', '),
    },
    { label: 'Credits', value: formatCredits(chargedMicro), note: 'charged' },
  ];
}

function overview(data: BatchData): Section {
  const bars = [...outcomeLabels].flatMap(([outcome, label]) => {
    const value = data.outcomes.get(outcome) ?? 0;
    return value === 0 ? [] : [{ name: html`${label}`, value, text: countText(value) }];
  });
  return {
    id: 'overview',
    title: 'Overview',
    content: html`<div class="charts">
      ${chartFigure({
        title: 'Outcomes',
        content:
          bars.length === 0
            ? emptyNote('This batch has no companies.')
            : barTable(bars, {
                caption: 'Companies by outcome',
                nameTitle: 'Outcome',
                valueTitle: 'Companies',
              }),
      })}
      ${formatsFigure(data.formats, 'All ads')} ${mostAdsFigure(data)}
      ${longestFigure(data.longest, 'All ads, according to their source')} ${rankingFigures(data)}
    </div>`,
  };
}

function mostAdsFigure({ mostAds }: BatchData): Markup {
  const bars = mostAds.map(({ company, adsCount }) => ({
    name: companyCell(company),
    value: adsCount,
    text: countText(adsCount),
  }));
  const labels = { caption: 'Companies with the most ads', nameTitle: 'Company', valueTitle: 'Ads' };
  return chartFigure({
    title: 'Ads per company',
    content: bars.length === 0 ? emptyNote('No ads found.') : barTable(bars, labels),
  });
}
