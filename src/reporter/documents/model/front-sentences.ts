import type { BatchData } from '../../../core/reports/batch-data.ts';
import { dayOf } from '../../../core/reports/days.ts';
import type { BatchHighlights, ScanHighlights } from '../../../core/reports/highlights.ts';
import type { ChangeCounts } from '../../../core/reports/change-counts.ts';
import type { ScheduleData } from '../../../core/reports/schedule-data.ts';
import { counted, countText } from './report-labels.ts';

/** Sentences on a batch: its ads, its companies without ads, and what is unknown. */
export function batchSentences(data: BatchData): readonly string[] {
  const { summary, highlights } = data;
  if (summary.purgedAt !== null) return purgedSentences(data, summary.purgedAt);
  if (!summary.operations.includes('ads_search')) return addressSentences(data);
  const compared = comparedScan(highlights);
  return [
    compared === null ? foundSentence(data) : comparedSentence(compared),
    ...outcomeSentences(data),
    ...(compared === null ? [unknownSentence(data)] : []),
  ];
}

/** Comparison with an earlier scan; null for a batch that is no scan, for a first scan, and before the comparison. */
export function comparedScan({ scan }: BatchHighlights): ScanHighlights | null {
  return scan !== null && scan.isEvaluated && !scan.isFirst ? scan : null;
}

function purgedSentences({ summary }: BatchData, purgedAt: Date): readonly string[] {
  const { lookups, emails } = summary;
  const companies = lookups.total - emails.total;
  const had =
    companies > 0
      ? `${counted(companies, 'company', 'companies')}, ${countText(lookups.found)} of them with ads`
      : counted(emails.total, 'address', 'addresses');
  return [
    `This batch was purged on ${dayOf(purgedAt)}: its rows and results are deleted.`,
    `It had ${had}. Its counts and charges remain.`,
  ];
}

function addressSentences({ summary }: BatchData): readonly string[] {
  const { emails, lookups } = summary;
  const verdicts = [
    [emails.valid, 'valid'],
    [emails.catch_all, 'catch-all'],
    [emails.invalid, 'invalid'],
    [emails.unknown, 'unknown'],
  ] as const;
  const known = verdicts
    .filter(([count]) => count > 0)
    .map(([count, label]) => `${countText(count)} ${isText(count)} ${label}`);
  const open = lookups.failed + lookups.cancelled + lookups.open;
  return [
    'This batch validates e-mail addresses. It has no ads.',
    `Of ${counted(emails.total, 'address', 'addresses')}, ${known.length === 0 ? 'none has a verdict' : listText(known)}.`,
    ...(open > 0 ? [`${counted(open, 'address', 'addresses')} ${hasText(open)} no verdict.`] : []),
  ];
}

function foundSentence({ companies, outcomes, ads, highlights }: BatchData): string {
  const all = counted(companies.total, 'company', 'companies');
  if (ads.total === 0) return `No ads were found at ${all}.`;
  const at = `at ${countText(outcomes.get('found') ?? 0)} of ${all}`;
  const { adsBegun, companiesBegun, adsUndated } = highlights;
  if (adsUndated === ads.total) return `${counted(ads.total, 'ad')} ${wasText(ads.total)} found ${at}.`;
  const begun =
    adsBegun === 0
      ? 'none began in the last 7 days'
      : `${countText(adsBegun)} began in the last 7 days, at ${counted(companiesBegun, 'company', 'companies')}`;
  return `Of ${counted(ads.total, 'ad')} ${at}, ${begun}.`;
}

function comparedSentence({ changes }: ScanHighlights): string {
  const text = changesText(changes);
  return text === null
    ? 'Nothing is new: no ad began, ended or changed since the scan before.'
    : `${text} since the scan before.`;
}

function outcomeSentences({ outcomes }: BatchData): readonly string[] {
  const texts = [
    ['none', 'is without ads', 'are without ads'],
    ['no_match', 'was not identified', 'were not identified'],
    ['failed', 'failed', 'failed'],
    ['cancelled', 'was cancelled', 'were cancelled'],
    ['open', 'is open', 'are open'],
  ] as const;
  const shown = texts.flatMap(([outcome, one, several]) => {
    const count = outcomes.get(outcome) ?? 0;
    return count === 0 ? [] : [{ count, text: count === 1 ? one : several }];
  });
  if (shown.length === 0) return [];
  const parts = shown.map(({ count, text }, i) =>
    i === 0 ? `${counted(count, 'company', 'companies')} ${text}` : `${countText(count)} ${text}`,
  );
  return [`${listText(parts)}.`];
}

