import { advertiserIdOf, creativesOf, type StandInCreative } from './transparency-creatives.ts';
import { keyPaths } from '../../../src/core/sources/reply-shape.ts';
import { openStandInServer, type SeenCall, type StandInServer } from './stand-in-server.ts';

/** Replaces a reply; undefined: keeps the original one. */
export type Override = (fReq: Record<string, unknown>, method: string) => unknown;

export interface TransparencyStandIn extends StandInServer {
  /** Requests so far, with method and `f.req`. */
  readonly asked: () => readonly { readonly method: string; readonly fReq: Record<string, unknown> }[];
  /** Sets the function that replaces replies; null: none. */
  readonly override: (override: Override | null) => void;
}

const known = [
  ...creativesOf(1, 'acme.com', 40),
  ...creativesOf(2, 'big.com', 230),
  ...creativesOf(4, 'solo.com', 3),
  ...creativesOf(5, 'nike.com', 40).map(asNike),
];

/** Creatives of a company that is known to have ads. */
function asNike(creative: StandInCreative): StandInCreative {
  const advertiserId = 'AR16735076323512287233';
  return { ...creative, advertiserId, row: { ...creative.row, 1: advertiserId } };
}

/** Names are suggested by spelling: for `Acme` the company itself is not among the advertisers, as in recorded replies. */
const suggestions: Readonly<Record<string, unknown>> = {
  nike: { 1: [advertiser('Nikena', 90, 'BG'), domain('nike.com')], 3: 'CgA=' },
  Acme: {
    1: [
      advertiser('Acmey', 91, 'BG'),
      advertiser('Acmesh', 92, 'IN'),
      { 1: { 1: 'ACMENA SRL', 2: advertiserIdOf(93, 0), 3: 'IT', 4: { 2: { 1: '21', 2: '21' } } } },
      domain('bacme.it'),
      domain('acme.sk'),
      domain('acme.com'),
    ],
    3: 'CgA=',
  },
  'Solo Traders': {
    1: [advertiser('Solo Trader', 94, 'US'), advertiser('SOLO TRADERS LTD.', 4, 'GB')],
    3: 'CgA=',
  },
  Absent: { 1: [advertiser('Absentia', 95, 'US'), domain('somebody.com')], 3: 'CgA=' },
  Hollow: { 3: 'CgA=' },
};

function advertiser(name: string, company: number, country: string): object {
  return { 1: { 1: name, 2: advertiserIdOf(company, 0), 3: country, 5: true } };
}

function domain(name: string): object {
  return { 2: { 1: name } };
}

/**
 * Starts a stand-in of the interface behind the Ads Transparency Center. Its requests and replies have the recorded or
 * published form; all data in them is synthetic.
 *
 * `acme.com` has a page of ads, `big.com` 230 of "8000 to 9000" (the second of its two pages starts with the last ad of the
 * first), `solo.com` three. `quiet.com` returns a total of 0, every other domain an empty object: it is unknown which of the
 * two the service returns. Another difference: it blocks no caller unless a test requires it, and a domain has to match
 * exactly.
 */
export async function openTransparencyStandIn(): Promise<TransparencyStandIn> {
  let override: Override | null = null;
  const server = await openStandInServer((call) => {
    const refusal = whyRefused(call);
    if (refusal !== null) return { status: 400, json: { refused: refusal } };
    const { method, fReq } = readAsked(call);
    return { status: 200, json: override?.(fReq, method) ?? answer(method, fReq) };
  });
  return {
    ...server,
    asked: () => server.calls.map(readAsked),
    override: (next) => {
      override = next;
    },
  };
}

function readAsked({ path, bodyText }: SeenCall) {
  const text = new URLSearchParams(bodyText).get('f.req') ?? '';
  return { method: path.slice('/anji/_/rpc/'.length), fReq: JSON.parse(text) as Record<string, unknown> };
}

const home = 'https://adstransparency.google.com';
const headersAsked: Readonly<Record<string, RegExp>> = {
  'content-type': /^application\/x-www-form-urlencoded\b/,
  origin: new RegExp(`^${home}$`),
  referer: new RegExp(`^${home}/$`),
  'x-same-domain': /^1$/,
  'user-agent': /^Nightshift\/[\w.-]+ \(\+\S+\)$/,
};

