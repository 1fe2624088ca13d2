import type { Writable } from 'node:stream';
import type { DetailsSummary } from '../../core/ads/details-summary.ts';
import type { BatchReportStore, EndedSpan, ReportForm, ReportLine } from '../../core/batches/batch-report.ts';
import { shownCounts, type BatchSummary } from '../../core/batches/batch.ts';
import { creditsNumber } from '../../core/credits/credits.ts';
import { wholeResult, type ResultFilter } from '../../core/batches/result-filter.ts';
import type { CsvOptions } from '../formats/csv.ts';
import type { ReportFormat } from '../formats/report-format.ts';
import {
  nameColumns,
  type Cell,
  type ColumnKind,
  type Report,
  type ReportShape,
} from '../formats/report-row.ts';
import { writeReport, type WrittenReport } from './write-report.ts';

export interface ExportOptions {
  readonly batch: BatchSummary;
  readonly format: ReportFormat;
  readonly shape: ReportShape;
  /** Filter of rows or ads. Default: all. */
  readonly filter?: ResultFilter;
  /** Only rows that ended in a span. Default: all. */
  readonly span?: EndedSpan;
  /** True to keep cells unchanged, including formulas; CSV only. */
  readonly raw: boolean;
  /** Form of CSV. Default: comma, no byte order mark. */
  readonly csv?: Omit<CsvOptions, 'raw'>;
  readonly target: string | Writable;
  readonly createdAt: Date;
  readonly signal?: AbortSignal;
}

/**
 * Exports a batch: every input row in input order, or those that match the filter, with the user's columns first, then
 * Nightshift's.
 *
 * A finished batch gives the same bytes every time.
 */
export async function exportBatch(store: BatchReportStore, options: ExportOptions): Promise<WrittenReport> {
  const {
    batch,
    format,
    shape,
    filter = wholeResult,
    span,
    raw,
    csv = {},
    target,
    createdAt,
    signal,
  } = options;
  const part = { depth: shape, filter, ...(span === undefined ? {} : { span }) };
  return store.read(batch.batchId, part, (lines, form) =>
    writeReport(reportOf(lines, form, shape), {
      format,
      raw,
      csv,
      target,
      about: { shape, createdAt, details: { ...detailsOf(batch), ...(span && spanDetails(span)) } },
      ...(signal === undefined ? {} : { signal }),
    }),
  );
}

/** Lets `use` read a batch as a report: the columns and lines of its exports, from one snapshot. @throws Conflict for a purged batch */
export async function readBatchReport<T>(
  store: BatchReportStore,
  { batchId, shape }: { readonly batchId: number; readonly shape: ReportShape },
  use: (report: Report) => Promise<T>,
): Promise<T> {
  return store.read(batchId, { depth: shape }, (lines, form) => use(reportOf(lines, form, shape)));
}

/** A column of Nightshift: its name, its kind, and its value for a line. */
export type OurColumn = readonly [name: string, kind: ColumnKind, cell: (line: ReportLine) => Cell];

const outcomeColumns: readonly OurColumn[] = [
  ['ads_outcome', 'text', (line) => line.outcome],
  ['ads_reason', 'text', (line) => line.reason],
  ['ads_matched_by', 'text', (line) => line.matchedBy],
  ['ads_source', 'text', (line) => line.source],
  ['ads_from_cache', 'flag', (line) => line.isRepeat],
  // For other rows it is the time of the run, which would differ on every line between two runs of the same batch.
  [
    'ads_observed_at',
    'moment',
    (line) => (line.isRepeat === true ? (line.observedAt?.toISOString() ?? null) : null),
  ],
  ['ads_partial', 'flag', (line) => line.isPartial],
  ['ads_count', 'count', (line) => line.adsCount],
  ['ads_truncated', 'flag', (line) => line.isTruncated],
  ['ads_estimate_low', 'count', ({ adsEstimate }) => adsEstimate && asCount(adsEstimate.low)],
  ['ads_estimate_high', 'count', ({ adsEstimate }) => adsEstimate && asCount(adsEstimate.high)],
  ['ads_credits_consumed', 'credits', (line) => creditsNumber(line.chargedMicro)],
  ['ads_warning', 'text', (line) => line.warning],
  ['ads_partial_reason', 'text', (line) => line.partialReason],
  ['ads_uncertain_advertisers', 'count', (line) => line.uncertainAdvertisers],
];

