import { Misconfigured, ValidationError } from '../../core/errors.ts';
import { anySearch, type SearchOptions } from '../../core/ads/ads-answer.ts';
import type { AdSource } from '../../core/sources/ad-source.ts';
import type { SnapshotName, SnapshotStore } from '../../core/sources/snapshot-store.ts';
import {
  howToTurnOn,
  type LiveSourceDefinition,
  type LocalSourceDefinition,
  type SourceDefinition,
} from '../../sources/definition/source-definition.ts';
import { localSources, type SourceCatalog } from '../../sources/registry.ts';
import { assertShown } from '../../sources/snapshot/assert-shown.ts';
import { createSnapshotSource } from '../../sources/snapshot/source.ts';
import { configuredSources, createLiveSources, readUnit, type LiveSourcesOptions } from './live-sources.ts';
import type { SampleDays } from './sample-days.ts';

/** Registry of ad sources: default names, and adapters by name. */
export interface SourceRegistry {
  /**
   * Returns the default sources: the configured ones, else the snapshot if one is loaded and the default live sources that are turned
   * on. Never `sample`: real companies never get generated ads by default.
   *
   * @throws Misconfigured with ways to get a source when there is none.
   */
  defaultNames(): Promise<readonly string[]>;
  /**
   * Checks that the sources exist and support the search.
   *
   * @throws ValidationError naming an unknown source, or one that does not support the search.
   * @throws Misconfigured when the map of a source cannot be read.
   */
  check(names: readonly string[], search?: SearchOptions): Promise<void>;
  /** Loads the bundled data of the configured sources, so that no request has to wait for it. */
  prepare(): Promise<void>;
  /** Returns the adapters; loads the sample of the day on its first use. @throws Misconfigured when a source is not loaded or not configured. */
  named(names: readonly string[]): Promise<readonly AdSource[]>;
  /** Returns what a source lacks, with the remedy; null when lookups can use it. Loads nothing. */
  findLack(source: SourceDefinition): Promise<string | null>;
  /**
   * Returns the unit of a source's price in its configuration; null if it has none.
   *
   * @throws Misconfigured when the configuration cannot be parsed.
   */
  unitOf(source: LiveSourceDefinition): Promise<string | null>;
}

/** Options of the registry. */
export interface SourceRegistryOptions extends LiveSourcesOptions {
  readonly snapshots: SnapshotStore;
  readonly catalog: SourceCatalog;
  readonly configured: readonly string[] | null;
  /** Keeps the source `sample` at the current day. Absent when nothing may be changed. */
  readonly sample?: Pick<SampleDays, 'keepCurrent'>;
}

/** Creates the registry from the configuration. */
export function createSourceRegistry(options: SourceRegistryOptions): SourceRegistry {
  const { snapshots, catalog, configured, access } = options;
  const live = createLiveSources(options);
  const { sample } = options;

  // The id of a loaded data set never changes: it is read until it exists, and then cached.
  const loadedIds = new Map<SnapshotName, number>();
  async function findLoaded(name: SnapshotName): Promise<number | null> {
    const id = loadedIds.get(name) ?? (await snapshots.find(name))?.id ?? null;
    if (id !== null) loadedIds.set(name, id);
    return id;
  }

  async function defaultNames(): Promise<readonly string[]> {
    if (configured !== null) return configured;
    const names = [
      ...((await findLoaded('snapshot')) === null ? [] : ['snapshot']),
      ...configuredSources(access).flatMap(({ id, isDefault = false }) => (isDefault ? [id] : [])),
    ];
    if (names.length === 0) throw new Misconfigured(waysToGetASource(catalog, configuredSources(access)));
    return names;
  }

  async function sourceNamed(name: string): Promise<AdSource> {
    const source = catalog.find(name);
    if (source === undefined) throw new Misconfigured(`Unknown source "${name}": it no longer exists.`);
    return source.kind === 'local' ? snapshotSource(source) : live.get(source);
  }

  async function snapshotSource({ id: name, howToLoad }: LocalSourceDefinition): Promise<AdSource> {
    if (name === 'sample') await sample?.keepCurrent();
    const snapshotId = await findLoaded(name);
    if (snapshotId === null) throw new Misconfigured(`The source ${name} has no ads yet: ${howToLoad}`);
    return createSnapshotSource({ store: snapshots, name, snapshotId });
  }

  async function assertShownIn(names: readonly string[], search: SearchOptions): Promise<void> {
    for (const { id } of localSources) {
      if (!names.includes(id)) continue;
      if (id === 'sample') await sample?.keepCurrent();
      assertShown(await snapshots.find(id), id, search);
    }
  }

  async function findLack({ id }: SourceDefinition): Promise<string | null> {
    if (id === 'sample' && sample !== undefined) return null;
    try {
      await sourceNamed(id);
      return null;
    } catch (error) {
      if (error instanceof Misconfigured) return error.message;
      throw error;
    }
  }

  return {
    check: async (names, search = anySearch) => {
      rejectUnknown(names, catalog);
      const { region, surface } = search;
      if (surface !== null) rejectWithoutSurface(names, surface, catalog);
      if (region !== null) rejectWithoutRegions(names, catalog);
      await validateRegion(names, region, { catalog, access });
      if (surface !== null || region !== null) await assertShownIn(names, search);
    },
    defaultNames,
    findLack,
    prepare: async () => {
      if (configured?.includes('sample') === true) await sourceNamed('sample');
    },
    named: (names) => Promise.all(names.map(sourceNamed)),
    unitOf: (source) => readUnit(source, access),
  };
}

