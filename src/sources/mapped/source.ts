import type { LiveAdSource } from '../../core/sources/ad-source.ts';
import { searchWays } from '../../core/sources/search-ways.ts';
import type { SourceLimits } from '../../core/sources/source-call.ts';
import { Misconfigured } from '../../core/errors.ts';
import type { HttpClient } from '../../adapters/http/http.ts';
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
}

const bodyBytesMax = 10_000_000;

/**
 * The ad source `mapped`: any JSON API that a map describes. It searches in the ways for which the map has a request; a company
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
}: MappedOptions): LiveAdSource {
  const base = parseBaseUrl('mapped', url);
  const secret = secretFor(map, key);
  const secrets = secret === null ? [] : [secret];
  const evaluate = evaluateBy(map, secrets);
  const ownMapping = ownMappingOf(map);
  const bounds = { deadlineMs: limits.deadlineMs, bodyBytesMax };
  const send: Send = (template, values) => {
    const { url: address, request } = fillRequest(base, template, { ...values, secret });
    return (signal) => http.send(address, { ...request, evaluate, secrets }, { ...bounds, signal });
  };
  return {
    kind: 'live',
    name: 'mapped',
    ownMapping,
    bucket: bucketOf('mapped', base, secret ?? ''),
    limits,
    idempotent: false,
    findAds: async (question, executor) => {
      const way = searchWays(question, ownMapping(question.mapping)).find(
        ({ by }) => map.requests[by] !== undefined,
      );
      return way === undefined ? { kind: 'no_match' } : findAds(way, { map, question, executor, send });
    },
  };
}

/** A shorter key may occur in a map by chance. */
const tellingLength = 8;

/** @throws Misconfigured when a request needs a missing key, and when the map itself contains the key. */
function secretFor(map: SourceMap, key: string | null): string | null {
  const { label, requests } = map;
  if (key !== null && key.length >= tellingLength && JSON.stringify(map).includes(key))
    throw new Misconfigured(`The source map of ${label} has the key in it: write {secret} in its place`);
  if (key !== null) return parseKey('mapped', key);
  const templates = [requests.mapping, requests.domain, requests.name];
  const isWanted = templates.some((each) => each !== undefined && placeholdersOf(each).includes('secret'));
  if (!isWanted) return null;
  throw new Misconfigured(`The source map of ${label} requires a key, {secret}: set NIGHTSHIFT_MAPPED_KEY`);
}
