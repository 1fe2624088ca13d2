import type { AdIds } from '../calls/complete-ads.ts';

/** Subject of a search. */
export type Search =
  | { readonly by: 'domain'; readonly domain: string }
  | { readonly by: 'advertisers'; readonly advertiserIds: readonly string[] };

/** A region, and Google's id for it. */
export interface Place {
  /** ISO 3166-1 alpha-2. */
  readonly region: string;
  readonly geoTarget: number;
}

/** Page size of the service's web pages, the only recorded one. */
const creativesPerPage = 40;
const suggestionsMax = 10;

/**
 * Topic (1: any), a number of unknown meaning, and the viewer's geo target. The values are those of recorded requests. Without
 * this part the service returns an empty object (recorded replies).
 */
const asked = { 1: 1, 2: 0, 3: 2840 };

/**
 * Body of `SearchCreatives`, as the text of `f.req`: compact JSON with numeric keys (recorded replies). `place` null: ads shown
 * anywhere. `token`: that of the previous page, null for the first page.
 */
export function creativesRequest(search: Search, place: Place | null, token: string | null): string {
  return JSON.stringify({
    2: creativesPerPage,
    3: { ...(place === null ? {} : { 8: [place.geoTarget] }), ...filterOf(search) },
    ...(token === null ? {} : { 4: token }),
    7: asked,
  });
}

/** Body of `GetCreativeById`: one creative, in any region (recorded replies). */
export function creativeRequest({ advertiserId, creativeId }: AdIds): string {
  return JSON.stringify({ 1: advertiserId, 2: creativeId, 5: asked });
}

/** Body of `SearchSuggestions`: up to ten advertisers and ten domains for a name, in any region (recorded replies). */
export function suggestionsRequest(name: string): string {
  return JSON.stringify({ 1: name, 2: suggestionsMax, 3: suggestionsMax, 5: { 1: 1 } });
}

function filterOf(search: Search) {
  if (search.by === 'domain') return { 12: { 1: search.domain, 2: true } };
  return { 12: { 1: '', 2: true }, 13: { 1: search.advertiserIds } };
}
