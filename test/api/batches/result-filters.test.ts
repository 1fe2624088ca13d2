import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { platformId } from '../../../src/core/companies/platform-id.ts';
import { codesOf } from '../../support/api/test-api.ts';
import {
  makeAllBlocks,
  openResultFixture,
  fixtureBlocks,
  fixtureRows,
  type ResultFixture,
} from '../../support/reports/result-fixture.ts';

/** Filters of every field, alone and combined; with many, few or no results. */
const filters = [
  'q=renewal',
  'q=RENEWAL sale',
  'q=renewal hanover',
  'q=märz',
  'q=MÄRZ renewal',
  'q=company-12.com',
  'q=agency',
  'q=agency hanover',
  'q=100%',
  'q=under_score',
  'q=_',
  'q=%',
  "q='); DROP TABLE x; --",
  'q=nowhere-to-be-found',
  'q=asked twice sure 100% off',
  'q=copied\x1eFROM',
  'q=copied\x1efrom terminal',
  'outcome=found',
  'outcome=none',
  'outcome=rejected',
  'outcome=open',
  'outcome=failed',
  'email_status=invalid',
  'email_status=unknown',
  'email_status=valid',
  'recommendation=do_not_send',
  'recommendation=review&outcome=none',
  'company_domain=company-10.com',
  'company_domain=https://WWW.company-10.com/x',
  'company_name=firm 14 gmbh',
  'company_domain=never-listed.com',
  'ad_format=video',
  'ad_format=CAROUSEL',
  'ad_format=display',
  'ad_format=video&outcome=none',
  'advertiser_id=AR140',
  'advertiser_id=google:AR141&ad_format=text',
  'advertiser_id=meta:4711',
  'seen_since=2025-06-01',
  'seen_since=2025-09-20',
  'seen_since=2025-06-01&ad_format=image&q=renewal&outcome=found',
  'q=hanover&ad_format=carousel',
  'q=quote&email_status=unknown&seen_since=2025-03-01',
] as const;

