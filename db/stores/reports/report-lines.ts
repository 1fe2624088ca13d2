import type {
  ReportedAd,
  ReportedEmail,
  ReportedVariant,
  ReportLine,
} from '../../../src/core/batches/batch-report.ts';
import type {
  EmailStatus,
  Recommendation,
  VerificationLevel,
} from '../../../src/core/emails/verdict/verdict.ts';
import type { AdDetails } from '../../../src/core/ads/ad-details.ts';
import { summariseDetails } from '../../../src/core/ads/details-summary.ts';
import { fullIdOrNull } from '../../../src/core/companies/platform-id.ts';
import type { PartialReason } from '../../../src/core/ads/ads-answer.ts';
import type { AdsOutcome, EmailOutcome } from '../../../src/core/work/outcomes.ts';
import type { Relation } from '../../../src/core/ads/relate.ts';
import { createMemo } from '../../../src/core/memo.ts';

/** A row of `nightshift.email_results`, if there is one, with columns of its lookup. */
interface EmailRow extends Partial<StoredVerdict> {
  readonly outcome: EmailOutcome | null;
  readonly reason: string | null;
  readonly charged_micro: number;
}

interface StoredVerdict {
  readonly status: EmailStatus;
  readonly sub_status: string;
  readonly recommendation: Recommendation;
  readonly verification_level: VerificationLevel;
  readonly reasons: readonly string[];
  readonly normalised_email: string | null;
  readonly did_you_mean: string | null;
  readonly is_disposable: boolean;
  readonly is_role: boolean;
  readonly is_free: boolean;
  readonly is_catch_all: boolean | null;
  readonly mx_record: string | null;
  readonly mx_provider: string | null;
  readonly checked_at: string;
}

/** Columns of a row. All but its number are null on every line of it except the first. */
export interface RowColumns extends Record<string, unknown> {
  /** JSON. */
  readonly cells: string | null;
  readonly row_no: number;
  readonly line_no: number;
  readonly reject_reason: string | null;
  readonly warning: string | null;
  readonly is_first: boolean;
  readonly outcome: AdsOutcome | null;
  readonly reason: string | null;
  readonly source: string | null;
  readonly matched_by: string | null;
  readonly ads_count: number | null;
  readonly charged_micro: string | null;
  readonly lookup_id: string | null;
  readonly has_ads_lookup: boolean;
  readonly observed_at: string | null;
  readonly repeats: string | null;
  readonly partial: boolean | null;
  readonly partial_reason: PartialReason | null;
  readonly uncertain_advertisers: number | null;
  readonly truncated: boolean | null;
  readonly estimate_low: string | null;
  readonly estimate_high: string | null;
  /** Absent in exports, which show the name from the file. */
  readonly company_domain?: string | null;
  readonly company_name?: string | null;
  /** Only in increments. */
  readonly ended_at?: string | null;
  /** Absent when addresses were not validated, null for a row without one. */
  readonly email?: EmailRow | null;
}

/** Null for a row without ads. */
interface AdColumns {
  /** Null for an ad without details. */
  readonly ad_id: string | null;
  readonly position: number | null;
  readonly advertiser_id: string | null;
  readonly creative_id: string | null;
  readonly advertiser_name: string | null;
  readonly format: string | null;
  readonly original_url: string | null;
  readonly start: string | null;
  readonly last_seen: string | null;
  readonly headline: string | null;
  readonly description: string | null;
  readonly display_url: string | null;
  readonly final_url: string | null;
  readonly ad_type: string | null;
  readonly variants_count: number | null;
  readonly relation: Relation | null;
  readonly confidence_percent: number | null;
  /** JSON. */
  readonly relation_reasons: string | null;
}

/** Null for an ad without variants. */
interface VariantColumns {
  readonly variant_position: number | null;
  readonly content: string | null;
  readonly height: number | null;
  readonly width: number | null;
}

/** A line of a report. The columns of an ad and a variant are absent if they were not read, and null if the row has none. */
export interface LineRow extends RowColumns, Partial<AdColumns>, Partial<VariantColumns> {}

/** Place of a line among the lines of its row, and the details of its ad. */
interface LineContext {
  readonly isFirstLine: boolean;
  readonly details?: AdDetails | undefined;
}

