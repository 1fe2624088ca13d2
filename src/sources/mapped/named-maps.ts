import { defineLiveSource, type LiveSourceDefinition } from '../definition/source-definition.ts';
import { mapsSetting, type NamedMap } from '../definition/named-map.ts';
import { mapDefaults, partsOf } from './map-parts.ts';

/** Declares the source of a named map. It is turned on by being listed. */
export function defineMapSource({ name, file }: NamedMap): LiveSourceDefinition {
  const keySetting = `NIGHTSHIFT_${name.toUpperCase()}_KEY` as const;
  const parts = partsOf(file, { source: name, setting: mapsSetting, keySetting });
  return defineLiveSource({
    id: name,
    label: `the API of ${name}`,
    about: `the API that ${file} describes`,
    ...mapDefaults,
    settings: {
      key: {
        kind: 'secret',
        name: keySetting,
        what: `The key for the source map ${name}, which replaces {secret} in its file.`,
      },
    },
    howToTurnOn: mapsSetting,
    price: { kind: 'configured', readUnit: parts.readUnit },
    regions: { validate: parts.validateRegion },
    baseUrl: { place: `base_url in ${file}, which ${mapsSetting} lists`, read: parts.readBaseUrl },
    open: ({ settings: { key }, ...options }) => parts.open(key, options),
  });
}
