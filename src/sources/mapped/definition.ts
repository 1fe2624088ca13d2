import { defineLiveSource } from '../definition/source-definition.ts';

/** The declaration of the source `mapped`. */
export const mapped = defineLiveSource({
  id: 'mapped',
  label: 'that API',
  about: 'any other JSON API, described in a file',
  platform: 'any',
  settings: {
    file: {
      kind: 'text',
      name: 'NIGHTSHIFT_MAPPED_FILE',
      required: true,
      unit: 'file',
      what: 'Describes an API for the source mapped: see examples/sources.',
    },
    key: {
      kind: 'secret',
      name: 'NIGHTSHIFT_MAPPED_KEY',
      what: 'The key there, which replaces {secret} in the file.',
    },
  },
  howToTurnOn: 'NIGHTSHIFT_MAPPED_FILE, and NIGHTSHIFT_MAPPED_KEY if the file requires one',
  limits: { kind: 'adjustable', requestsPerSecond: 1, burst: 2, deadlineSeconds: 60 },
  price: { kind: 'configured', readUnit: async ({ file }) => (await readMap(file)).price.unit },
  checkedBy: 'its map',
  regions: {
    validate: async (_region, settings) => {
      if (settings === null) return;
      const { requireRegionPlaces } = await import('./regions.ts');
      requireRegionPlaces(await readMap(settings.file), settings.file);
    },
  },
  baseUrl: {
    place: 'base_url in NIGHTSHIFT_MAPPED_FILE',
    read: async ({ file }) => (await readMap(file)).base_url,
  },
  open: async ({ settings: { file, key }, limits, http }) => {
    const { createMappedSource } = await import('./source.ts');
    return createMappedSource({ http, limits, key, map: await readMap(file) });
  },
});

async function readMap(file: string) {
  const { readSourceMap } = await import('./read-map.ts');
  return readSourceMap(file);
}
