import { formatCredits } from '../../../core/credits/credits.ts';
import type { BatchData } from '../../../core/reports/batch-data.ts';
import { countText, outcomeLabels, stateLabels } from '../model/report-labels.ts';
import { formatsFigure, longestFigure } from './ad-charts.ts';
import { companyCell, foreign } from './ad-cell.ts';
import { adsSection, companiesSection, rejectedSection, verdictsSection } from './batch-sections.ts';
import { barTable } from '../charts/bar-table.ts';
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

/** The report of a batch as a page. The same facts give the same text. */
export function batchPage(data: BatchData, { withPictures }: { readonly withPictures: boolean }): string {
  const { summary, asOf } = data;
  const sections = sectionsOf(data, withPictures);
  const about = { kindOf: 'list', title: summary.fileName, lines: headLines(data) };
  return printPage({
    title: `${summary.fileName} · Nightshift`,
    header: reportHeader(about, sections),
    main: html`${keyFigures(figuresOf(data))}${sections.map(sectionMarkup)}`,
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
  const generated = sources.includes('sample') && 'The source sample is generated data, not real ads.';
  return [
    html`<code>${publicId}</code> is
      ${stateLabels.get(state) ?? state}${stateReason !== null && html`: ${foreign(stateReason, 300)}`}.
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
  const bars = [...outcomeLabels].flatMap(([outcome, word]) => {
    const value = data.outcomes.get(outcome) ?? 0;
    return value === 0 ? [] : [{ name: html`${word}`, value, text: countText(value) }];
  });
  return {
    id: 'overview',
    title: 'Overview',
    content: html`<div class="charts">
      ${chartFigure({
        title: 'Outcomes',
        content:
          bars.length === 0
            ? emptyNote('The list names no company.')
            : barTable(bars, {
                caption: 'Companies by what came of them',
                nameTitle: 'Outcome',
                valueTitle: 'Companies',
              }),
      })}
      ${formatsFigure(data.formats, 'Ads that were found')} ${mostAdsFigure(data)}
      ${longestFigure(data.longest, 'Ads that were found, by what their source says')}
    </div>`,
  };
}

function mostAdsFigure({ mostAds }: BatchData): Markup {
  const bars = mostAds.map(({ company, adsCount }) => ({
    name: companyCell(company),
    value: adsCount,
    text: countText(adsCount),
  }));
  const words = { caption: 'Companies with the most ads', nameTitle: 'Company', valueTitle: 'Ads' };
  return chartFigure({
    title: 'Ads per company',
    content: bars.length === 0 ? emptyNote('No ad has been found.') : barTable(bars, words),
  });
}
