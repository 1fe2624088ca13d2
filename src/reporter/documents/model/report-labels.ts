import type { BatchState } from '../../../core/batches/batch.ts';
import type { EmailStatus } from '../../../core/emails/verdict/verdict.ts';
import type { AdsOutcome } from '../../../core/work/outcomes.ts';
import type { CompanyOutcome } from '../../../core/reports/batch-data.ts';
import type { NamedCompany } from '../../../core/reports/reported-ads.ts';
import type {
  ChangeKind,
  Completeness,
  ReportedChange,
  ReportedScan,
} from '../../../core/reports/schedule-data.ts';
import { shortDay } from '../../../core/reports/days.ts';
import { shorten } from '../../../core/reports/visible-text.ts';

/** The words for kinds of changes, in the order in which they are told. */
export const kindLabels: Readonly<Record<ChangeKind, string>> = {
  new: 'New',
  reactivated: 'Back',
  changed: 'Changed',
  ended: 'Ended',
};
export const kinds = Object.keys(kindLabels) as readonly ChangeKind[];

/** The words for outcomes of a company, in the order in which they are told. */
export const outcomeLabels: ReadonlyMap<AdsOutcome | 'open', string> = new Map([
  ['found', 'Ads found'],
  ['none', 'No ads'],
  ['no_match', 'Not identified'],
  ['failed', 'Failed'],
  ['cancelled', 'Cancelled'],
  ['open', 'Open'],
]);

/** The words for verdicts on addresses. */
export const verdictLabels: ReadonlyMap<EmailStatus, string> = new Map([
  ['valid', 'valid'],
  ['catch_all', 'catch-all'],
  ['invalid', 'invalid'],
  ['unknown', 'unknown'],
]);

/** The words for states of a list. */
export const stateLabels: ReadonlyMap<BatchState, string> = new Map([
  ['loading', 'being loaded'],
  ['running', 'running'],
  ['paused', 'paused'],
  ['waiting_for_credits', 'waiting for credits'],
  ['waiting_for_source', 'waiting for a source'],
  ['finished', 'finished'],
  ['cancelled', 'cancelled'],
]);

const completenessLabels: ReadonlyMap<Completeness, string> = new Map([
  ['complete', 'complete'],
  ['truncated', 'cut short'],
  ['partial', 'partial'],
  ['unconfirmed_empty', 'empty, unconfirmed'],
]);

/** Label of the completeness of a company's answer. */
export function completenessText(completeness: Completeness): string {
  return completenessLabels.get(completeness) ?? completeness;
}

/** The name of a company as its list has it, else its domain. */
export function companyLabel({ key, domain, name }: NamedCompany): string {
  return shorten(name ?? domain ?? key.replace(/^[dn]:/, ''), 60);
}

/** Its domain, where `companyLabel` does not say it already. */
export function companyDetail({ domain, name }: NamedCompany): string | null {
  return name !== null && domain !== null && name !== domain ? domain : null;
}

/** A whole number for people: `12,345`. */
export function countText(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 ad`, `12,345 ads`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${countText(count)} ${count === 1 ? singular : plural}`;
}

/** Why some ads are counted and not told. */
export function baselineLabels(baseline: number): string {
  const [are, they] = baseline === 1 ? ['is', 'it'] : ['are', 'they'];
  return `${counted(baseline, 'ad')} ${are} no news: ${they} had run before the first scan that could have seen ${they === 'it' ? 'it' : 'them'}.`;
}

/** Label of the evidence of a change. */
export function changeReason({ kind, reason, restsOn, ranTo }: ReportedChange): string {
  const days = restsOn.map(shortDay).join(', ');
  if (reason === 'not_seen') return `not seen on ${days}`;
  if (reason === 'last_seen_long_ago') {
    return `its source last saw it ${ranTo === null ? 'long ago' : `on ${shortDay(ranTo)}`}`;
  }
  if (kind === 'ended') return `ended on ${days}`;
  return `${kind === 'new' ? 'first seen' : 'seen'} on ${days}`;
}

/** Label of a scan's completeness: `48 complete, 2 failed`. */
export function scanCompleteness({ companies }: ReportedScan): string {
  const { complete, truncated, partial, unconfirmed, failed } = companies;
  const parts = [
    [complete, 'complete'],
    [truncated, 'cut short'],
    [partial, 'partial'],
    [unconfirmed, 'unconfirmed'],
    [failed, 'failed'],
  ] as const;
  const shown = parts.filter(([count]) => count > 0).map(([count, word]) => `${countText(count)} ${word}`);
  return shown.join(', ');
}

const scanStateLabels: ReadonlyMap<ReportedScan['state'], string> = new Map([
  ['waiting', 'waits'],
  ['running', 'running'],
  ['finished', 'finished'],
  ['cancelled', 'cancelled'],
  ['skipped', 'skipped'],
  ['missed', 'missed'],
]);
const causeLabels: ReadonlyMap<ReportedScan['cause'], string> = new Map([
  ['catch_up', 'made up for'],
  ['manual', 'by hand'],
]);

/** Label of a scan's state; the reason, if any, apart from it. */
export function scanStateText({ state, cause, ticks }: ReportedScan): string {
  const cameBy = causeLabels.get(cause);
  const times = ticks > 1 ? `, ${countText(ticks)} times` : '';
  return `${scanStateLabels.get(state) ?? state}${cameBy === undefined ? '' : ` (${cameBy})`}${times}`;
}

/** Suffix of a number of ads that are not all: `of about 4,000`, `or more`; null where they are. */
export function moreAdsText({ isCutShort, adsEstimate, adsCount }: CompanyOutcome): string | null {
  if (!isCutShort) return null;
  if (adsEstimate === null || adsEstimate.high <= adsCount) return 'or more';
  const { low, high } = adsEstimate;
  return low === high ? `of about ${countText(low)}` : `of ${countText(low)} to ${countText(high)}`;
}
