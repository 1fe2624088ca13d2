import type { Asked } from './server-info.ts';

/** The sources in the price book of the sources. */
export async function readPricedSources(asked: Asked): Promise<readonly string[]> {
  const { rows } = await asked.query<{ source: string }>(
    'SELECT DISTINCT source FROM nightshift.source_prices WHERE effective_from <= now() ORDER BY source',
  );
  return rows.map(({ source }) => source);
}