/** Reason why a request is invalid; null if it is valid. */
function whyRefused({ method, path, query, headers, bodyText }: SeenCall): string | null {
  if (method !== 'POST' || !path.startsWith('/anji/_/rpc/')) return `${method} ${path}`;
  if (!['', '0'].includes(query.get('authuser') ?? '-') || query.size !== 1) return 'query';
  const odd = Object.entries(headersAsked).find(([name, form]) => !form.test(String(headers[name])));
  if (odd !== undefined) return `header ${odd[0]}: ${String(headers[odd[0]])}`;
  if (headers.cookie !== undefined || headers.authorization !== undefined) return 'credentials';
  const form = new URLSearchParams(bodyText);
  const text = form.get('f.req') ?? '';
  const asked: unknown = JSON.parse(text);
  const isCompact = form.size === 1 && JSON.stringify(asked) === text;
  return isCompact && keyPaths(asked).every((path) => /^[\d.]+$/.test(path)) ? null : `body ${bodyText}`;
}

function answer(method: string, fReq: Record<string, unknown>): unknown {
  if (method === 'SearchService/SearchCreatives') return searchCreatives(fReq);
  if (method === 'LookupService/GetCreativeById') return getCreative(fReq);
  if (method !== 'SearchService/SearchSuggestions') return badRequest;
  return typeof fReq['1'] === 'string' ? (suggestions[fReq['1']] ?? {}) : badRequest;
}

/** Error of the service, with status 200. */
export const badRequest = { 2: 'com.google.ads.integrity.BadRequestException: f.req', 5: 400, 9: 3 };

/** One creative: four equal pictures and a script, as in a recorded reply, and the last day in each region. */
function getCreative(fReq: Record<string, unknown>): unknown {
  const { 1: advertiserId, 2: creativeId, 5: asked, ...rest } = fReq;
  if (JSON.stringify([rest, asked]) !== JSON.stringify([{}, { 1: 1, 2: 0, 3: 2840 }])) return badRequest;
  const found = known.find((each) => each.advertiserId === advertiserId && each.row['2'] === creativeId);
  if (found === undefined) return {};
  const { 4: format, 12: name } = found.row;
  const source = `https://tpc.googlesyndication.com/archive/simgad/${String(creativeId).slice(-16)}`;
  const picture = { 3: { 2: `<img src="${source}" height="493" width="348">` }, 5: true };
  const script = {
    1: { 4: `https://displayads-formats.googleusercontent.com/ads/preview/content.js?sig=S` },
  };
  return {
    1: {
      1: advertiserId,
      2: creativeId,
      4: { 1: '1782991069', 2: 588_453_000 },
      5: [picture, picture, picture, picture, script],
      8: format,
      17: found.shownIn.map((target) => ({ 1: target, 5: 20_260_702 })),
      22: { 1: name },
    },
  };
}

interface Filter {
  readonly 8?: readonly number[];
  readonly 12?: { readonly 1: string };
  readonly 13?: { readonly 1: readonly string[] };
}

function searchCreatives(fReq: Record<string, unknown>): unknown {
  if (fReq['7'] === undefined) return {};
  const { 8: regions, 12: site, 13: advertisers } = fReq['3'] as Filter;
  if (regions !== undefined && !Array.isArray(regions)) return badRequest;
  const domain = site?.[1] ?? '';
  if (domain === 'quiet.com') return { 4: '0', 5: '0' };
  const found = known
    .filter((each) => (domain === '' ? advertisers?.[1].includes(each.advertiserId) : each.domain === domain))
    .filter((each) => regions === undefined || each.shownIn.some((target) => regions.includes(target)));
  if (found.length === 0) return regions === undefined ? {} : { 1: [] };
  return pageOf(found, Number(fReq['2']), fReq['4'], domain);
}

function pageOf(found: readonly StandInCreative[], size: number, token: unknown, domain: string): unknown {
  const from =
    token === undefined
      ? 0
      : Number(
          Buffer.from(token as string, 'base64')
            .toString()
            .slice(2),
        );
  const rows = found
    .slice(from, from + size)
    .map(({ row }) => (domain === '' ? row : { ...row, 14: domain }));
  const [low, high] = found.length > 100 ? ['8000', '9000'] : [String(found.length), String(found.length)];
  const next = { 2: Buffer.from(`at${from + size - 1}`).toString('base64') };
  return { 1: rows, ...(from + size < found.length ? next : {}), 4: low, 5: high };
}