function unknownSentence({ ads, highlights: { adsUndated, scan } }: BatchData): string {
  const undated = undatedText(adsUndated, ads.total);
  if (scan === null)
    return `Ended ads are unknown: this batch has no earlier scan to compare with.${undated}`;
  return scan.isFirst
    ? `This is the first scan of its schedule: comparison begins with the second scan.${undated}`
    : `Ended ads are unknown until this scan is compared with the one before.${undated}`;
}

function undatedText(undated: number, total: number): string {
  if (undated === 0) return '';
  return undated === total
    ? ' The source gives no first days, so new ads are unknown.'
    : ` ${counted(undated, 'ad')} ${hasText(undated)} no known first day.`;
}

/** Sentences on a schedule: changes of the week, running ads, companies without ads, and what is unknown. */
export function scheduleSentences(data: ScheduleData): readonly string[] {
  const { highlights, schedule } = data;
  if (schedule.purgedAt !== null)
    return [`The history of this schedule was purged on ${dayOf(schedule.purgedAt)}.`];
  if (highlights.scansEvaluated === 0)
    return ['No scan has finished yet. Comparison begins with the second scan.'];
  return [
    highlights.scansEvaluated === 1
      ? 'This is the result of the first scan: comparison begins with the second scan.'
      : weekSentence(data),
    activeSentence(data),
    ...missingSentences(data),
  ];
}

function weekSentence({ days, highlights: { week, moves } }: ScheduleData): string {
  const inWeek = days.filter(({ day }) => week !== null && day >= week.from);
  const sum = (kind: keyof ChangeCounts) => inWeek.reduce((count, day) => count + day[kind], 0);
  const text = changesText({
    new: sum('new'),
    reactivated: sum('reactivated'),
    changed: sum('changed'),
    ended: sum('ended'),
  });
  return text === null
    ? 'Nothing is new: no ad began, ended or changed.'
    : `${text}, at ${counted(moves.total, 'company', 'companies')}.`;
}

function activeSentence({ adsActive, companies, schedule, highlights }: ScheduleData): string {
  const { withoutAds, unconfirmed } = highlights;
  const at = `${countText(companies.total - withoutAds)} of ${counted(schedule.companies, 'company', 'companies')}`;
  const active = `${counted(adsActive, 'ad')} ${isText(adsActive)} active at ${at}`;
  if (withoutAds === 0) return `${active}.`;
  const confirm = unconfirmed === 0 ? '' : ` (${countText(unconfirmed)} to be confirmed by the next scan)`;
  return `${active}; ${counted(withoutAds, 'company', 'companies')} ${isText(withoutAds)} without ads${confirm}.`;
}

/** One sentence about the companies that the newest scan leaves unknown; none if it answered everything. */
function missingSentences({ scans, failures, companies, schedule }: ScheduleData): readonly string[] {
  const newest = scans.rows.find(({ batch }) => batch !== null);
  if (newest !== undefined && !newest.isEvaluated && newest.state !== 'cancelled')
    return ['The newest scan is not compared yet: its changes are not included.'];
  const failed = failures?.companies.total ?? 0;
  if (failed > 0)
    return [
      `${counted(failed, 'company', 'companies')} ${hasText(failed)} no result in the newest scan: ${failed === 1 ? 'its' : 'their'} changes are unknown.`,
    ];
  const missing = schedule.companies - companies.total;
  return missing > 0
    ? [`${counted(missing, 'company', 'companies')} ${hasText(missing)} no result yet.`]
    : [];
}

/** Formats changes: `12 ads are new, 1 ad is back and 3 ads ended`. New and ended ads are always named. Null without changes. */
function changesText(changes: ChangeCounts): string | null {
  const { new: begun, reactivated, ended, changed } = changes;
  if (begun + reactivated + ended + changed === 0) return null;
  return listText([
    begun === 0 ? 'No ad is new' : `${counted(begun, 'ad')} ${isText(begun)} new`,
    ...(reactivated === 0 ? [] : [`${counted(reactivated, 'ad')} ${isText(reactivated)} back`]),
    ended === 0 ? 'no ad ended' : `${counted(ended, 'ad')} ended`,
    ...(changed === 0 ? [] : [`${counted(changed, 'ad')} changed`]),
  ]);
}

/** Joins texts: `a`, `a and b`, `a, b and c`. */
function listText(texts: readonly string[]): string {
  const last = texts.at(-1) ?? '';
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} and ${last}`;
}

function isText(count: number): string {
  return count === 1 ? 'is' : 'are';
}

function wasText(count: number): string {
  return count === 1 ? 'was' : 'were';
}

function hasText(count: number): string {
  return count === 1 ? 'has' : 'have';
}
