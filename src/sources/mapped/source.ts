import type { LiveAdSource } from '../../core/sources/ad-source.ts';
import { searchWays } from '../../core/sources/search-ways.ts';
import type { SourceLimits } from '../../core/sources/source-call.ts';
import { Misconfigured } from '../../core/errors.ts';
import type { HttpClient } from '../../adapters/http/http.ts';
import { masked } from '../../adapters/http/vendor-message.ts';
import { bucketOf, parseBaseUrl, parseKey } from '../calls/credentials.ts';
import { findAds, type Send } from './find-ads.ts';
import type { SourceMap } from './map-shape.ts';
import { ownMappingOf } from './own-mapping.ts';
import { fillRequest, placeholdersOf } from './request.ts';
import { evaluateBy } from './errors.ts';

export interface MappedOptions {
  readonly http: Pick<HttpClient, 'send'>;
  /** `readSourceMap` reads it from a file. */
  readonly map: SourceMap;
  /** Base URL in place of the map's. */
  readonly url?: string;
  /** Value of `{secret}` in the map; null: none. A secret. */
  readonly key: string | null;
  readonly limits: SourceLimits;
  /** Id of the source. Default: `mapped`. */
  readonly name?: string;
  /** The setting of the key. */
  readonly keySetting?: string;
  readonly now?: () => Date;
}

const bodyBytesMax = 10_000_000;

/**
 * The ad source of a map: any JSON API that a map describes. It searches in the ways for which the map has a request; a company
 * that none of them fits is `no_match`, without a call. Answers may have up to 10 MB.
 *
 * Units are those of the map's price: a number per call, and a number per ad in its answer.
 *
 * @throws Misconfigured when the base URL or the key cannot be used, or the map needs a key and there is none.
 */
export function createMappedSource({
  map,
  key,
  limits,
  http,
  url = map.base_url,
  name = 'mapped',
  keySetting = 'NIGHTSHIFT_MAPPED_KEY',
  now = () => new Date(),
}: MappedOptions): LiveAdSource {
  const base = parseBaseUrl(name, url);
  const secret = secretFor(map, key, { name, keySetting });
  const secrets = secret === null ? [] : [secret];
  const evaluate = evaluateBy(map, secrets);
  const ownMapping = ownMappingOf(map);
  const bounds = { deadlineMs: limits.deadlineMs, bodyBytesMax };
  const today = () => now().toISOString().slice(0, 10);
  const send: Send = (template, values) => {
    const { url: address, request } = fillRequest(base, template, { ...values, secret, today: today() });
    return async (signal) => {
      const reply = await http.send(address, { ...request, evaluate, secrets }, { ...bounds, signal });
      return { ...reply, text: withoutKey(reply.text, secret) };
    };
  };
  return {
    kind: 'live',
    name,
    ownMapping,
    bucket: bucketOf(name, base, secret ?? ''),
    limits,
    idempotent: false,
    findAds: async (question, executor) => {
      const way = searchWays(question, ownMapping(question.mapping)).find(
        ({ by }) => map.requests[by] !== undefined,
      );
      return way === undefined
        ? { kind: 'no_match' }
        : findAds(way, { name, map, question, executor, send, today: today() });
    },
  };
}

/** A shorter key may occur in a map by chance. */
const tellingLength = 8;

/** Masks a key that the vendor repeats, such as in the links of its pages: replies are stored. */
function withoutKey(reply: string, secret: string | null): string {
  return secret === null || secret.length < tellingLength ? reply : masked(reply, [secret]);
}

/** @throws Misconfigured when a request needs a missing key, and when the map itself contains the key. */
function secretFor(
  map: SourceMap,
  key: string | null,
  { name, keySetting }: { readonly name: string; readonly keySetting: string },
): string | null {
  const { label, requests } = map;
  if (key !== null && key.length >= tellingLength && JSON.stringify(map).includes(key))
    throw new Misconfigured(`The source map of ${label} has the key in it: write {secret} in its place`);
  if (key !== null) return parseKey(name, key, keySetting);
  const templates = [requests.mapping, requests.domain, requests.name];
  const wanted = templates.flatMap((each) => (each === undefined ? [] : placeholdersOf(each)));
  if (!wanted.some((placeholder) => ['secret', 'secret_base64'].includes(placeholder))) return null;
  throw new Misconfigured(`The source map of ${label} requires a key, {secret}: set ${keySetting}`);
}
