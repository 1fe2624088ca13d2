import { once } from '../core/async/once.ts';
import { Misconfigured, ValidationError } from '../core/errors.ts';
import { anySearch, type SearchOptions } from '../core/ads/ads-answer.ts';
import type { AdSource } from '../core/sources/ad-source.ts';
import type { SnapshotName, SnapshotStore } from '../core/sources/snapshot-store.ts';
import {
  howToTurnOn,
  type LiveSourceDefinition,
  type LocalSourceDefinition,
} from '../sources/definition/source-definition.ts';
import { findSource, liveSources, sourceIds } from '../sources/registry.ts';
import { createSnapshotSource } from '../sources/snapshot/source.ts';
import {
  configuredSources,
  createLiveSources,
  readUnit,
  type AccessById,
  type LiveSourcesOptions,
} from './live-sources.ts';

/** The ad sources by name: which there are for a list, and the adapters behind the names. */
export interface SourceRegistry {
  /**
   * The names to use when none are given: the configured ones, else the snapshot once one is loaded and the default live sources that
   * are turned on. Never `sample`: a real list is never answered from generated ads.
   *
   * @throws Misconfigured with the ways to get a source when there is none.
   */
  defaultNames(): Promise<readonly string[]>;
  /**
   * @throws ValidationError naming one that there is not, or that cannot search as it is asked to.
   * @throws Misconfigured when what says how it can search cannot be read.
   */
  check(names: readonly string[], search?: SearchOptions): Promise<void>;
  /** Loads what the configured sources answer from and comes along, so that no request has to wait for it. */
  prepare(): Promise<void>;
  /** The bundled sample is loaded when it is named first. @throws Misconfigured when one of them is not loaded or not configured. */
  named(names: readonly string[]): Promise<readonly AdSource[]>;
  /**
   * Unit of a source's price, where its configuration has it; else null.
   *
   * @throws Misconfigured when the configuration cannot be parsed.
   */
  unitOf(source: LiveSourceDefinition): Promise<string | null>;
}

export interface SourceRegistryOptions extends LiveSourcesOptions {
  readonly snapshots: SnapshotStore;
  readonly configured: readonly string[] | null;
  /** The bundled export that the source `sample` answers from. Absent where nothing may be changed. */
  readonly sample?: { readonly file: string; readonly onLoad: () => void };
}

/** Builds adapters from the configuration. */
export function createSourceRegistry(options: SourceRegistryOptions): SourceRegistry {
  const { snapshots, configured, access } = options;
  const live = createLiveSources(options);
  const { sample } = options;
  const loadSample = sample === undefined ? null : once(() => importSample(snapshots, sample));

  // A data set that is loaded keeps its id, whatever is loaded into it later: asked for until it is there, and never again.
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
    if (names.length === 0) throw new Misconfigured(waysToGetASource(configuredSources(access)));
    return names;
  }

  async function sourceNamed(name: string): Promise<AdSource> {
    const source = findSource(name);
    if (source === undefined) throw new Misconfigured(`"${name}" is no source any more.`);
    return source.kind === 'local' ? snapshotSource(source) : live.get(source);
  }

  async function snapshotSource({ id: name, howToLoad }: LocalSourceDefinition): Promise<AdSource> {
    if (name === 'sample' && (await findLoaded(name)) === null) await loadSample?.();
    const snapshotId = await findLoaded(name);
    if (snapshotId === null) throw new Misconfigured(`The source ${name} has no ads yet: ${howToLoad}`);
    return createSnapshotSource({ store: snapshots, name, snapshotId });
  }

  return {
    check: async (names, { region } = anySearch) => {
      rejectUnknown(names);
      if (region !== null) await validateRegion(names, region, access);
    },
    defaultNames,
    prepare: async () => {
      if (configured?.includes('sample') === true) await sourceNamed('sample');
    },
    named: (names) => Promise.all(names.map(sourceNamed)),
    unitOf: (source) => readUnit(source, access),
  };
}

/** Loaded with its first use: most processes import nothing. */
async function importSample(
  store: SnapshotStore,
  { file, onLoad }: NonNullable<SourceRegistryOptions['sample']>,
): Promise<void> {
  onLoad();
  const { importSnapshot } = await import('../sources/snapshot/import.ts');
  await importSnapshot({ store, name: 'sample', files: [file] });
}

function rejectUnknown(names: readonly string[]): void {
  const unknown = names.find((name) => findSource(name) === undefined);
  if (unknown === undefined && names.length > 0) return;
  throw new ValidationError(`source: "${unknown ?? ''}" is no source. There are: ${sourceIds.join(', ')}.`);
}

/**
 * Rejects sources that cannot search the ads shown in one country: a list would wait for them for ever, or get ads of anywhere.
 *
 * @throws ValidationError naming the source, and what to do.
 * @throws Misconfigured when the configuration of a source cannot be read.
 */
async function validateRegion(names: readonly string[], region: string, access: AccessById): Promise<void> {
  const regional = liveSources.filter(({ regions }) => regions !== undefined);
  const without = names.find((name) => !regional.some(({ id }) => id === name));
  if (without !== undefined)
    throw new ValidationError(
      `region: the source ${without} does not know in which regions ads are shown. Leave the region out, or name other sources: ` +
        `${regional.map(({ id }) => id).join(', ')}.`,
    );
  for (const { id, regions } of regional) {
    if (!names.includes(id) || regions === undefined || regions === 'all') continue;
    await regions.validate(region, access.get(id)?.settings ?? null);
  }
}

function waysToGetASource(configured: readonly LiveSourceDefinition[]): string {
  if (configured.length > 0)
    return `No ad source is named, so nothing can be looked up: ${howToName(configured)}.`;
  const defaults = liveSources.filter(({ isDefault = false }) => isDefault);
  return `There is no ad source yet, so nothing can be looked up. Ways to get one:
  - load an export of Google's public dataset:   nightshift snapshot load FILE…
${defaults.map((source) => `  - use ${source.about}:\n      set ${howToTurnOn(source)}`).join('\n')}
  - use a vendor or Google itself: nightshift sources lists them with what each lacks, and
      docs/guides/ad-sources.md has their prices. Then name them in NIGHTSHIFT_SOURCES
  - try it with the bundled, generated sample ads:  add --source sample`;
}

/** Remedy for sources that are turned on and never called, because no setting names them. */
export function howToName(configured: readonly LiveSourceDefinition[]): string {
  const ids = configured.map(({ id }) => id);
  const names = ids.join(',');
  const are = ids.length === 1 ? 'is' : 'are';
  return `${ids.join(' and ')} ${are} set up but not named: add --source ${names} or set NIGHTSHIFT_SOURCES=${names}`;
}
