import { formatLookupCursor } from '../../src/api/v1/fields/lookup-cursor.ts';
import type { Query } from './ask-for.ts';
import type { ListSample } from './list-sample.ts';
import { agencyId, rareAdWord, rareFormat } from './synthetic-source.ts';

/** The batch of the queries. */
export interface AskedList {
  readonly batch: string;
  readonly rows: number;
  /** The ids of its first and last lookup. */
  readonly lookups: { readonly first: bigint; readonly last: bigint };
  readonly sample: ListSample;
}

/** Queries by name, with varying values if users would use varying ones. */
export type Queries = Readonly<Record<string, readonly Query[]>>;

/** Number of values that are used in alternation. */
export const variants = 10;

const rowWords = ['gmbh', 'software', 'hanover', 'renewal', 'Inc.', '.com', 'quote', 'energy', 'DE', 'sa'];
const adLabels = [
  'sale',
  'delivery',
  'demo',
  'shoes',
  'coffee',
  'travel',
  'bikes',
  'quote',
  'pumps',
  'tools',
];
const missingWords = Array.from({ length: variants }, (_, i) => `zzq${i}xqz`);
const agencyIds = Array.from({ length: variants }, (_, i) => agencyId(i));
/** Orders of which all are kept. */
const keptSorts = ['company', '-ads', '-credits', 'email', 'outcome', '-source'];
const recentDays = Array.from({ length: variants }, (_, i) => `2026-10-${22 + i}`);
const earlyDays = Array.from({ length: variants }, (_, i) => `2025-0${1 + (i % 9)}-15`);
const outOfReach = '2026-11-02';

/** Filters of rows. */
export function rowQueries(list: AskedList): Queries {
  const places = placesIn(list.rows).map(String);
  const labels = labelsOf(list);
  return {
    'first page': [{}],
    'a page far on': each('after', places),
    found: each('outcome', ['found']),
    'found, a page far on': each('after', places, { outcome: 'found' }),
    'nothing found': each('outcome', ['none', 'no_match']),
    failed: each('outcome', ['failed']),
    rejected: each('outcome', ['rejected']),
    'still open (none is)': each('outcome', ['open']),
    'a reason': each('reason', ['in_doubt', 'source_unavailable', 'source_unreadable']),
    'no such reason': each('reason', ['the moon']),
    'an e-mail status': each('email_status', ['valid', 'invalid', 'catch_all', 'unknown']),
    'a recommendation': each('recommendation', ['send', 'review', 'do_not_send']),
    'seen since long ago': each('seen_since', earlyDays),
    'seen since tomorrow': each('seen_since', [outOfReach]),
    'no such format': each('ad_format', ['Hologram']),
    'no such advertiser': each('advertiser_id', ['AR00000000000000000000']),
    ...resultQueries(list),
    'two usual words': rowWords.map((word, i) => ({ q: `${word} ${adLabels[i] ?? ''}` })),
    sorted: each('sort', keptSorts),
    'sorted, a page far on': places.map((after, i) => ({
      after,
      sort: keptSorts[i % keptSorts.length] ?? '',
    })),
    'sorted, found': each('sort', keptSorts, { outcome: 'found' }),
    'sorted, a rare format': each('sort', keptSorts, { ad_format: rareFormat }),
    'sorted, a word of one row': labels.map((q, i) => ({ q, sort: keptSorts[i % keptSorts.length] ?? '' })),
    'two words that never meet': labels.map((label, i) => ({
      q: `${label} ${labels[(i + 1) % labels.length] ?? ''}`,
    })),
  };
}

/** Orders by columns of the file, which no page has asked for before: each request sorts the whole batch. */
export const newOrders: readonly Query[] = each('sort', ['cells.1', 'cells.2', '-cells.1', '-cells.2']);

/** Filters of ads. */
export function adQueries(list: AskedList): Queries {
  const places = placesIn(list.rows).map((row) => Buffer.from(`r${row}.0`).toString('base64url'));
  return {
    'first page': [{}],
    'a page far on': each('after', places),
    'of addresses that are invalid': each('email_status', ['invalid']),
    ...resultQueries(list),
  };
}

/** Filters of verdicts. */
export function emailQueries({ lookups: { first, last } }: AskedList): Queries {
  const places = placesIn(Number(last - first)).map((place) => formatLookupCursor(last - BigInt(place)));
  return {
    'first page': [{}],
    'a page far on': each('after', places),
    'a status': each('status', ['valid', 'invalid', 'catch_all', 'unknown']),
    'a reason': each('reason', ['mailbox_not_found', 'catch_all_domain', 'unrecognised_reply']),
    'a reason without a row': each('reason', ['greylisted']),
    'a usual word': each('q', ['gmail', 'anna', 'info', 'group', 'schmidt']),
    'a word that is nowhere': each('q', missingWords),
  };
}

/** Filters of rows and ads. */
function resultQueries(list: AskedList): Queries {
  const { found, nameless, advertiserIds } = list.sample;
  const domains = found.map(({ domain }) => domain);
  const names = nameless.map(({ name }) => name);
  return {
    'a company': each('company_domain', domains),
    'a company without a domain': each('company_name', names),
    'a usual format': each('ad_format', ['Text', 'Image', 'video']),
    'a rare format': each('ad_format', [rareFormat]),
    'an agency': each('advertiser_id', agencyIds),
    'an advertiser': each('advertiser_id', advertiserIds),
    'seen in the last days': each('seen_since', recentDays),
    'a usual word in rows': each('q', rowWords),
    'a usual word in ads': each('q', adLabels),
    'a word of one row': each('q', labelsOf(list)),
    'a rare word in ads': each('q', [rareAdWord]),
    'a word that is nowhere': each('q', missingWords),
    'word, format, outcome and day': adLabels.map((q, i) => ({
      q,
      ad_format: 'video',
      outcome: 'found',
      seen_since: earlyDays[i] ?? '',
    })),
    'all that is rare': adLabels.map((q, i) => ({
      q: `${q} ${rowWords[i] ?? ''}`,
      ad_format: rareFormat,
      advertiser_id: agencyIds[i] ?? '',
      email_status: 'invalid',
    })),
  };
}

/** Words that occur in the row of exactly one company. */
function labelsOf({ sample }: AskedList): readonly string[] {
  return sample.found.map(({ domain }) => domain.slice(0, domain.indexOf('.')));
}

/** Values of one field. */
function each(field: string, values: readonly string[], others: Query = {}): readonly Query[] {
  return values.map((value) => ({ ...others, [field]: value }));
}

/** Positions from the first tenth to just before the end. */
function placesIn(count: number): readonly number[] {
  return Array.from({ length: variants }, (_, i) => Math.floor(count * (0.12 + (0.87 * i) / (variants - 1))));
}
