import type { RecordedShape } from '../core/sources/reply-shape.ts';

/** The paths of keys below another: `under('ads[]', ['start'])` is `ads[].start`. */
function under(path: string, keys: readonly string[]): readonly string[] {
  return keys.map((key) => `${path}.${key}`);
}

const shapeA = ['headline', 'description', 'display_url', 'final_url', 'ad_type'];
const shapeB = [
  'advertiser_id',
  'creative_id',
  'original_url',
  'variants',
  'start',
  'last_seen',
  'advertiser_name',
  'format',
];
const shapeBAds = [
  'ads',
  ...under('ads[]', shapeB),
  ...under('ads[].variants[]', ['content', 'height', 'width']),
];

/** Beside the ads, where published samples do not have them, and what Nightshift adds as a server of the contract. */
const contractRest = [
  ...['message', 'partial', 'truncated', 'estimate_low', 'estimate_high', 'matched_by', 'source'],
  ...['from_cache', 'observed_at'],
];

/** The two shapes of the service contract (docs/architecture/contract.md, 2.2), and Nightshift's own, which is B with what it knows of A. */
const upstream: readonly RecordedShape[] = [
  {
    always: [...shapeBAds, 'credits_consumed'],
    sometimes: ['ads_count', 'company_name', ...under('ads[]', shapeA), ...contractRest],
  },
  {
    always: ['ads', ...under('ads[]', shapeA), 'credits_consumed', 'company_name'],
    sometimes: ['ads_count', ...contractRest],
  },
];

/** serpapi.com/google-ads-transparency-center-api, and published notes on live calls of September 2026. */
const serpapi: RecordedShape = {
  always: [
    'search_metadata',
    'search_metadata.status',
    'search_information',
    'search_information.total_results',
    'ad_creatives',
    ...under('ad_creatives[]', [
      'advertiser_id',
      'advertiser',
      'ad_creative_id',
      'format',
      'first_shown',
      'last_shown',
      'total_days_shown',
      'details_link',
      'serpapi_details_link',
    ]),
  ],
  sometimes: [
    ...under('search_metadata', [
      'id',
      'json_endpoint',
      'created_at',
      'processed_at',
      'google_ads_transparency_center_url',
      'raw_html_file',
      'prettify_html_file',
      'total_time_taken',
    ]),
    'search_parameters',
    ...under('search_parameters', [
      'engine',
      'text',
      'advertiser_id',
      'num',
      'region',
      'platform',
      'creative_format',
      'start_date',
      'end_date',
      'next_page_token',
    ]),
    'search_information.results_state',
    ...under('ad_creatives[]', ['image', 'width', 'height', 'link', 'target_domain']),
    'serpapi_pagination',
    ...under('serpapi_pagination', ['next_page_token', 'next']),
    'advertiser',
    ...under('advertiser', ['id', 'name', 'legal_name', 'country_code', 'country']),
  ],
};

const dataforseoResult = 'tasks[].result[]';

/** docs.dataforseo.com/v3/serp/google/ads_search/live/advanced. */
const dataforseo: RecordedShape = {
  always: [
    'status_code',
    'tasks',
    ...under('tasks[]', ['status_code', 'cost', 'result']),
    ...under(dataforseoResult, ['items_count', 'items']),
    ...under(`${dataforseoResult}.items[]`, [
      'type',
      'advertiser_id',
      'creative_id',
      'title',
      'url',
      'format',
      'preview_image',
      'first_shown',
      'last_shown',
    ]),
    ...under(`${dataforseoResult}.items[].preview_image`, ['url', 'height', 'width']),
  ],
  sometimes: [
    ...['version', 'status_message', 'time', 'cost', 'tasks_count', 'tasks_error'],
    ...under('tasks[]', ['id', 'status_message', 'time', 'result_count', 'path', 'data']),
    ...under('tasks[].data', [
      ...['api', 'function', 'se', 'se_type', 'se_name', 'language_code', 'location_code', 'location_name'],
      ...['target', 'advertiser_ids', 'platform', 'format', 'date_from', 'date_to', 'depth', 'tag'],
      ...['device', 'os'],
    ]),
    ...under(dataforseoResult, [
      ...['type', 'keyword', 'se_domain', 'location_code', 'language_code', 'check_url', 'datetime', 'spell'],
      ...['refinement_chips', 'item_types', 'se_results_count'],
    ]),
    ...under(`${dataforseoResult}.items[]`, ['rank_group', 'rank_absolute', 'verified', 'preview_url']),
  ],
};

/** docs.adyntel.com/ad-libraries/google; `total_ad_count` as public callers read it. */
const adyntel: RecordedShape = {
  always: [...shapeBAds, 'continuation_token'],
  sometimes: ['country_code', 'total_ad_count'],
};

/** The list of creatives of a domain, `SearchCreatives`: replies that others recorded and published in August 2026. */
const transparency: RecordedShape = {
  always: [
    '1',
    ...under('1[]', ['1', '2', '3', '4', '6', '6.1', '7', '7.1', '12']),
    ...under('1[].3', ['3', '3.2']),
    '4',
    '5',
  ],
  sometimes: ['2', ...under('1[]', ['6.2', '7.2', '13', '14']), ...under('1[].3', ['1', '1.4', '2', '5'])],
};

/**
 * The forms of a source's replies about a company with ads, the first page of a search by domain, as they were recorded or documented.
 * `mapped` has none, since its map says what it reads, nor has `bigquery`: its schema is compared before every query.
 */
export const recordedShapes: Readonly<Record<string, readonly RecordedShape[] | undefined>> = {
  upstream,
  serpapi: [serpapi],
  dataforseo: [dataforseo],
  adyntel: [adyntel],
  transparency: [transparency],
};
