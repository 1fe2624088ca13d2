import type { OpenOptions } from '../definition/source-definition.ts';

/** Everything in which the declarations of maps are alike. */
export const mapDefaults = {
  platform: 'any',
  limits: { kind: 'adjustable', requestsPerSecond: 1, burst: 2, deadlineSeconds: 60 },
  checkedBy: 'its map',
} as const;

/** Names under which messages refer to a map. */
export interface MapNames {
  readonly source: string;
  /** The setting that names the file. */
  readonly setting: string;
  readonly keySetting: string;
}

/** The parts of a declaration that read the map, which is loaded on demand. */
export function partsOf(file: string, { source, setting, keySetting }: MapNames) {
  const read = async () => {
    const { readSourceMap } = await import('./read-map.ts');
    return readSourceMap(file, setting);
  };
  return {
    readUnit: async () => (await read()).price.unit,
    readBaseUrl: async () => (await read()).base_url,
    validateRegion: async (region: string | null) => {
      const { validateRegionPlaces } = await import('./regions.ts');
      validateRegionPlaces(region, { map: await read(), source, file, setting });
    },
    open: async (key: string | null, { limits: own, http }: Pick<OpenOptions, 'limits' | 'http'>) => {
      const { createMappedSource } = await import('./source.ts');
      return createMappedSource({ http, limits: own, key, map: await read(), name: source, keySetting });
    },
  };
}
