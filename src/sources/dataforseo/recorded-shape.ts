import type { RecordedShape } from '../../core/sources/reply-shape.ts';
import { keysUnder } from '../replies/keys-under.ts';

const result = 'tasks[].result[]';

/** Recorded form of a reply: docs.dataforseo.com/v3/serp/google/ads_search/live/advanced. */
export const dataForSeoShape: RecordedShape = {
  always: [
    'status_code',
    'tasks',
    ...keysUnder('tasks[]', ['status_code', 'cost', 'result']),
    ...keysUnder(result, ['items_count', 'items']),
    ...keysUnder(`${result}.items[]`, [
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
    ...keysUnder(`${result}.items[].preview_image`, ['url', 'height', 'width']),
  ],
  sometimes: [
    ...['version', 'status_message', 'time', 'cost', 'tasks_count', 'tasks_error'],
    ...keysUnder('tasks[]', ['id', 'status_message', 'time', 'result_count', 'path', 'data']),
    ...keysUnder('tasks[].data', [
      ...['api', 'function', 'se', 'se_type', 'se_name', 'language_code', 'location_code', 'location_name'],
      ...['target', 'advertiser_ids', 'platform', 'format', 'date_from', 'date_to', 'depth', 'tag'],
      ...['device', 'os'],
    ]),
    ...keysUnder(result, [
      ...['type', 'keyword', 'se_domain', 'location_code', 'language_code', 'check_url', 'datetime', 'spell'],
      ...['refinement_chips', 'item_types', 'se_results_count'],
    ]),
    ...keysUnder(`${result}.items[]`, ['rank_group', 'rank_absolute', 'verified', 'preview_url']),
  ],
};
