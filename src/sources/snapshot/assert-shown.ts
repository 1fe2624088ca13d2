import type { ShownIn } from '../../core/ads/ads-answer.ts';
import { ValidationError } from '../../core/errors.ts';
import type { Snapshot, SnapshotName } from '../../core/sources/snapshot-store.ts';

/**
 * Asserts that a data set knows where its ads were shown: otherwise a search in a region would find nothing, as if there were no ads. One that is
 * not loaded passes; its source reports that.
 *
 * @throws ValidationError
 */
export function assertShown(
  snapshot: Pick<Snapshot, 'hasRegions' | 'hasSurfaces'> | null,
  name: SnapshotName,
  { region, surface }: ShownIn,
): void {
  if (snapshot === null) return;
  const { hasRegions, hasSurfaces } = snapshot;
  if (region !== null && !hasRegions) throw unknownPlace('region', name);
  if (surface !== null && !hasSurfaces) throw unknownPlace('surface', name);
}

function unknownPlace(option: 'region' | 'surface', name: SnapshotName): ValidationError {
  const what = option === 'region' ? 'regions' : 'surfaces';
  const remedy =
    name === 'sample'
      ? `Omit the ${option}, or choose other sources.`
      : `Load an export with the column region_stats${option === 'surface' ? ', with its surfaces' : ''}, or omit the ${option}.`;
  return new ValidationError(`${option}: the source ${name} does not know the ${what} of its ads. ${remedy}`);
}
