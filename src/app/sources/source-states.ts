import type { Sql } from '../../../db/connection/client.ts';
import { listPauses } from '../../../db/stores/sources/source-pauses.ts';
import type { LiveCheck, SourceChecks } from '../../core/sources/reply-shape.ts';
import type { SourcePrice, SourcePrices } from '../../core/sources/source-bill.ts';
import type { SourceLimits } from '../../core/sources/source-call.ts';
import type { SourcePause } from '../../core/sources/source-pause.ts';
import { Misconfigured } from '../../core/errors.ts';
import type { SourceDefinition } from '../../sources/definition/source-definition.ts';
import type { SourceCatalog } from '../../sources/registry.ts';
import type { AccessById } from './live-sources.ts';
import type { SourceRegistry } from './source-registry.ts';

/** State of a source: whether lookups can use it, its price and limits, and how its adapter was tested. */
export interface SourceState {
  readonly source: SourceDefinition;
  /** What is missing, with the remedy; null when lookups can use the source. */
  readonly lacks: string | null;
  /** True when lookups that name no source use it. */
  readonly isDefault: boolean;
  /** Current price of a unit; null without one in the price book. */
  readonly price: SourcePrice | null;
  /** Limits of its calls; null for a source that is not called or not configured. */
  readonly limits: SourceLimits | null;
  /** Null: not paused. A pause that has passed lasts until its probe succeeds. */
  readonly pause: SourcePause | null;
  /** True when its adapter is tested against recorded responses; false: none are recorded; null: the source sends no responses. */
  readonly checkedShape: boolean | null;
  /** The last live check; null: never. */
  readonly checkedLive: LiveCheck | null;
}

/** What the states are read from. */
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
      source,
      lacks: await registry.findLack(source),
      isDefault: defaults.includes(source.id),
      price: prices.findLast((price) => price.source === source.id) ?? null,
      limits: access.get(source.id)?.limits ?? null,
      pause: pauses.find((pause) => pause.source === source.id) ?? null,
      checkedShape: source.kind === 'local' ? null : source.recordedShapes !== undefined,
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
