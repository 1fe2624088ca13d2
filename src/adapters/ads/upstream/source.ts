import { createHash } from 'node:crypto';
import type { AdsAnswer, AdsQuestion, LiveAdSource, SourcePace } from '../../../core/ads/ad-source.ts';
import { Misconfigured } from '../../../core/errors.ts';
import { postJson } from '../../http.ts';
import { parseAnswer, toRequest } from './wire.ts';

/** How to reach a server that speaks the contract, and what it allows. */
export interface UpstreamOptions {
  /** Base address, the part before `/v1`: http or https, without user, query or fragment. */
  readonly url: string;
  /** The API key there, sent as `X-API-Key` (contract §5). A secret. */
  readonly key: string;
  /** The pace that server allows, or null for none. */
  readonly pace: SourcePace | null;
  /** That server honours `Idempotency-Key`: a call cut off in the middle may be sent again under the same key. */
  readonly idempotent: boolean;
  /** Milliseconds for one call, from start to last byte. Default 30,000: our choice, the contract names none. */
  readonly deadlineMs?: number;
}

const bodyBytesMax = 10_000_000;

/**
 * The ad source `upstream`: any server that speaks the contract, Nightshift itself among them.
 *
 * Answers of up to 10 MB are read. What the server charges is kept as `sourceCharge`; it never decides a price of ours.
 *
 * @throws Misconfigured when the URL or the key cannot be used.
 */
export function createUpstreamSource(options: UpstreamOptions): LiveAdSource {
  const base = parseBaseUrl(options.url);
  const key = parseKey(options.key);
  const url = new URL(`${base}/v1/ads/google-ads-search`);
  return {
    kind: 'live',
    name: 'upstream',
    bucket: bucketOf(base, key),
    pace: options.pace,
    idempotent: options.idempotent,
    findAds,
  };

  async function findAds({ company, requestKey }: AdsQuestion, signal: AbortSignal): Promise<AdsAnswer> {
    const body = await postJson(url, {
      headers: { 'x-api-key': key, 'idempotency-key': requestKey },
      body: toRequest(company),
      signal,
      deadlineMs: options.deadlineMs ?? 30_000,
      bodyBytesMax,
    });
    return parseAnswer(body, company.domain === null ? 'name' : 'domain');
  }
}

/** One bucket per server and key, however the address ends; a digest, so that no secret is stored or logged. */
function bucketOf(base: string, key: string): string {
  const digest = createHash('sha256').update(`${base}${key}`).digest('hex');
  return `upstream:${digest.slice(0, 12)}`;
}

function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const usable =
    url !== undefined &&
    ['http:', 'https:'].includes(url.protocol) &&
    url.username + url.password + url.search + url.hash === '';
  if (usable) return url.href.replace(/\/+$/, '');
  // The text itself stays out of the message: a key pasted into the URL would show.
  throw new Misconfigured('The upstream URL must be http(s)://host[:port][/path], nothing before or after');
}

function parseKey(key: string): string {
  // fetch would refuse such a header with a message that quotes it.
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new Misconfigured('The upstream key must be visible ASCII without spaces, and not empty');
}
