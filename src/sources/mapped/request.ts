import type { HttpRequest } from '../../adapters/http/http.ts';
import type { RequestMap } from './map-shape.ts';
import { jsonWithExactNumbers } from './exact-numbers.ts';
import {
  fill,
  fillJson,
  fillRecord,
  placeholdersIn,
  textsIn,
  type PlaceholderValues,
  type WrittenPlaceholder,
} from './templates.ts';

/** A call, ready to be sent. */
export interface FilledRequest {
  /** May contain the key in its query: never part of a message. */
  readonly url: URL;
  readonly request: HttpRequest;
}

/** Builds the request that a map describes. `base` is the URL before its paths, without a slash at its end. */
export function fillRequest(base: string, map: RequestMap, values: PlaceholderValues): FilledRequest {
  const url = new URL(`${base}${fill(map.path, values, encodeURIComponent) ?? map.path}`);
  url.search = new URLSearchParams(fillRecord(map.query, values)).toString();
  return {
    url,
    request: {
      method: map.method,
      headers: { accept: 'application/json', ...fillRecord(map.headers, values) },
      ...bodyOf(map, values),
    },
  };
}

function bodyOf({ json }: RequestMap, values: PlaceholderValues): Pick<HttpRequest, 'json' | 'jsonText'> {
  if (json === undefined) return {};
  const filled = fillJson(json, values);
  const jsonText = jsonWithExactNumbers(filled);
  return jsonText === null ? { json: filled } : { jsonText };
}

/** Names of the placeholders of a request, without duplicates; including unknown ones. */
export function placeholdersOf(map: RequestMap): readonly string[] {
  return [...new Set(writtenIn(map).map(({ name }) => name))];
}

/** Placeholders of a request, as they are written. */
export function writtenIn({ path, query, headers, json }: RequestMap): readonly WrittenPlaceholder[] {
  const templates = [path, ...Object.values(query), ...Object.values(headers), ...textsIn(json)];
  return templates.flatMap(placeholdersIn);
}

/** Names of the placeholders by which a request can be limited to a region. */
export function regionPlacesOf(map: RequestMap): readonly WrittenPlaceholder[] {
  return writtenIn(map).filter(({ name }) => ['region', 'region_number', 'region_list'].includes(name));
}
