import type { RecordedShape } from '../../core/sources/reply-shape.ts';
import { keysUnder } from '../replies/keys-under.ts';

/**
 * Recorded form of a first page: serpapi.com/google-ads-transparency-center-api, and published notes on live calls of September 2026.
 * `markdown_endpoint` is in every live reply, and not in the documentation; the documentation's own example lacks `total_days_shown`.
 */
export const serpapiShape: RecordedShape = {
  always: [
    'search_metadata',
    'search_metadata.status',
    'search_information',
    'search_information.total_results',
    'ad_creatives',
    ...keysUnder('ad_creatives[]', [
      'advertiser_id',
      'advertiser',
      'ad_creative_id',
      'format',
      'first_shown',
      'last_shown',
    ]),
  ],
  sometimes: [
    ...keysUnder('search_metadata', [
      'id',
      'json_endpoint',
      'markdown_endpoint',
      'pixel_position_endpoint',
      'created_at',
      'processed_at',
      'google_ads_transparency_center_url',
      'raw_html_file',
      'prettify_html_file',
      'total_time_taken',
    ]),
    'search_parameters',
    ...keysUnder('search_parameters', [
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
    ...keysUnder('ad_creatives[]', [
      ...['image', 'width', 'height', 'link', 'target_domain', 'total_days_shown'],
      ...['details_link', 'serpapi_details_link'],
      ...['minimum_views_count', 'maximum_views_count', 'minimum_budget_spent', 'maximum_budget_spent'],
    ]),
    'serpapi_pagination',
    ...keysUnder('serpapi_pagination', ['next_page_token', 'next']),
    'advertiser',
    ...keysUnder('advertiser', ['id', 'name', 'legal_name', 'country_code', 'country']),
  ],
};
