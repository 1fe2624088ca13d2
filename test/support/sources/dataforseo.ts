import { z } from 'zod';
import type { CreativeRow } from './creative-rows.ts';
import {
  openStandInServer,
  type SeenCall,
  type StandInReply,
  type StandInServer,
} from './stand-in-server.ts';

export const login = 'ada@acme.example';
export const password = 'secret-of-dataforseo';

/** Subject of a task, and its ads. */
export interface DataForSeoFixture {
  /** Ads by domain, or by advertiser id. */
  readonly ads: (whose: string) => readonly CreativeRow[];
  /** Candidates by decoded keyword; null for a name without any result. */
  readonly candidates: (keyword: string) => readonly object[] | null;
  /** Ads that the price in its replies covers: the returned ones (default), or all requested ones. */
  readonly bill?: 'returned' | 'asked';
}

const place = { location_code: z.int().min(2000).optional() };
const adsTask = z
  .strictObject({
    target: z
      .string()
      .regex(/^(?!www\.)[a-z0-9-]+(\.[a-z0-9-]+)+$/)
      .optional(),
    advertiser_ids: z
      .array(z.string().regex(/^AR\d{20}$/))
      .min(1)
      .max(25)
      .optional(),
    depth: z.int().min(1).max(700),
    ...place,
  })
  .refine((task) => (task.target === undefined) !== (task.advertiser_ids === undefined));
const advertisersTask = z.strictObject({ keyword: z.string().min(1).max(700), ...place });

/**
 * DataForSEO's two live searches of Google's ads, as the reference describes them (5.3, 8.8): HTTP Basic, an array with one task,
 * HTTP 200 regardless of the result of the task, `40102` for nothing found, dates with ` +00:00`, and `preview_image` null
 * without one.
 *
 * Its `cost` is that of the returned ads, per 40 ads or part of them, and of one unit for nothing found, as the vendor's client
 * describes `depth`; with `bill: 'asked'` it is the price of all requested ads, as before the refund.
 *
 * Differences: all data is synthetic, and every country has the same ads.
 */
export async function openDataForSeo(fixture: DataForSeoFixture): Promise<StandInServer> {
  return openStandInServer((call) => {
    if (call.headers.authorization !== authorization) return failure(401, 40_100);
    if (call.method === 'GET' && call.path === '/v3/appendix/user_data')
      return reply(20_000, [{ login, timezone: 'UTC', money: { total: 100, balance: 12.5 } }], 0);
    if (call.method !== 'POST' || call.headers['content-type'] !== 'application/json')
      return failure(404, 40_400);
    const tasks = z.tuple([z.unknown()]).safeParse(call.body);
    return tasks.success ? answerTask(call, tasks.data[0], fixture) : reply(40_000, null, 0);
  });
}

const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;

function answerTask(call: SeenCall, task: unknown, fixture: DataForSeoFixture): StandInReply {
  if (call.path === '/v3/serp/google/ads_search/live/advanced') {
    const parsed = adsTask.safeParse(task);
    return parsed.success ? answerAds(parsed.data, fixture) : reply(40_501, null, 0);
  }
  if (call.path === '/v3/serp/google/ads_advertisers/live/advanced') {
    const parsed = advertisersTask.safeParse(task);
    if (!parsed.success) return reply(40_501, null, 0);
    // The vendor decodes keywords once.
    const keyword = decodeURIComponent(parsed.data.keyword.replaceAll('+', ' '));
    return listed(fixture.candidates(keyword) ?? [], 0.002);
  }
  return failure(404, 40_400);
}

function answerAds(
  { target, advertiser_ids: ids, depth }: z.infer<typeof adsTask>,
  fixture: DataForSeoFixture,
) {
  const rows = (ids ?? [target ?? '']).flatMap((whose) => fixture.ads(whose));
  const given = rows.slice(0, depth);
  const billed = fixture.bill === 'asked' ? depth : given.length;
  return listed(given.map(toItem), Math.max(1, Math.ceil(billed / 40)) * 0.002);
}

