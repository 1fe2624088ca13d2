import type { TrackedAd, TrackedState } from '../../../src/core/changes/tracked-ad.ts';
import type { Sql } from '../../connection/client.ts';
import { readTrackedAds } from './tracked-ads.ts';
import { readTrackedCompanies } from './tracked-companies.ts';

/** Reads the whole state of these companies by key; unknown companies are absent. */
export async function readTrackedStates(
  db: Sql,
  scheduleId: number,
  companyKeys: readonly string[],
): Promise<ReadonlyMap<string, TrackedState>> {
  const companies = await readTrackedCompanies(db, scheduleId, companyKeys);
  const ads = await readTrackedAds(db, scheduleId, [...companies.keys()]);
  return new Map(
    [...companies].map(([key, { company }]) => {
      const own = [...(ads.get(key)?.values() ?? [])].map(({ ad }): readonly [bigint, TrackedAd] => [
        ad.adId,
        ad,
      ]);
      return [key, { company, ads: new Map(own) }];
    }),
  );
}