describe('filters of results', () => {
  let fixture: ResultFixture;
  let rows: readonly Row[];
  let ads: readonly SeenAd[];
  let reasons: readonly string[];

  beforeAll(async () => {
    fixture = await openResultFixture();
    rows = (await readRows('')).rows;
    ads = (await readAds('')).ads;
    reasons = [...new Set(rows.flatMap(({ reason }) => (reason === null ? [] : [reason])))];
  });
  afterAll(() => fixture.close());

  test('are tested on results of every kind', () => {
    expect(rows).toHaveLength(fixtureRows);
    expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(
      new Set(['found', 'none', 'no_match', 'rejected']),
    );
    expect(new Set(ads.map(({ format }) => format))).toEqual(new Set(['Text', 'Image', 'Video', 'Carousel']));
    expect(reasons.length).toBeGreaterThan(0);
    const some = filters.filter((filter) => wantedAds(filter).length + wantedRows(filter).length > 0);
    expect(some.length).toBeGreaterThan(filters.length * 0.6);
  });

  describe.each(['without blocks', 'with blocks'])('%s', (kind) => {
    beforeAll(async () => {
      if (kind === 'with blocks') expect(await makeAllBlocks(fixture)).toBe(fixtureBlocks);
    });

    test.each(filters)('%s returns exactly the matching rows and ads', async (filter) => {
      expect((await readRows(filter)).rows).toEqual(wantedRows(filter));
      expect((await readAds(filter)).ads).toEqual(wantedAds(filter));
    });

    test('reason matches the whole text', async () => {
      for (const reason of reasons) {
        const found = await readRows(`reason=${encodeURIComponent(reason)}`);
        expect(found.rows).toEqual(
          rows.filter((row) => row.reason === reason || row.email?.reason === reason),
        );
        expect((await readRows(`reason=${encodeURIComponent(reason.slice(1))}`)).rows).toEqual([]);
      }
    });

    test.each([
      // A request for each line: of fewer lines.
      [1, ['ad_format=video&q=renewal']],
      [7, ['q=renewal', 'outcome=found&ad_format=text']],
      [64, ['q=renewal', 'outcome=found&ad_format=text']],
    ])('pages of %i contain every row and every ad once, in order', async (limit, filters) => {
      for (const filter of filters) {
        expect(wantedAds(filter).length).toBeGreaterThan(10);
        expect(await allPages(limit, (page) => readRows(filter, page))).toEqual(wantedRows(filter));
        expect(await allPages(limit, (page) => readAds(filter, page))).toEqual(wantedAds(filter));
      }
    });
  });

  test.each(filters.filter((_, i) => i % 3 === 0))('an export with %s equals the lists', async (filter) => {
    const byRow = await exported('rows', filter);
    expect(byRow.map(({ input_line: line }) => line)).toEqual(wantedRows(filter).map(({ line }) => line));
    const byAd = await exported('ads', filter);
    const lineOf = new Map(rows.map(({ row, line }) => [row, line]));
    expect(byAd.map((line) => [line.input_line, line.creative_id, line.note])).toEqual(
      wantedAds(filter).map(({ row, creative_id: creative }) => [
        lineOf.get(row),
        creative,
        rows[row - 1]?.cells[2],
      ]),
    );
    const byVariant = await exported('variants', filter);
    expect(new Set(byVariant.map((line) => `${line.input_line} ${line.creative_id}`))).toEqual(
      new Set(byAd.map((line) => `${line.input_line} ${line.creative_id}`)),
    );
  });

  test('the charge of a row is on the first of its exported lines', async () => {
    const lines = await exported('ads', 'ad_format=video');
    const firsts = lines.filter((line, i) => line.input_line !== lines[i - 1]?.input_line);
    const charged = new Map(rows.map(({ line, credits_consumed }) => [line, credits_consumed]));
    expect(firsts.length).toBeLessThan(lines.length);
    for (const line of lines)
      expect(line.ads_credits_consumed).toBe(firsts.includes(line) ? charged.get(line.input_line) : 0);
  });

  test('every export format applies the filter', async () => {
    for (const format of ['csv', 'json', 'parquet', 'xlsx']) {
      const at = `/v1/batches/${fixture.batch}/export?format=${format}&outcome=found`;
      const some = await fixture.service.call('GET', at, { key: fixture.key });
      const whole = await fixture.service.call('GET', at.replace('&outcome=found', ''), { key: fixture.key });
      expect([some.status, whole.status]).toEqual([200, 200]);
      expect(some.text.length).toBeLessThan(whole.text.length);
    }
  });

  test('facets equal the counts of the filtered lists', async () => {
    const answer = await call(`/v1/batches/${fixture.batch}/facets`);
    const facets = answer.json() as Facets;
    expect(facets).toMatchObject({ rows: fixtureRows, ads: ads.length, ads_of_rows: fixtureRows });
    for (const { value, count } of facets.outcomes)
      expect([value, count]).toEqual([value, wantedRows(`outcome=${value}`).length]);
    for (const { value, count } of facets.email_statuses)
      expect([value, count]).toEqual([value, wantedRows(`email_status=${value}`).length]);
    for (const { value, count } of facets.recommendations)
      expect([value, count]).toEqual([value, wantedRows(`recommendation=${value}`).length]);
    for (const { value, count } of facets.formats)
      expect([value, count]).toEqual([value, wantedAds(`ad_format=${value}`).length]);
    for (const { id, count } of facets.advertisers)
      expect([id, count]).toEqual([id, wantedAds(`advertiser_id=${id}`).length]);
    expect(facets.advertisers.length).toBeGreaterThan(2);
    expect(facets.reasons.map(({ value }) => value)).toEqual(expect.arrayContaining([...reasons]));
  });

  test('ads of all batches can be searched by company and by ad', async () => {
    const found = await call('/v1/ads?limit=1000&q=company-12.com');
    const wanted = ads.filter((ad) => JSON.stringify(ad).includes('company-12.com'));
    expect((found.json() as AdPage).ads.map(({ creative_id }) => creative_id).sort()).toEqual(
      [...new Set(wanted.map(({ creative_id }) => creative_id))].sort(),
    );
  });

  test.each(['outcome=found', 'reason=x', 'email_status=valid', 'recommendation=send'])(
    'GET /v1/ads?%s requires a batch',
    async (query) => {
      const answer = await call(`/v1/ads?${query}`);
      expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    },
  );

  test('cursors of ads of a batch and of ads of the account are not interchangeable', async () => {
    const ofBatch = (await readAds('', 'limit=1')).next ?? '';
    const ofAll = ((await call('/v1/ads?limit=1')).json() as AdPage).next ?? '';
    for (const path of [`/v1/ads?after=${ofBatch}`, `/v1/ads?batch=${fixture.batch}&after=${ofAll}`])
      expect([path, (await call(path)).status]).toEqual([path, 400]);
  });

  test.each(['q', 'reason', 'ad_format', 'advertiser_id'])('returns 400 for %s with a NUL', async (name) => {
    expect((await call(`/v1/batches/${fixture.batch}/rows?${name}=%00`)).status).toBe(400);
  });

  function wantedRows(filter: string): readonly Row[] {
    const query = fieldsOf(filter);
    return rows.filter((row) => {
      const own = ads.filter((ad) => ad.row === row.row);
      return (
        rowFits(row, query) && (pairFits(row, null, query) || own.some((ad) => pairFits(row, ad, query)))
      );
    });
  }

  function wantedAds(filter: string): readonly SeenAd[] {
    const query = fieldsOf(filter);
    return ads.filter((ad) => {
      const row = rows[ad.row - 1];
      return row !== undefined && rowFits(row, query) && pairFits(row, ad, query);
    });
  }

  function call(path: string) {
    return fixture.service.call('GET', path, { key: fixture.key });
  }

  async function readRows(filter: string, page = 'limit=1000'): Promise<RowPage> {
    const answer = await call(`/v1/batches/${fixture.batch}/rows?${page}${queryOf(filter)}`);
    expect([filter, answer.status]).toEqual([filter, 200]);
    return answer.json() as RowPage;
  }

  async function readAds(filter: string, page = 'limit=1000'): Promise<AdPage> {
    const answer = await call(`/v1/ads?batch=${fixture.batch}&${page}${queryOf(filter)}`);
    expect([filter, answer.status]).toEqual([filter, 200]);
    return answer.json() as AdPage;
  }

  async function exported(shape: string, filter: string): Promise<readonly Line[]> {
    const at = `/v1/batches/${fixture.batch}/export?format=ndjson&shape=${shape}${queryOf(filter)}`;
    const { status, text } = await call(at);
    expect([filter, status]).toEqual([filter, 200]);
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));
  }
});

