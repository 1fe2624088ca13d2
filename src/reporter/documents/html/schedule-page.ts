import { formatCredits } from '../../../core/credits/credits.ts';
import type { ScheduleData } from '../../../core/reports/schedule-data.ts';
import { momentText } from '../../../core/reports/days.ts';
import { counted, countText, scanCompleteness } from '../model/report-labels.ts';
import { formatsFigure, longestFigure } from './ad-charts.ts';
import { scheduleTimes } from '../model/schedule-times.ts';
import { untrusted } from './ad-cell.ts';
import { changesSection } from './changes-section.ts';
import { activityFigure, balanceFigure } from './history-charts.ts';
import { scheduleFrontPage } from '../model/front-page.ts';
import { frontSection } from './front-page.ts';
import { html, type Markup } from '../model/markup.ts';
import { printPage } from './page.ts';
import {
  keyFigures,
  reportFooter,
  reportHeader,
  sectionMarkup,
  type KeyFigure,
  type Section,
} from './report-parts.ts';
import { companiesSection, failuresSection, scansSection } from './schedule-sections.ts';

/** Creates the report of a schedule as an HTML page. The same data gives the same text. */
export function schedulePage(
  data: ScheduleData,
  { withPictures }: { readonly withPictures: boolean },
): string {
  const { schedule, asOf, account } = data;
  const sections = sectionsOf(data, withPictures);
  const front = scheduleFrontPage(data);
  const { period } = front;
  const top = { kind: 'schedule', title: schedule.name, account, period, asOf, lines: headLines(data) };
  return printPage({
    title: `${schedule.name} · Nightshift`,
    header: reportHeader(top),
    main: html`${frontSection(front, sections, withPictures)}${keyFigures(figuresOf(data))}${sections.map(sectionMarkup)}`,
    footer: reportFooter(asOf, withPictures),
    withPictures,
  });
}

function sectionsOf(data: ScheduleData, withPictures: boolean): readonly Section[] {
  const history: Section = {
    id: 'history',
    title: 'History',
    content: html`<div class="charts uneven">
      ${activityFigure(data)}${balanceFigure(data)}${formatsFigure(data.formats, 'Active ads')}${longestFigure(
        data.longest,
        'Active ads, according to their source',
      )}
    </div>`,
  };
  const failures = failuresSection(data);
  return [
    ...(failures === null ? [] : [failures]),
    history,
    changesSection({ ...data, missesToEnd: data.schedule.missesToEnd }, withPictures),
    companiesSection(data),
    scansSection(data),
  ];
}

function headLines({ schedule, window }: ScheduleData): readonly Markup[] {
  const { companies, fileName, sources, state, nextAt } = schedule;
  const next = nextAt === null ? `The schedule is ${state}.` : `Next scan: ${momentText(nextAt)}.`;
  return [
    html`${counted(companies, 'company', 'companies')} of ${untrusted(fileName, 80)}, scanned
    ${scheduleTimes(schedule)}. Ads from ${sources.join(', ')}. ${next}`,
    ...(window === null ? [html`No finished scan yet.`] : []),
  ];
}

function figuresOf(data: ScheduleData): readonly KeyFigure[] {
  const sum = (kind: 'new' | 'reactivated' | 'ended' | 'changed') =>
    data.days.reduce((count, day) => count + day[kind], 0);
  const back = sum('reactivated');
  const last = data.scans.rows.find(({ batch }) => batch !== null);
  const charged = data.scans.rows.reduce((micro, scan) => micro + scan.chargedMicro, 0n);
  return [
    {
      label: 'Active ads',
      value: countText(data.adsActive),
      note: `of ${counted(data.companies.total, 'company', 'companies')}`,
    },
    {
      label: 'New',
      value: countText(sum('new')),
      ...(back > 0 ? { note: `and ${countText(back)} back` } : {}),
    },
    { label: 'Ended', value: countText(sum('ended')) },
    { label: 'Changed', value: countText(sum('changed')) },
    {
      label: 'Scans',
      value: countText(data.scans.total),
      ...(last === undefined ? {} : { note: `last scan: ${scanCompleteness(last) || last.state}` }),
    },
    { label: 'Credits', value: formatCredits(charged), note: 'charged by these scans' },
  ];
}
