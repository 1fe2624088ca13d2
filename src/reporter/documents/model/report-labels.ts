import type { BatchState } from '../../../core/batches/batch.ts';
import type { EmailStatus } from '../../../core/emails/verdict/verdict.ts';
import type { AdsOutcome } from '../../../core/work/outcomes.ts';
import type { CompanyOutcome } from '../../../core/reports/batch-data.ts';
import type { NamedCompany } from '../../../core/reports/reported-ads.ts';
import type { ChangeKind } from '../../../core/reports/change-counts.ts';
import type { Completeness, ReportedChange, ReportedScan } from '../../../core/reports/schedule-data.ts';
import { shortDay } from '../../../core/reports/days.ts';
import { shorten } from '../../../core/reports/visible-text.ts';

/** Labels of kinds of changes, in display order. */
export const kindLabels: Readonly<Record<ChangeKind, string>> = {
  new: 'New',
  reactivated: 'Back',
  changed: 'Changed',
  ended: 'Ended',
};
/** Kinds of changes, in display order. */
export const kinds = Object.keys(kindLabels) as readonly ChangeKind[];

/** Labels of outcomes of a company, in display order. */
export const outcomeLabels: ReadonlyMap<AdsOutcome | 'open', string> = new Map([
  ['found', 'With ads'],
  ['none', 'Without ads'],
  ['no_match', 'Not identified'],
  ['failed', 'Failed'],
  ['cancelled', 'Cancelled'],
  ['open', 'Open'],
]);

/** Labels of verdicts on addresses. */
export const verdictLabels: ReadonlyMap<EmailStatus, string> = new Map([
  ['valid', 'valid'],
  ['catch_all', 'catch-all'],
  ['invalid', 'invalid'],
  ['unknown', 'unknown'],
]);

/** Labels of states of a batch. */
export const stateLabels: ReadonlyMap<BatchState, string> = new Map([
  ['loading', 'loading'],
  ['running', 'running'],
  ['paused', 'paused'],
  ['waiting_for_credits', 'waiting for credits'],
  ['waiting_for_source', 'waiting for a source'],
  ['finished', 'finished'],
  ['cancelled', 'cancelled'],
]);

const completenessLabels: ReadonlyMap<Completeness, string> = new Map([
  ['complete', 'complete'],
  ['truncated', 'truncated'],
  ['partial', 'partial'],
  ['unconfirmed_empty', 'without ads (unconfirmed)'],
]);

/** Formats the completeness of a company's result. */
export function completenessText(completeness: Completeness): string {
  return completenessLabels.get(completeness) ?? completeness;
}

/** Formats a company: its name in the file, else its domain. */
export function companyLabel({ key, domain, name }: NamedCompany): string {
  return shorten(name ?? domain ?? key.replace(/^[dn]:/, ''), 60);
}

/** Returns the domain of a company, unless `companyLabel` shows it; else null. */
export function companyDetail({ domain, name }: NamedCompany): string | null {
  return name !== null && domain !== null && name !== domain ? domain : null;
}

/** Formats an integer: `12,345`. */
export function countText(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Formats a count with its noun: `1 ad`, `12,345 ads`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${countText(count)} ${count === 1 ? singular : plural}`;
}

/** Explains the ads of the baseline, which are counted but not listed as changes. */
export function baselineMessage(baseline: number): string {
  const explanation = baseline === 1 ? 'It is not listed as a change.' : 'They are not listed as changes.';
  return `${counted(baseline, 'ad')} ran before the first scan. ${explanation}`;
}

/** Describes the evidence of a change. */
export function changeReason({ kind, reason, restsOn, ranTo }: ReportedChange): string {
  const days = restsOn.map(shortDay).join(', ');
  if (reason === 'not_seen') return `missing on ${days}`;
  if (reason === 'last_seen_long_ago') {
    return `last seen by its source ${ranTo === null ? 'long ago' : `on ${shortDay(ranTo)}`}`;
  }
  if (kind === 'ended') return `ended on ${days}`;
  return `${kind === 'new' ? 'first seen' : 'seen'} on ${days}`;
}

/** Formats the completeness of a scan: `48 complete, 2 failed`. */
export function scanCompleteness({ companies }: ReportedScan): string {
  const { complete, truncated, partial, unconfirmed, failed } = companies;
  const parts = [
    [complete, 'complete'],
    [truncated, 'truncated'],
    [partial, 'partial'],
    [unconfirmed, 'without ads (unconfirmed)'],
    [failed, 'failed'],
  ] as const;
  const shown = parts.filter(([count]) => count > 0).map(([count, label]) => `${countText(count)} ${label}`);
  return shown.join(', ');
}

const scanStateLabels: ReadonlyMap<ReportedScan['state'], string> = new Map([
  ['waiting', 'waiting'],
  ['running', 'running'],
  ['finished', 'finished'],
  ['cancelled', 'cancelled'],
  ['skipped', 'skipped'],
  ['missed', 'missed'],
]);
const causeLabels: ReadonlyMap<ReportedScan['cause'], string> = new Map([
  ['catch_up', 'catch-up'],
  ['manual', 'manual'],
]);

/** Formats the state of a scan with its cause, without its reason. */
export function scanStateText({ state, cause, ticks }: ReportedScan): string {
  const label = causeLabels.get(cause);
  const times = ticks > 1 ? `, covers ${countText(ticks)} scheduled times` : '';
  return `${scanStateLabels.get(state) ?? state}${label === undefined ? '' : ` (${label})`}${times}`;
}

/** Formats the suffix of a truncated number of ads: `of about 4,000`, `or more`; null if it is complete. */
export function moreAdsText({ isCutShort, adsEstimate, adsCount }: CompanyOutcome): string | null {
  if (!isCutShort) return null;
  if (adsEstimate === null || adsEstimate.high <= adsCount) return 'or more';
  const { low, high } = adsEstimate;
  return low === high ? `of about ${countText(low)}` : `of ${countText(low)} to ${countText(high)}`;
}
