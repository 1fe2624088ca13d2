import type { Sql } from '../../../db/connection/client.ts';
import { listPauses } from '../../../db/stores/sources/source-pauses.ts';
import type { SourceChecks } from '../../core/sources/reply-shape.ts';
import type { SourcePrices } from '../../core/sources/source-bill.ts';
import type { SourceState } from '../../core/sources/state/source-state.ts';
import { Misconfigured } from '../../core/errors.ts';
import type { SourceCatalog } from '../../sources/registry.ts';
import type { AccessById } from './live-sources.ts';
import type { SourceRegistry } from './source-registry.ts';

export type { SourceState };

/** Services that the states are read from. */
export interface SourceStatesOptions {
  readonly catalog: SourceCatalog;
  readonly access: AccessById;
  readonly registry: Pick<SourceRegistry, 'defaultNames' | 'findLack'>;
  readonly prices: Pick<SourcePrices, 'list'>;
  readonly checks: Pick<SourceChecks, 'list'>;
}

/** Reads the states of all sources, in the order in which they are listed. @throws DatabaseUnavailable */
export async function readSourceStates(
  db: Sql,
  options: SourceStatesOptions,
): Promise<readonly SourceState[]> {
  const { catalog, access, registry } = options;
  const [defaults, prices, checks, pauses] = await Promise.all([
    defaultNames(registry),
    options.prices.list(),
    options.checks.list(),
    listPauses(db),
  ]);
  return Promise.all(
    catalog.sources.map(async (source) => ({
      id: source.id,
      about: source.about,
      ...(source.kind === 'live' ? traitsOfLive(source) : traitsOfLocal),
      lacks: await registry.findLack(source),
      isDefault: defaults.includes(source.id),
      price: prices.findLast((price) => price.source === source.id) ?? null,
      limits: access.get(source.id)?.limits ?? null,
      pause: pauses.find((pause) => pause.source === source.id) ?? null,
      checkedLive: checks.find((check) => check.source === source.id) ?? null,
    })),
  );
}

/** The default sources; none where lookups without a source are rejected. */
async function defaultNames(registry: Pick<SourceRegistry, 'defaultNames'>): Promise<readonly string[]> {
  try {
    return await registry.defaultNames();
  } catch (error) {
    if (error instanceof Misconfigured) return [];
    throw error;
  }
}

/** Data of this installation is asked without calls. */
const traitsOfLocal = {
  platform: null,
  hasRegions: true,
  charges: false,
  checkedShape: null,
  checkedBy: null,
} as const;

function traitsOfLive({
  platform,
  regions,
  price,
  recordedShapes,
  checkedBy,
}: SourceCatalog['liveSources'][number]) {
  return {
    platform,
    hasRegions: regions !== undefined,
    charges: price !== null,
    checkedShape: recordedShapes !== undefined,
    checkedBy: checkedBy ?? null,
  };
}
