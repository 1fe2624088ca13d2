import { defineLiveSource } from '../definition/source-definition.ts';
import { mapDefaults, partsOf } from './map-parts.ts';

const single = {
  source: 'mapped',
  setting: 'NIGHTSHIFT_MAPPED_FILE',
  keySetting: 'NIGHTSHIFT_MAPPED_KEY',
} as const;

/** The declaration of the source `mapped`. */
export const mapped = defineLiveSource({
  ...mapDefaults,
  id: single.source,
  label: 'that API',
  about: 'any other JSON API, described in a file',
  settings: {
    file: {
      kind: 'text',
      name: single.setting,
      required: true,
      unit: 'file',
      what: 'Describes an API for the source mapped: see examples/sources.',
    },
    key: {
      kind: 'secret',
      name: single.keySetting,
      what: 'The key there, which replaces {secret} in the file.',
    },
  },
  howToTurnOn: 'NIGHTSHIFT_MAPPED_FILE, and NIGHTSHIFT_MAPPED_KEY if the file requires one',
  price: { kind: 'configured', readUnit: ({ file }) => partsOf(file, single).readUnit() },
  regions: {
    validate: async (region, settings) => {
      if (settings !== null) await partsOf(settings.file, single).validateRegion(region);
    },
  },
  baseUrl: {
    place: `base_url in ${single.setting}`,
    read: ({ file }) => partsOf(file, single).readBaseUrl(),
  },
  open: ({ settings: { file, key }, ...options }) => partsOf(file, single).open(key, options),
});