function listed(items: readonly object[], cost: number): StandInReply {
  return items.length === 0 ? reply(40_102, null, cost) : reply(20_000, [resultOf(items)], cost);
}

/** Reply of a finished or failed task, always with status 200. */
function reply(statusCode: number, result: unknown, cost: number): StandInReply {
  return { status: 200, json: envelopeOf({ ...taskOf(statusCode, cost), result }, cost) };
}

/** The complete reply for a domain with ads. */
export function replyAbout(rows: readonly CreativeRow[], cost = Math.ceil(rows.length / 40) * 0.002): object {
  return envelopeOf({ ...taskOf(20_000, cost), result: [resultOf(rows.map(toItem))] }, cost);
}

function envelopeOf(task: object, cost: number): object {
  return {
    version: '0.1.20260717',
    status_code: 20_000,
    status_message: 'Ok.',
    time: '3.1177 sec.',
    cost,
    tasks_count: 1,
    tasks_error: 0,
    tasks: [task],
  };
}

function taskOf(statusCode: number, cost: number): object {
  return {
    id: '07231252-7652-0139-0000-301b3ccdda6f',
    status_code: statusCode,
    status_message: 'As the test wants it.',
    time: '3.0811 sec.',
    cost,
    result_count: statusCode === 20_000 ? 1 : 0,
    path: ['v3', 'serp', 'google', 'ads_search', 'live', 'advanced'],
    data: { api: 'serp', function: 'live', se: 'google', se_type: 'ads_search' },
  };
}

function resultOf(items: readonly object[]): object {
  return {
    type: 'ads_search',
    se_domain: 'adstransparency.google.com',
    check_url: null,
    datetime: '2026-07-17 18:55:54 +00:00',
    item_types: ['ads_search'],
    se_results_count: 0,
    items_count: items.length,
    items,
  };
}

function toItem(row: CreativeRow, n: number): object {
  return {
    type: 'ads_search',
    rank_group: n + 1,
    rank_absolute: n + 1,
    advertiser_id: row.advertiserId,
    creative_id: row.creativeId,
    title: row.advertiserName,
    url: `https://adstransparency.google.com/advertiser/${row.advertiserId}/creative/${row.creativeId}`,
    verified: n % 8 !== 7,
    format: row.format,
    preview_image: row.image,
    preview_url:
      row.image === null ? 'https://displayads-formats.googleusercontent.com/ads/preview/content.js' : null,
    first_shown: toMoment(row.firstShown),
    last_shown: toMoment(row.lastShown),
  };
}

function toMoment(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')} +00:00`;
}

function failure(status: number, statusCode: number): StandInReply {
  return { status, json: { status_code: statusCode, status_message: 'As the test wants it.', tasks: null } };
}

/** Candidates in the order of the advertiser search: single accounts, accounts that share a name, then domains. */
export function candidatesFor(name: string, domains: readonly string[], ids: readonly string[]) {
  const [first = '', ...others] = ids;
  return [
    {
      type: 'ads_advertiser',
      rank_group: 1,
      title: `${name}y`,
      advertiser_id: idOf(900),
      location: 'BG',
      verified: true,
      approx_ads_count: 3,
    },
    {
      type: 'ads_advertiser',
      rank_group: 2,
      title: `${name} Inc.`,
      advertiser_id: first,
      location: 'US',
      verified: true,
      approx_ads_count: 66,
    },
    {
      type: 'ads_multi_account_advertiser',
      rank_group: 1,
      title: `${name}, Inc.`,
      location: 'US',
      approx_ads_count: 49,
      advertisers: others.map((id) => ({
        type: 'advertiser',
        advertiser_id: id,
        location: null,
        verified: false,
        approx_ads_count: 4,
      })),
    },
    ...domains.map((domain, n) => ({ type: 'ads_domain', rank_group: n + 1, domain })),
  ];
}

function idOf(n: number): string {
  return `AR${String(n).padStart(20, '0')}`;
}
