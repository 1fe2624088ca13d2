import type { UncertainAdvertiser } from './advertiser-candidates.ts';
import type { AdvertiserRole, MappingEntry } from './company-mapping.ts';
import { matchReasons, type MatchReason } from './match/reasons.ts';

/** Letters of a name in a note, at most. */
const nameCharsMax = 100;
const unprintable = /[\p{C}\s]+/gu;

/** An advertiser that a person can decide on, with the evidence. */
export type DecidableAdvertiser = Pick<
  UncertainAdvertiser,
  'advertiserId' | 'name' | 'legalName' | 'confidence' | 'reasons'
> & {
  /** `CompanyQuery.key`. */
  readonly companyKey: string;
};

/** The decision of a person on a candidate, as an entry of the company's mapping whose note says on which evidence it was made. */
export function decide(candidate: DecidableAdvertiser, role: AdvertiserRole): MappingEntry {
  const { companyKey, advertiserId, confidence, reasons } = candidate;
  const name = (candidate.name ?? candidate.legalName ?? '').replace(unprintable, ' ').trim();
  const subject = name === '' ? 'Reviewed' : `Reviewed: ${name.slice(0, nameCharsMax)}`;
  const note = `${subject}, ${percent(confidence)} own (${reasons.join(', ')})`;
  return { companyKey, advertiserId, role, note };
}

/** A reason in plain words; the code itself if an earlier version wrote it and this version does not know it. */
export function explainReason(reason: MatchReason): string {
  return Object.hasOwn(matchReasons, reason) ? matchReasons[reason] : reason;
}

/** `45%`. */
export function percent(confidence: number): string {
  return `${Math.round(confidence * 100)}%`;
}