/** Maximum value of a column of counts; no company has as many ads. */
const countMax = 2 ** 31 - 1;

function asCount(estimate: number): number {
  return Math.min(estimate, countMax);
}

const emailColumns: readonly OurColumn[] = [
  [
    'email_outcome',
    'text',
    ({ email, outcome }) => email?.outcome ?? (outcome === 'rejected' ? outcome : null),
  ],
  [
    'email_reason',
    'text',
    (line) => line.email?.reason ?? (line.outcome === 'rejected' ? line.reason : null),
  ],
  ['email_status', 'text', (line) => line.email?.status ?? null],
  ['email_sub_status', 'text', (line) => line.email?.subStatus ?? null],
  ['email_recommendation', 'text', (line) => line.email?.recommendation ?? null],
  ['email_verification_level', 'text', (line) => line.email?.level ?? null],
  ['email_reasons', 'text', (line) => line.email?.reasons.join(' ') ?? null],
  ['email_normalized', 'text', (line) => line.email?.normalised ?? null],
  ['email_did_you_mean', 'text', (line) => line.email?.didYouMean ?? null],
  ['email_is_disposable', 'flag', (line) => line.email?.isDisposable ?? null],
  ['email_is_role', 'flag', (line) => line.email?.isRole ?? null],
  ['email_is_free', 'flag', (line) => line.email?.isFree ?? null],
  ['email_is_catch_all', 'flag', (line) => line.email?.isCatchAll ?? null],
  ['email_mx_record', 'text', (line) => line.email?.mxRecord ?? null],
  ['email_mx_provider', 'text', (line) => line.email?.mxProvider ?? null],
  ['email_checked_at', 'moment', (line) => line.email?.checkedAt?.toISOString() ?? null],
  ['email_credits_consumed', 'credits', (line) => creditsNumber(line.email?.chargedMicro ?? 0n)],
];

/** A column of what the source reported about the ad beside its content; empty for a line without an ad. */
function detailColumn(name: string, kind: ColumnKind, cell: (details: DetailsSummary) => Cell): OurColumn {
  return [name, kind, ({ ad }) => (ad === null ? null : cell(ad.details))];
}

function joined(codes: readonly string[]): string | null {
  return codes.length === 0 ? null : codes.join(' ');
}

const lineColumn: OurColumn = ['input_line', 'count', (line) => line.lineNo];

