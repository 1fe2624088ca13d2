import type { JsonPath } from './json-path.ts';
import type { KnownPaths } from './known-keys.ts';
import type { AdMap, SourceMap, SuggestionsMap } from './map-shape.ts';

/** Paths of a reply with ads. The ads themselves may be missing if another value states that there are none. */
export function replyPaths(map: SourceMap, mayLackAds: boolean): KnownPaths {
  const { ads, next_page: nextPage, total, none, other_keys: others } = map.reply;
  const conditions = none.flat().map(({ path }) => path);
  return {
    known: [...[ads, nextPage, total].filter(isGiven), ...conditions, ...statusPaths(map), ...others],
    usual: [mayLackAds ? ads : undefined, nextPage, total].filter(isGiven),
  };
}

/** Paths of a row. */
export function adPaths(ad: AdMap): KnownPaths {
  const paths = {
    advertiser_id: [ad.advertiser_id],
    creative_id: [ad.creative_id],
    advertiser_name: [ad.advertiser_name],
    format: [ad.format],
    link: [ad.link],
    start: [ad.start?.path],
    last_seen: [ad.last_seen?.path],
    image: imagePaths(ad.image),
  };
  return {
    known: [...Object.values(paths).flat().filter(isGiven), ...ad.other_keys],
    usual: ad.usual.flatMap((field) => paths[field]).filter(isGiven),
  };
}

/** Paths of a reply with suggestions for a name. */
export function suggestionsPaths(map: SourceMap, suggestions: SuggestionsMap): KnownPaths {
  const { advertisers, domains, other_keys: others } = suggestions;
  const usual = [domains?.path].filter(isGiven);
  return { known: [advertisers.path, ...usual, ...statusPaths(map), ...others], usual };
}

/** Paths at which every reply states its status. */
function statusPaths({ errors, must }: SourceMap): readonly JsonPath[] {
  return [...errors.map(({ when }) => when), ...must].map(({ path }) => path);
}

function imagePaths(image: AdMap['image']): readonly (JsonPath | undefined)[] {
  if (image === undefined) return [];
  return 'tag' in image ? [image.tag] : [image.url, image.height, image.width];
}

function isGiven(path: JsonPath | undefined): path is JsonPath {
  return path !== undefined;
}
