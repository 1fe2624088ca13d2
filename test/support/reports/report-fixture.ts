import { anySearch } from '../../../src/core/ads/ads-answer.ts';
import type { BatchData } from '../../../src/core/reports/batch-data.ts';
import type { NamedCompany, ShownAd } from '../../../src/core/reports/reported-ads.ts';
import type { ChangeCounts } from '../../../src/core/reports/change-counts.ts';
import type { ReportedChange, ReportedScan, ScheduleData } from '../../../src/core/reports/schedule-data.ts';

/** Report data in which every text of foreign origin is one of these, and each of them occurs in every place. */
export interface FixtureTexts {
  readonly texts: readonly string[];
  /** URLs of pages; separate from the texts, so that two reports can share them. */
  readonly addresses?: (text: string) => string;
  /** Markup of images. */
  readonly markup?: (text: string) => string;
}

const counts: ChangeCounts = { new: 3, reactivated: 1, changed: 2, ended: 4 };
const at = new Date('2026-03-02T01:05:00Z');

/** A schedule with one company, change, scan and failure per text. */
export function scheduleFixture(reported: FixtureTexts): ScheduleData {
  const { texts } = reported;
  const [first = ''] = texts;
  const companies = texts.map(companyOf);
  return {
    schedule: {
      publicId: `sch_${'1'.repeat(32)}`,
      name: first,
      cron: '0 2 * * *',
      timeZone: 'Europe/Berlin',
      fileName: first,
      companies: texts.length,
      sources: ['transparency'],
      state: 'active',
      nextAt: at,
      missesToEnd: 2,
      staleDays: 14,
      purgedAt: null,
    },
    account: first,
    asOf: at,
    window: { from: '2026-02-01', to: '2026-03-02' },
    scans: bounded(texts.map(scanOf)),
    companies: bounded(
      companies.map((company, i) => ({
        company,
        adsActive: texts.length - i,
        completeness: 'complete',
        observedAt: at,
        changes: counts,
      })),
    ),
    adsActive: texts.length,
    activity: companies.slice(0, 8).map((company, i) => ({
      company,
      before: 2,
      days: [
        { day: '2026-02-03', adsActive: 5 + i },
        { day: '2026-02-20', adsActive: 9 - i },
      ],
    })),
    days: [{ day: '2026-02-20', ...counts }],
    formats: texts.map((format, i) => ({ format, ads: i + 1 })),
    longest: texts.map((text, i) => ({ company: companyOf(text, i), ad: adOf(text, i, reported) })),
    changes: bounded(texts.map((text, i) => changeOf(text, i, reported))),
    baseline: 7,
    failures: {
      scan: `scn_${'1'.repeat(32)}`,
      batch: `bat_${'1'.repeat(32)}`,
      dueAt: at,
      companies: bounded(texts.map((reason, i) => ({ company: companyOf(reason, i), reason }))),
      isRetriable: true,
    },
    highlights: {
      week: { from: '2026-02-24', to: '2026-03-02' },
      scansEvaluated: 2,
      moves: bounded(
        companies.slice(0, 5).map((company, i) => ({ company, adsActive: 9 - i, changes: counts })),
      ),
      withoutAds: 0,
      unconfirmed: 0,
    },
  };
}

/** A batch with one company, ad and rejected row per text. */
export function batchFixture(reported: FixtureTexts): BatchData {
  const { texts } = reported;
  const [first = ''] = texts;
  const outcomes = texts.map((text, i) => ({
    company: companyOf(text, i),
    outcome: i % 2 === 0 ? ('found' as const) : ('failed' as const),
    reason: text,
    source: text,
    adsCount: 3,
    isCutShort: i % 3 === 0,
    adsEstimate: i % 2 === 0 ? { low: 4000, high: 5000 } : null,
  }));
  const ads = texts.map((text, i) => ({ company: companyOf(text, i), ad: adOf(text, i, reported) }));
  return {
    summary: summaryOf(first, texts.length),
    account: first,
    asOf: at,
    companies: bounded(outcomes),
    outcomes: new Map([['found', texts.length]]),
    rejected: bounded(texts.map((reason, i) => ({ lineNo: i + 2, reason }))),
    mostAds: outcomes,
    formats: texts.map((format, i) => ({ format, ads: i + 1 })),
    longest: ads,
    largestReach: ads,
    longestShown: ads,
    ads: bounded(ads),
    highlights: {
      week: { from: '2026-02-24', to: '2026-03-02' },
      adsBegun: 0,
      companiesBegun: 0,
      adsUndated: 0,
      newest: ads,
      scan: null,
    },
  };
}

function summaryOf(text: string, total: number): BatchData['summary'] {
  return {
    batchId: 1,
    publicId: `bat_${'1'.repeat(32)}`,
    accountId: 1,
    name: text,
    fileName: text,
    sheet: text,
    delimiter: null,
    state: 'waiting_for_source',
    stateReason: text,
    waitKind: null,
    waitUntil: null,
    wait: null,
    operations: ['ads_search', 'email_validation'],
    sources: ['transparency'],
    rows: { total, rejected: total },
    lookups: { total, found: total, none: 0, no_match: 0, completed: 0, failed: 0, cancelled: 0, open: 0 },
    emails: { total: 0, valid: 0, invalid: 0, catch_all: 0, unknown: 0 },
    adsTruncated: 1,
    chargedMicro: 1_200_000n,
    ceilingMicro: 2_000_000n,
    bounds: { limitRows: null, maxCreditsMicro: null },
    isLimitReached: false,
    createdAt: at,
    finishedAt: null,
    purgedAt: null,
    origin: null,
    owner: null,
    tags: [],
    archivedAt: null,
    search: anySearch,
  };
}

function bounded<T>(rows: readonly T[]) {
  return { rows, total: rows.length };
}

function companyOf(text: string, i: number): NamedCompany {
  return { key: `n:${i}`, domain: text, name: `${i} ${text}` };
}

function scanOf(text: string, i: number): ReportedScan {
  return {
    publicId: `scn_${String(i).padStart(32, '0')}`,
    dueAt: at,
    cause: 'tick',
    state: 'skipped',
    reason: text,
    ticks: 1,
    batch: null,
    isEvaluated: false,
    companies: { complete: 1, truncated: 0, partial: 0, unconfirmed: 0, failed: 0 },
    changes: counts,
    chargedMicro: 0n,
  };
}

function changeOf(text: string, i: number, reported: FixtureTexts): ReportedChange {
  const before = {
    format: `${text}.`,
    headline: `${text}.`,
    description: null,
    displayUrl: `${text}.`,
    finalUrl: `${text}.`,
  };
  return {
    kind: 'changed',
    reason: text,
    observedAt: at,
    restsOn: ['2026-03-02'],
    ranTo: null,
    company: companyOf(text, i),
    ad: adOf(text, i, reported),
    before,
  };
}

function adOf(
  text: string,
  i: number,
  { addresses = (same) => same, markup = (same) => same }: FixtureTexts,
): ShownAd {
  return {
    advertiserId: text,
    creativeId: text,
    advertiserName: text,
    format: text,
    headline: text,
    description: text,
    displayUrl: text,
    finalUrl: addresses(text),
    originalUrl: addresses(text),
    start: '2026-01-01',
    lastSeen: `2026-02-${String((i % 28) + 1).padStart(2, '0')}`,
    markup: markup(text),
    details: {
      payer: text,
      previewUrl: addresses(text),
      daysShown: 12 + i,
      timesShownLower: 1000,
      timesShownUpper: i % 2 === 0 ? 2000 : null,
    },
  };
}