/** Query string of a filter above. */
function queryOf(filter: string): string {
  return filter === '' ? '' : `&${fieldsOf(filter).toString()}`;
}

/** A percent sign is literal, except in a reason, which is encoded. */
function fieldsOf(filter: string): URLSearchParams {
  return new URLSearchParams(filter.startsWith('reason=') ? filter : filter.replaceAll('%', '%25'));
}

async function allPages<Item>(
  limit: number,
  read: (page: string) => Promise<{ readonly next: string | null; readonly [list: string]: unknown }>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let after = ''; ;) {
    const { next, ...page } = await read(`limit=${limit}${after}`);
    const found = (page['rows'] ?? page['ads']) as readonly Item[];
    items.push(...found);
    if (next === null) return items;
    expect(found).toHaveLength(limit);
    after = `&after=${next}`;
  }
}

const companyOf = (row: Row) => row.company_domain ?? row.company_name?.toLowerCase() ?? '';

function rowFits(row: Row, query: URLSearchParams): boolean {
  const asked = (name: string, value: string | null | undefined) =>
    !query.has(name) || query.get(name) === value;
  const domain = query
    .get('company_domain')
    ?.toLowerCase()
    .replace(/^https:\/\/www\.|\/.*$/g, '');
  return (
    asked('outcome', row.outcome) &&
    asked('email_status', row.email?.email_status) &&
    asked('recommendation', row.email?.recommendation) &&
    (domain === undefined || row.company_domain === domain) &&
    (!query.has('company_name') || companyOf(row) === query.get('company_name'))
  );
}

function pairFits(row: Row, ad: SeenAd | null, query: URLSearchParams): boolean {
  const rowText = [...row.cells, row.company_domain ?? ''].join('\n').toLowerCase();
  const adText =
    ad === null ? '' : [ad.advertiser_name, ad.headline, ad.display_url].join('\n').toLowerCase();
  const words = (query.get('q') ?? '').toLowerCase().split(' ');
  const format = query.get('ad_format')?.toLowerCase();
  const advertiser = query.get('advertiser_id');
  const since = query.get('seen_since');
  return (
    words.every((word) => rowText.includes(word) || adText.includes(word)) &&
    (format === undefined || ad?.format.toLowerCase() === format) &&
    (advertiser === null || platformId(ad?.advertiser_id ?? '') === platformId(advertiser)) &&
    (since === null || (ad !== null && ad.last_seen >= since))
  );
}

interface Row {
  readonly row: number;
  readonly line: number;
  readonly cells: readonly string[];
  readonly outcome: string | null;
  readonly reason: string | null;
  readonly credits_consumed: number;
  readonly email: {
    readonly email_status: string;
    readonly recommendation: string;
    readonly reason: string | null;
  } | null;
  readonly company_domain: string | null;
  readonly company_name: string | null;
}

interface RowPage {
  readonly rows: readonly Row[];
  readonly next: string | null;
  readonly [list: string]: unknown;
}

interface SeenAd {
  readonly row: number;
  readonly advertiser_id: string;
  readonly creative_id: string;
  readonly advertiser_name: string;
  readonly format: string;
  readonly headline: string;
  readonly display_url: string;
  readonly last_seen: string;
}

interface AdPage {
  readonly ads: readonly SeenAd[];
  readonly next: string | null;
  readonly [list: string]: unknown;
}

interface Line {
  readonly input_line: number;
  readonly creative_id: string;
  readonly note: string;
  readonly ads_credits_consumed: number;
}

interface Counted {
  readonly value: string;
  readonly count: number;
}

interface Facets {
  readonly outcomes: readonly Counted[];
  readonly reasons: readonly Counted[];
  readonly email_statuses: readonly Counted[];
  readonly recommendations: readonly Counted[];
  readonly formats: readonly Counted[];
  readonly advertisers: readonly { readonly id: string; readonly count: number }[];
}
