import { sql, type SQL } from 'drizzle-orm';
import type {
  EndedSpan,
  ReportDepth,
  ReportForm,
  ReportPart,
} from '../../../src/core/batches/batch-report.ts';
import { isNarrowed, wholeResult, type ResultFilter } from '../../../src/core/batches/result-filter.ts';
import type { Operation } from '../../../src/core/credits/price-book.ts';
import { originalUrlSql } from '../ads/read-ads.ts';
import { detailedAdSql } from '../ads/read-details.ts';
import { joinWaitingCompanySql } from '../sql/open-lookups.ts';
import {
  adIsWantedSql,
  askedMailSql,
  askedTextSql,
  mailJoinsSql,
  putParameter,
  rowIsWantedSql,
  type PutValue,
} from '../sql/result-conditions.ts';
import { isInSpanSql, rowEndedSql } from './ended-span.ts';

/** Lines of a part, as a query without parameters; the values of its filter are kept apart. */
export function selectPart(
  batchId: number,
  { depth, filter = wholeResult, span }: ReportPart,
  form: ReportForm,
): { readonly select: SQL; readonly values: readonly string[] } {
  const values: string[] = [];
  const put: PutValue = (value) =>
    sql.raw(`(SELECT current_setting('nightshift.filter')::jsonb ->> ${values.push(value) - 1})`);
  const part = { depth, filter, put, ...(span === undefined ? {} : endedPart(batchId, span, form)) };
  return { select: selectLines(batchId, part, form), values };
}

function endedPart(batchId: number, span: EndedSpan, { operations }: ReportForm) {
  const endedAt = rowEndedSql(batchId, operations);
  return { endedAt, which: isInSpanSql(endedAt, span) };
}

/** Part of the lines to read, and the way to put the filter's values into a statement. */
export interface LinesPart {
  readonly depth: ReportDepth;
  readonly filter: ResultFilter;
  readonly put?: PutValue;
  /** True to include the company's name. Default false, as in exports. */
  readonly namesCompany?: boolean;
  /** Time at which row `r` ended, to include with the company of the lookup. Default: neither. */
  readonly endedAt?: SQL;
  /** Further condition on row `r`. Default: none. */
  readonly which?: SQL;
}

/** The only embedded value is a number of ours. Only the first line of a row contains its cells and outcomes. */
export function selectLines(batchId: number, part: LinesPart, form: ReportForm): SQL {
  const { depth, filter } = part;
  const { operations } = form;
  return sql`SELECT r.row_no, first.*
      ${part.namesCompany === true ? sql`, coalesce(l.company_domain, w.company_domain) AS company_domain, coalesce(l.company_name, w.company_name) AS company_name` : sql``}
      ${part.endedAt === undefined ? sql`` : sql`, l.company_domain, l.company_name, ${part.endedAt} AS ended_at`} ${adColumns(depth)} ${variantColumns(depth)}
    FROM nightshift.batch_rows r
    LEFT JOIN nightshift.lookups l ON l.id = r.ads_lookup_id
    ${part.namesCompany === true ? joinWaitingCompanySql(sql.raw(String(Math.trunc(batchId)))) : sql``}
    ${operations.includes('email_validation') ? mailJoinsSql : askedMailSql(filter)}
    ${askedTextSql(filter)}
    ${adJoins(depth)} ${variantJoins(depth)}
    LEFT JOIN LATERAL ${rowColumns(part, form)} first ON true
    WHERE r.batch_id = ${sql.raw(String(Math.trunc(batchId)))} ${wantedSql(batchId, part)} ${part.which ?? sql``}
    ORDER BY r.block_no, r.row_no ${orderWithinRow(depth)}`;
}

/** Columns that all lines of a row share, on its first line: with a thousand ads, the server would send them a thousand times. */
function rowColumns(part: LinesPart, { operations }: ReportForm): SQL {
  return sql`(SELECT array_to_json(r.cells)::text AS cells, r.line_no, r.reject_reason, r.warning, r.is_first, l.outcome, l.reason,
      l.source, l.matched_by, l.ads_count, l.charged_micro, l.repeats, l.partial, l.partial_reason, l.uncertain_advertisers,
      l.truncated, l.estimate_low, l.estimate_high, l.id AS lookup_id, r.ads_lookup_id IS NOT NULL AS has_ads_lookup,
      coalesce(l.observed_at, l.ended_at) AS observed_at ${emailColumns(operations)}
    WHERE ${isFirstLineSql(part)})`;
}

/** One object with everything known about the address. */
function emailColumns(operations: readonly Operation[]): SQL {
  return operations.includes('email_validation')
    ? sql`, CASE WHEN r.email_lookup_id IS NOT NULL THEN coalesce(to_jsonb(e), '{}') || jsonb_build_object('outcome', m.outcome,
      'reason', m.reason, 'charged_micro', CASE WHEN r.email_is_first THEN coalesce(m.charged_micro, 0) ELSE 0 END) END AS email`
    : sql``;
}

/** With a filter, a report of ads contains the matching ads, and no rows without one. */
function wantedSql(batchId: number, { depth, filter, put = putParameter }: LinesPart): SQL {
  if (!isNarrowed(filter)) return sql``;
  return depth === 'rows'
    ? sql`AND ${rowIsWantedSql(batchId, filter, { put })}`
    : sql`AND la.position IS NOT NULL AND ${adIsWantedSql(batchId, filter, { put })}`;
}

/** With a filter, any line may be the first one of its row. */
function isFirstLineSql({ depth, filter }: LinesPart): SQL {
  if (isNarrowed(filter)) return sql`true`;
  const positions = { rows: [], ads: [sql`la.position`], variants: [sql`la.position`, sql`av.position`] };
  const ones = positions[depth].map((position) => sql`coalesce(${position}, 1) = 1`);
  return ones.length === 0 ? sql`true` : sql.join(ones, sql` AND `);
}

function adColumns(depth: ReportDepth): SQL {
  if (depth === 'rows') return sql``;
  return sql`, la.position, i.advertiser_id, i.creative_id, v.advertiser_name, v.format, ${originalUrlSql} AS original_url,
      la.start::text AS start, la.last_seen::text AS last_seen, v.headline, v.description, v.display_url, v.final_url,
      v.ad_type, v.variants_count, la.relation, am.confidence_percent, array_to_json(am.reasons)::text AS relation_reasons, ${detailedAdSql}`;
}

function adJoins(depth: ReportDepth): SQL {
  if (depth === 'rows') return sql``;
  return sql`LEFT JOIN nightshift.lookup_ads la ON la.lookup_id = l.id
    LEFT JOIN nightshift.ad_versions v ON v.id = la.version_id
    LEFT JOIN nightshift.ads i ON i.id = v.ad_id
    LEFT JOIN nightshift.advertiser_matches am ON am.id = la.match_id`;
}

function variantColumns(depth: ReportDepth): SQL {
  if (depth !== 'variants') return sql``;
  return sql`, av.position AS variant_position, av.content, av.height, av.width`;
}

function variantJoins(depth: ReportDepth): SQL {
  if (depth !== 'variants') return sql``;
  return sql`LEFT JOIN nightshift.ad_variants av ON av.version_id = v.id`;
}

function orderWithinRow(depth: ReportDepth): SQL {
  if (depth === 'rows') return sql``;
  return depth === 'ads' ? sql`, la.position` : sql`, la.position, av.position`;
}