/** A row with several ads or variants has several lines; its charge stands on the first, so that the column adds up. */
export function toLine(
  row: LineRow,
  cells: readonly string[],
  { isFirstLine, details }: LineContext,
): ReportLine {
  const outcome = row.reject_reason === null ? adsOutcomeOf(row) : 'rejected';
  return {
    cells,
    rowNo: row.row_no,
    lineNo: row.line_no,
    outcome,
    reason: row.reject_reason ?? row.reason,
    companyDomain: row.company_domain ?? null,
    companyName: row.company_name ?? null,
    endedAt: isNothing(row.ended_at) ? null : new Date(row.ended_at),
    warning: row.warning,
    source: row.source,
    matchedBy: row.matched_by,
    ...answerOf(row),
    // A company without an answer has no number of ads, not 0.
    adsCount: outcome === 'found' || outcome === 'none' ? (row.ads_count ?? 0) : null,
    chargedMicro: row.is_first && isFirstLine ? BigInt(row.charged_micro ?? 0) : 0n,
    email: isNothing(row.email) ? null : toEmail(row.email, isFirstLine),
    ad: isNothing(row.position) ? null : toAd(row, details),
    variant: toVariant(row),
  };
}

/** A later line of a row, by its first one. */
export function toFurtherLine(first: ReportLine, row: LineRow, details: AdDetails | undefined): ReportLine {
  const { email } = first;
  return {
    ...first,
    chargedMicro: 0n,
    email: email === null ? null : { ...email, chargedMicro: 0n },
    ad: isNothing(row.position) ? null : toAd(row, details),
    variant: toVariant(row),
  };
}

const noAnswer = {
  observedAt: null,
  isRepeat: null,
  isPartial: null,
  partialReason: null,
  uncertainAdvertisers: null,
  isTruncated: null,
  adsEstimate: null,
};

function answerOf(row: LineRow): Pick<ReportLine, keyof typeof noAnswer> {
  if (row.observed_at === null) return noAnswer;
  const { estimate_low: low, estimate_high: high } = row;
  return {
    observedAt: new Date(row.observed_at),
    isRepeat: row.repeats !== null,
    isPartial: row.partial === true,
    partialReason: row.partial_reason,
    uncertainAdvertisers: row.uncertain_advertisers,
    isTruncated: row.truncated === true,
    adsEstimate: low === null || high === null ? null : { low: Number(low), high: Number(high) },
  };
}

function adsOutcomeOf({ has_ads_lookup: hasLookup, outcome }: LineRow): AdsOutcome | 'open' | null {
  return hasLookup ? (outcome ?? 'open') : null;
}

function toEmail(row: EmailRow, isFirstLine: boolean): ReportedEmail {
  return {
    outcome: row.outcome ?? 'open',
    reason: row.reason,
    status: row.status ?? null,
    subStatus: row.sub_status ?? null,
    recommendation: row.recommendation ?? null,
    level: row.verification_level ?? null,
    reasons: row.reasons ?? [],
    normalised: row.normalised_email ?? null,
    didYouMean: row.did_you_mean ?? null,
    isDisposable: row.is_disposable ?? null,
    isRole: row.is_role ?? null,
    isFree: row.is_free ?? null,
    isCatchAll: row.is_catch_all ?? null,
    mxRecord: row.mx_record ?? null,
    mxProvider: row.mx_provider ?? null,
    checkedAt: row.checked_at === undefined ? null : new Date(row.checked_at),
    chargedMicro: isFirstLine ? BigInt(row.charged_micro) : 0n,
  };
}

/** Cells as a JSON array. */
export function parseCells(text: string): readonly string[] {
  return JSON.parse(text) as readonly string[];
}

function toAd(row: LineRow, details: AdDetails | undefined): ReportedAd {
  const advertiserId = fullIdOrNull(row.advertiser_id ?? null);
  return {
    advertiserId,
    creativeId: fullIdOrNull(row.creative_id ?? null),
    advertiserName: row.advertiser_name ?? null,
    format: row.format ?? null,
    originalUrl: row.original_url ?? null,
    start: row.start ?? null,
    lastSeen: row.last_seen ?? null,
    headline: row.headline ?? null,
    description: row.description ?? null,
    displayUrl: row.display_url ?? null,
    finalUrl: row.final_url ?? null,
    adType: row.ad_type ?? null,
    variantsCount: row.variants_count ?? 0,
    relation: row.relation ?? 'own',
    confidence: isNothing(row.confidence_percent) ? null : row.confidence_percent / 100,
    relationReasons: isNothing(row.relation_reasons)
      ? null
      : reasonLists.get(row.relation_reasons, parseCells),
    details: summariseDetails({ advertiserId, details }),
  };
}

/** Reasons by their JSON: there are few different ones, and each line of a report has some. */
const reasonLists = createMemo<string, readonly string[]>(10_000);

function toVariant({ content, height = null, width = null }: LineRow): ReportedVariant | null {
  return isNothing(content) ? null : { content, height, width };
}

/** True for a column that was not read, and for an empty one. */
function isNothing<T>(value: T | null | undefined): value is null | undefined {
  return value === undefined || value === null;
}