const adColumns: readonly OurColumn[] = [
  ['advertiser_id', 'text', (line) => line.ad?.advertiserId ?? null],
  ['creative_id', 'text', (line) => line.ad?.creativeId ?? null],
  ['advertiser_name', 'text', (line) => line.ad?.advertiserName ?? null],
  ['format', 'text', (line) => line.ad?.format ?? null],
  ['original_url', 'text', (line) => line.ad?.originalUrl ?? null],
  ['start', 'day', (line) => line.ad?.start ?? null],
  ['last_seen', 'day', (line) => line.ad?.lastSeen ?? null],
  ['headline', 'text', (line) => line.ad?.headline ?? null],
  ['description', 'text', (line) => line.ad?.description ?? null],
  ['display_url', 'text', (line) => line.ad?.displayUrl ?? null],
  ['final_url', 'text', (line) => line.ad?.finalUrl ?? null],
  ['ad_type', 'text', (line) => line.ad?.adType ?? null],
  ['variants_count', 'count', (line) => line.ad?.variantsCount ?? null],
  ['relation', 'text', (line) => line.ad?.relation ?? null],
  // A decimal number, as credits are.
  ['relation_confidence', 'credits', (line) => line.ad?.confidence ?? null],
  ['relation_reasons', 'text', (line) => line.ad?.relationReasons?.join(' ') ?? null],
  detailColumn('platform', 'text', ({ platform }) => platform),
  detailColumn('payer', 'text', ({ payer }) => payer),
  detailColumn('topic', 'text', ({ topic }) => topic),
  detailColumn('days_shown', 'count', ({ daysShown }) => daysShown),
  detailColumn('times_shown_lower', 'total', ({ timesShownLower }) => timesShownLower),
  detailColumn('times_shown_upper', 'total', ({ timesShownUpper }) => timesShownUpper),
  detailColumn('regions', 'text', ({ regions }) => joined(regions)),
  detailColumn('surfaces', 'text', ({ surfaces }) => joined(surfaces)),
  detailColumn('target_domain', 'text', ({ targetDomain }) => targetDomain),
  detailColumn('preview_url', 'text', ({ previewUrl }) => previewUrl),
  detailColumn('advertiser_legal_name', 'text', ({ legalName }) => legalName),
  detailColumn('advertiser_location', 'text', ({ location }) => location),
  detailColumn('advertiser_verification', 'text', ({ verification }) => verification),
];

const variantColumns: readonly OurColumn[] = [
  ['variant_content', 'text', (line) => line.variant?.content ?? null],
  ['variant_height', 'count', (line) => line.variant?.height ?? null],
  ['variant_width', 'count', (line) => line.variant?.width ?? null],
];

const columnsOfShape: Readonly<Record<ReportShape, readonly OurColumn[]>> = {
  rows: [],
  ads: adColumns,
  variants: [...adColumns, ...variantColumns],
};

/** Columns of the operations that ran; other operations have none. */
export function ourColumns(
  { operations }: Pick<ReportForm, 'operations'>,
  shape: ReportShape,
): readonly OurColumn[] {
  const hasEmails = operations.includes('email_validation');
  const hasAds = operations.includes('ads_search');
  return [
    ...(hasAds ? outcomeColumns : []),
    ...(hasEmails ? emailColumns : []),
    lineColumn,
    ...(hasAds ? columnsOfShape[shape] : []),
  ];
}

function reportOf(lines: AsyncIterable<readonly ReportLine[]>, form: ReportForm, shape: ReportShape): Report {
  const ours = ourColumns(form, shape);
  const names = nameColumns(
    form,
    ours.map(([name]) => name),
  );
  const kinds = ours.map(([, kind]) => kind);
  const own = names.length - kinds.length;
  const columns = names.map((column, index) => ({ ...column, kind: kinds[index - own] ?? 'text' }));
  return { columns, blocks: toCells(lines, form.cellsMax, ours) };
}

async function* toCells(
  lines: AsyncIterable<readonly ReportLine[]>,
  cellsMax: number,
  ours: readonly OurColumn[],
): AsyncGenerator<readonly (readonly Cell[])[]> {
  for await (const block of lines) {
    yield block.map((line) => {
      const cells = padded(line.cells, cellsMax);
      for (const [, , cell] of ours) cells.push(cell(line));
      return cells;
    });
  }
}

function padded(cells: readonly string[], count: number): Cell[] {
  return cells.length === count ? [...cells] : Array.from({ length: count }, (_, i) => cells[i] ?? null);
}

/** A span as details of a manifest. */
export function spanDetails({ since, until }: EndedSpan) {
  return { since: since.toISOString(), until: until.toISOString() };
}

function detailsOf(batch: BatchSummary) {
  return {
    batch: batch.publicId,
    state: batch.state,
    rows: { ...batch.rows },
    ...shownCounts(batch),
    credits: { charged: creditsNumber(batch.chargedMicro), ceiling: creditsNumber(batch.ceilingMicro) },
  };
}
