import type { HttpRequest } from '../../adapters/http/http.ts';
import type { RequestMap } from './map-shape.ts';
import { fill, fillJson, fillRecord, placeholdersIn, textsIn, type PlaceholderValues } from './templates.ts';

/** A call, ready to be sent. */
export interface FilledRequest {
  /** May hold the key, in its query: never part of a message. */
  readonly url: URL;
  readonly request: HttpRequest;
}

/** The request that a map describes. `base` is the address that its paths follow, without a slash at its end. */
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

/** The placeholders of a request, each once; those that do not exist included. */
export function placeholdersOf({ path, query, headers, json }: RequestMap): readonly string[] {
  const templates = [path, ...Object.values(query), ...Object.values(headers), ...textsIn(json)];
  return [...new Set(templates.flatMap(placeholdersIn))];
}
