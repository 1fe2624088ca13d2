import type { UnidentifiedStore } from '../../core/companies/unidentified.ts';
import { platformOf } from '../../core/companies/platform-id.ts';
import { Conflict, Misconfigured } from '../../core/errors.ts';
import type { AdSource } from '../../core/sources/ad-source.ts';
import type { SourceRegistry } from './source-registry.ts';

/** Batch whose mapped companies are looked up again. */
export interface MappedBatch {
  readonly batchId: number;
  readonly publicId: string;
  readonly sources: readonly string[];
}

/** Services that the selection reads. */
export interface SearchedAdvertisersOptions {
  readonly registry: Pick<SourceRegistry, 'named'>;
  readonly unidentified: Pick<UnidentifiedStore, 'listMappedAdvertisers'>;
}

/**
 * Lists the advertisers of the mapped companies of a batch that its sources can search: those of other platforms say nothing to them. All of
 * them when a source is not configured any more.
 *
 * @throws Conflict with the remedy when companies are mapped, but only to advertisers that no source of the batch can search.
 */
export async function listSearchedAdvertisers(
  { registry, unidentified }: SearchedAdvertisersOptions,
  { batchId, publicId, sources }: MappedBatch,
): Promise<readonly string[]> {
  const mapped = await unidentified.listMappedAdvertisers(batchId);
  if (mapped.length === 0) return mapped;
  const adapters = await findAdapters(registry, sources);
  if (adapters === null) return mapped;
  const mapping = mapped.map((advertiserId) => ({ advertiserId, role: 'allow' as const }));
  const searched = new Set(
    adapters.flatMap((adapter) => adapter.ownMapping(mapping).map(({ advertiserId }) => advertiserId)),
  );
  if (searched.size > 0) return [...searched];
  const platforms = [...new Set(mapped.map(platformOf))].sort().join(', ');
  throw new Conflict(
    `The companies of ${publicId} are mapped to advertisers of ${platforms}, and its sources (${sources.join(', ')}) cannot search them. ` +
      `Map the companies to advertisers that these sources know, or load the file again with a source of ${platforms}.`,
  );
}

async function findAdapters(
  registry: Pick<SourceRegistry, 'named'>,
  sources: readonly string[],
): Promise<readonly AdSource[] | null> {
  try {
    return await registry.named(sources);
  } catch (error) {
    if (error instanceof Misconfigured) return null;
    throw error;
  }
}
