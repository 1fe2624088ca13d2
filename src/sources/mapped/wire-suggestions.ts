import { z } from 'zod';
import type { Suggestions } from '../../core/sources/choose-advertisers.ts';
import { qualifiedId } from '../../core/companies/platform-id.ts';
import { id, readValue, text } from '../replies/wire-fields.ts';
import { readBody } from './body.ts';
import { valueAt } from './json-path.ts';
import { rejectRenamedPaths } from './known-keys.ts';
import { suggestionsPaths } from './map-paths.ts';
import type { SourceMap, SuggestionsMap } from './map-shape.ts';
import { pick } from './fields/where.ts';

/**
 * Parses the candidates for a name. The list of advertisers must be present, even if it is empty; a list of domains may be
 * missing.
 *
 * @throws SourceUnreadable that names the path of the first invalid field.
 */
export function readSuggestions(reply: string, map: SourceMap, suggestions: SuggestionsMap): Suggestions {
  const { advertisers, domains } = suggestions;
  const value = readBody(reply, map);
  rejectRenamedPaths(map.label, [value], suggestionsPaths(map, suggestions));
  const read = readValue(map.label, suggestionsShape(suggestions), {
    advertisers: valueAt(value, advertisers.path),
    domains: domains === undefined ? [] : valueAt(value, domains.path),
  });
  const qualified = read.advertisers.map((each) => ({ ...each, id: qualifiedId(map.platform, each.id) }));
  return { ...read, advertisers: qualified };
}

function suggestionsShape({ advertisers, domains }: SuggestionsMap) {
  const advertiser = z
    .looseObject({})
    .transform((row) => ({
      id: pick(row, advertisers.id),
      name: pick(row, advertisers.name),
      country: advertisers.country === undefined ? null : pick(row, advertisers.country),
    }))
    .pipe(z.object({ id, name: text, country: text.nullable() }));
  const domain = z
    .unknown()
    .transform((row) => (domains === undefined ? null : valueAt(row, domains.domain)))
    .pipe(text);
  return z.object({
    advertisers: z.array(advertiser).transform(distinctById),
    domains: z
      .array(domain)
      .nullish()
      .transform((all) => all ?? []),
  });
}

/** The first with each id: a search among ads names an advertiser with every ad. */
function distinctById<T extends { readonly id: string }>(advertisers: readonly T[]): readonly T[] {
  return [...new Map(advertisers.toReversed().map((each) => [each.id, each])).values()].toReversed();
}
