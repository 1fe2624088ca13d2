import { basename } from 'node:path';
import type { SourceAccess } from '../config/source-access.ts';
import type { SourceName } from '../config/source-names.ts';
import { ValidationError } from '../core/errors.ts';

/** Sources that can search the ads of one country; `mapped` where its map supports it. */
const regionalSources: readonly SourceName[] = [
  'serpapi',
  'dataforseo',
  'transparency',
  'bigquery',
  'mapped',
];

/**
 * Rejects sources that cannot search by country: a batch would wait for them forever, or get ads of all countries.
 *
 * @throws ValidationError naming the source and the remedy.
 * @throws Misconfigured when the map of `mapped` cannot be read.
 */
export async function rejectPlaceless(
  names: readonly string[],
  region: string,
  { mapped }: SourceAccess,
): Promise<void> {
  const placeless = names.find((name) => !regionalSources.some((regional) => regional === name));
  if (placeless !== undefined)
    throw new ValidationError(
      `region: the source ${placeless} does not support regions. Leave the region out, or use other sources: ` +
        `${regionalSources.join(', ')}.`,
    );
  if (names.includes('bigquery')) {
    const { heldRegion } = await import('../sources/bigquery/held-regions.ts');
    heldRegion(region);
  }
  if (mapped !== null && names.includes('mapped')) await rejectPlacelessMap(mapped.file);
}

async function rejectPlacelessMap(file: string): Promise<void> {
  const { readSourceMap } = await import('../sources/mapped/read-map.ts');
  const { requestsWithoutRegion } = await import('../sources/mapped/regions.ts');
  const without = requestsWithoutRegion(await readSourceMap(file));
  if (without.length === 0) return;
  throw new ValidationError(
    `region: the source mapped does not support regions, because ${without.join(' and ')} of its map ${basename(file)} ` +
      '(NIGHTSHIFT_MAPPED_FILE) has no {region} and no {region_number}. Add one of them to the query or the JSON there, or leave ' +
      'the region out.',
  );
}