function rejectUnknown(names: readonly string[], catalog: SourceCatalog): void {
  const unknown = names.find((name) => catalog.find(name) === undefined);
  if (unknown === undefined && names.length > 0) return;
  throw new ValidationError(
    `source: unknown source "${unknown ?? ''}". ${catalog.suggestion(unknown ?? '')}`,
  );
}

/**
 * Rejects sources that cannot search by country: a batch would wait for them forever, or get ads of all countries.
 *
 * @throws ValidationError naming the source, and what to do.
 */
function rejectWithoutRegions(names: readonly string[], { liveSources }: SourceCatalog): void {
  const regional = liveSources.filter(({ regions }) => regions !== undefined);
  rejectOthers(names, 'region', [...localSources, ...regional]);
}

/**
 * Lets the sources check the region, or a search without one, which a map can reject.
 *
 * @throws ValidationError naming the source, and what to do.
 * @throws Misconfigured when the configuration of a source cannot be read.
 */
async function validateRegion(
  names: readonly string[],
  region: string | null,
  { catalog, access }: Pick<SourceRegistryOptions, 'catalog' | 'access'>,
): Promise<void> {
  for (const { id, regions } of catalog.liveSources) {
    if (!names.includes(id) || regions === undefined || regions === 'all') continue;
    await regions.validate(region, access.get(id)?.settings ?? null);
  }
}

/** Rejects sources that cannot search by surface. @throws ValidationError naming the source, and what to do. */
function rejectWithoutSurface(
  names: readonly string[],
  surface: string,
  { liveSources }: SourceCatalog,
): void {
  const able = liveSources.filter(({ surfaces = [] }) => surfaces.includes(surface));
  rejectOthers(names, 'surface', [...localSources, ...able]);
}

function rejectOthers(
  names: readonly string[],
  option: 'region' | 'surface',
  able: readonly { readonly id: string }[],
): void {
  const without = names.find((name) => !able.some(({ id }) => id === name));
  if (without === undefined) return;
  throw new ValidationError(
    `${option}: the source ${without} cannot search by ${option}. Omit the ${option}, or choose other sources: ` +
      `${able.map(({ id }) => id).join(', ')}.`,
  );
}

function waysToGetASource(
  { liveSources }: SourceCatalog,
  configured: readonly LiveSourceDefinition[],
): string {
  if (configured.length > 0)
    return `No ad source is selected, so nothing can be looked up: ${howToName(configured)}.`;
  const defaults = liveSources.filter(({ isDefault = false }) => isDefault);
  return `No ad source is configured, so nothing can be looked up. Choose one:
  - load an export of Google's public dataset:   nightshift snapshot load FILE…
${defaults.map((source) => `  - use ${source.about}:\n      set ${howToTurnOn(source)}`).join('\n')}
  - use a vendor or Google itself: nightshift sources lists their settings, and
      docs/guides/ad-sources.md their prices. Add them to NIGHTSHIFT_SOURCES
  - use the bundled, generated sample ads:   add --source sample`;
}

/** Formats the remedy for sources that are configured but not selected. */
export function howToName(configured: readonly LiveSourceDefinition[]): string {
  const ids = configured.map(({ id }) => id);
  const names = ids.join(',');
  const are = ids.length === 1 ? 'is' : 'are';
  return `${ids.join(' and ')} ${are} configured but not selected: add --source ${names} or set NIGHTSHIFT_SOURCES=${names}`;
}
