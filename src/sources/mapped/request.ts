import type { HttpRequest } from '../../adapters/http/http.ts';
import type { RequestMap } from './map-shape.ts';
import { fill, fillJson, fillRecord, placeholdersIn, textsIn, type PlaceholderValues } from './templates.ts';

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
      ...(map.json === undefined ? {} : { json: fillJson(map.json, values) }),
    },
  };
}

/** Placeholders of a request, without duplicates; including unknown ones. */
export function placeholdersOf({ path, query, headers, json }: RequestMap): readonly string[] {
  const templates = [path, ...Object.values(query), ...Object.values(headers), ...textsIn(json)];
  return [...new Set(templates.flatMap(placeholdersIn))];
}
