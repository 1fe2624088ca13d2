import type { BatchData, CompanyOutcome } from '../../../core/reports/batch-data.ts';
import { dayOf, spanText } from '../../../core/reports/days.ts';
import type { CompanyMove, CompanyMoves, DaySpan } from '../../../core/reports/highlights.ts';
import type { CompanyAd, NamedCompany } from '../../../core/reports/reported-ads.ts';
import type { ScheduleData } from '../../../core/reports/schedule-data.ts';
import { batchSentences, comparedScan, scheduleSentences } from './front-sentences.ts';
import { counted, countText } from './report-labels.ts';

/** Content of the first page of a report. */
export interface FrontPage {
  /** Period of the report; null without a scan. */
  readonly period: string | null;
  /** Period of the sentences; null where they name none. */
  readonly week: string | null;
  /** One to three sentences. */
  readonly sentences: readonly string[];
  /** Null without companies. */
  readonly movers: FrontList<Mover> | null;
  /** Up to six ads; null without ads. */
  readonly creatives: FrontList<CompanyAd> | null;
}

export interface FrontList<Item> {
  readonly title: string;
  readonly items: readonly Item[];
}

/** A company with its figure, such as `+8` or `36 ads`, and what the figure consists of. */
export interface Mover {
  readonly company: NamedCompany;
  readonly figure: string;
  readonly note: string | null;
}

const moversMax = 5;
const creativesMax = 6;

/** First page of a batch's report. */
export function batchFrontPage(data: BatchData): FrontPage {
  const { summary, asOf, highlights, mostAds } = data;
  const compared = comparedScan(highlights);
  const moved = compared === null ? [] : movesOf(compared.moves);
  const hasWeek = compared === null && summary.purgedAt === null && data.ads.total > 0;
  return {
    period: spanText(dayOf(summary.createdAt), dayOf(asOf)),
    week: hasWeek ? weekText(highlights.week) : null,
    sentences: batchSentences(data),
    movers: moversOf(moved, mostAds.map(toMostAds)),
    creatives: batchCreatives(data),
  };
}

function batchCreatives({ highlights: { newest }, ads }: BatchData): FrontPage['creatives'] {
  if (newest.length > 0) return { title: 'Newest ads', items: chooseAds(newest) };
  return ads.rows.length === 0 ? null : { title: 'Ads', items: chooseAds(ads.rows) };
}

/** First page of a schedule's report. */
export function scheduleFrontPage(data: ScheduleData): FrontPage {
  const { window, highlights, companies } = data;
  const { week, moves } = highlights;
  const active = companies.rows
    .filter(({ adsActive }) => adsActive > 0)
    .map(({ company, adsActive }) => ({ company, figure: adsText(adsActive), note: null }));
  return {
    period: window === null ? null : spanText(window.from, window.to),
    week: week === null ? null : weekText(week),
    sentences: scheduleSentences(data),
    movers: moversOf(movesOf(moves), active),
    creatives: scheduleCreatives(data),
  };
}

function scheduleCreatives({ highlights: { week }, changes, longest }: ScheduleData): FrontPage['creatives'] {
  const begun = changes.rows.filter(
    ({ kind, observedAt }) =>
      (kind === 'new' || kind === 'reactivated') && dayOf(observedAt) >= (week?.from ?? ''),
  );
  if (begun.length > 0) return { title: 'New ads', items: chooseAds(begun) };
  return longest.length === 0 ? null : { title: 'Longest-running ads', items: chooseAds(longest) };
}

function weekText({ from, to }: DaySpan): string {
  return spanText(from, to);
}

/** Companies with changes of running ads, else those with the most ads. */
function moversOf(moved: readonly Mover[], most: readonly Mover[]): FrontPage['movers'] {
  if (moved.length > 0) return { title: 'Top movers', items: moved.slice(0, moversMax) };
  return most.length === 0 ? null : { title: 'Companies with the most ads', items: most.slice(0, moversMax) };
}

function movesOf({ rows }: CompanyMoves): readonly Mover[] {
  return rows
    .filter(({ changes }) => changes.new + changes.reactivated + changes.ended > 0)
    .map((move) => ({ company: move.company, figure: differenceText(move), note: changesText(move) }));
}

/** Formats the change of the number of running ads: `+8`, `−3`, `±0`. */
function differenceText({ changes }: CompanyMove): string {
  const difference = changes.new + changes.reactivated - changes.ended;
  if (difference === 0) return '±0';
  return `${difference > 0 ? '+' : '−'}${countText(Math.abs(difference))}`;
}

function changesText({ changes, adsActive }: CompanyMove): string {
  const parts = [
    [changes.new, 'new'],
    [changes.reactivated, 'back'],
    [changes.ended, 'ended'],
  ] as const;
  const shown = parts.filter(([count]) => count > 0).map(([count, label]) => `${countText(count)} ${label}`);
  return [...shown, `${countText(adsActive)} active now`].join(', ');
}

function toMostAds({ company, adsCount, isCutShort }: CompanyOutcome): Mover {
  return { company, figure: `${adsText(adsCount)}${isCutShort ? ' or more' : ''}`, note: null };
}

function adsText(count: number): string {
  return counted(count, 'ad');
}

/** Chooses ads of different companies as far as possible. The ads keep their order. */
function chooseAds(ads: readonly CompanyAd[]): readonly CompanyAd[] {
  const seen = new Set<string>();
  const ofEach: CompanyAd[] = [];
  const others: CompanyAd[] = [];
  for (const ad of ads) {
    (seen.has(ad.company.key) ? others : ofEach).push(ad);
    seen.add(ad.company.key);
  }
  const chosen = new Set([...ofEach, ...others].slice(0, creativesMax));
  return ads.filter((ad) => chosen.has(ad));
}
