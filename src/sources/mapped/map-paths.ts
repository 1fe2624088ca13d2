import type { JsonPath } from './json-path.ts';
import type { KnownPaths } from './known-keys.ts';
import type { AdMap } from './map-ad.ts';
import type { SourceMap, SuggestionsMap } from './map-shape.ts';
import { pathsOf, within, type Where } from './fields/where.ts';

/** Paths of a reply with ads. The ads themselves may be missing if another value states that there are none. */
export function replyPaths(map: SourceMap, mayLackAds: boolean): KnownPaths {
  const { ads, next_page: nextPage, next_page_if: nextPageIf, total, none, other_keys: others } = map.reply;
  const conditions = [...none.flat(), nextPageIf].flatMap((each) => (each === undefined ? [] : [each.path]));
  return {
    known: [...[ads, nextPage, total].filter(isGiven), ...conditions, ...statusPaths(map), ...others],
    usual: [mayLackAds ? ads : undefined, nextPage, nextPageIf?.path, total].filter(isGiven),
  };
}

/** Paths of a row. Details may be missing from rows. */
export function adPaths(ad: AdMap): KnownPaths {
  const paths = {
    advertiser_id: pathsOf(ad.advertiser_id),
    creative_id: pathsOf(ad.creative_id),
    advertiser_name: optional(ad.advertiser_name),
    format: optional(ad.format),
    link: optional(ad.link),
    start: ad.start?.paths ?? [],
    last_seen: ad.last_seen?.paths ?? [],
    image: imagePaths(ad.image),
    text: textPaths(ad.text),
  };
  const details = detailPaths(ad.details);
  const unused = ad.details?.regions;
  return {
    known: [
      ...Object.values(paths).flat(),
      ...details,
      ...(unused?.other_keys.map((key) => within(unused.path, key)) ?? []),
      ...ad.other_keys,
    ],
    usual: [...ad.usual.flatMap((field) => paths[field]), ...details],
  };
}

/** Paths of a reply with suggestions for a name. */
export function suggestionsPaths(map: SourceMap, suggestions: SuggestionsMap): KnownPaths {
  const { advertisers, domains, other_keys: others } = suggestions;
  const usual = [domains?.path].filter(isGiven);
  return { known: [advertisers.path, ...usual, ...statusPaths(map), ...others], usual };
}

function optional(from: Where | undefined): readonly JsonPath[] {
  return from === undefined ? [] : pathsOf(from);
}

function textPaths(text: AdMap['text'] = {}): readonly JsonPath[] {
  return Object.values(text).flatMap(optional);
}

function detailPaths(details: AdMap['details'] = {}): readonly JsonPath[] {
  const { advertiser = {}, regions, ...fields } = details;
  return [...Object.values(fields), ...Object.values(advertiser)]
    .flatMap(optional)
    .concat(regionPaths(regions));
}

function regionPaths(regions: NonNullable<AdMap['details']>['regions']): readonly JsonPath[] {
  if (regions === undefined) return [];
  const { path, region, first_shown: first, last_shown: last, times_shown: times = {} } = regions;
  const inner = [
    ...pathsOf(region),
    ...(first?.paths ?? []),
    ...(last?.paths ?? []),
    ...Object.values(times).flatMap(optional),
  ];
  return [path, ...inner.map((each) => within(path, each))];
}

/** Paths at which every reply states its status. */
function statusPaths({ errors, must }: SourceMap): readonly JsonPath[] {
  return [...errors.map(({ when }) => when), ...must].flatMap((each) =>
    each === undefined ? [] : [each.path],
  );
}

function imagePaths(image: AdMap['image']): readonly JsonPath[] {
  if (image === undefined) return [];
  if ('tag' in image) return [image.tag];
  return [...pathsOf(image.url), ...[image.height, image.width].filter(isGiven)];
}

function isGiven(path: JsonPath | undefined): path is JsonPath {
  return path !== undefined;
}
