import * as tables from '../../../db/schema/index.ts';
import type { AdLifetime } from './ad-lives.ts';
import { scanned, type HistoryTarget, type StoredAd } from './scan-runs.ts';

/** Stores the ads of these lifetimes, with one version each, or two for ads that change. */
export async function storeAds(
  { db, texts }: HistoryTarget,
  lives: readonly AdLifetime[],
): Promise<readonly StoredAd[]> {
  const identities = await db
    .insert(tables.ads)
    .values(
      lives.map(({ company, no }) => ({
        advertiserId: `AR${String(company + 1).padStart(20, '0')}`,
        creativeId: texts('creative', `CR${String(no + 1).padStart(20, '0')}`),
      })),
    )
    .returning({ id: tables.ads.id });
  const versions = await db
    .insert(tables.adVersions)
    .values(lives.flatMap((life, i) => versionsOf(life, identities[i]?.id ?? 0n, texts)))
    .returning({ id: tables.adVersions.id, adId: tables.adVersions.adId });
  await db.insert(tables.adVariants).values(
    versions.map(({ id, adId }) => ({
      versionId: id,
      position: 1,
      content: texts('markup', pictureOf(adId)),
    })),
  );
  return identities.map(({ id }) => ({
    adId: id,
    versions: versions.filter(({ adId }) => adId === id).map((version) => version.id),
  }));
}

function pictureOf(adId: bigint): string {
  return `<img src="https://tpc.googlesyndication.com/archive/simgad/${7_000_000n + adId}" height="209" width="348">`;
}

function versionsOf(life: AdLifetime, adId: bigint, texts: HistoryTarget['texts']) {
  const editions = life.changes === null ? [life.words] : [life.words, `${life.words}, now 20 % off`];
  return editions.map((words, edition) => versionOf(life, { words, edition, adId, texts }));
}

function versionOf(
  { company, no, format }: AdLifetime,
  {
    words,
    edition,
    adId,
    texts,
  }: {
    readonly words: string;
    readonly edition: number;
    readonly adId: bigint;
    readonly texts: HistoryTarget['texts'];
  },
) {
  const [domain, name] = scanned[company] ?? scanned[0];
  const page = `https://adstransparency.google.com/advertiser/AR${company}/creative/CR${no}`;
  return {
    adId,
    hashContent: Buffer.from(`${adId}-${edition}`),
    advertiserName: texts('advertiser', `${name} Retail BV`),
    format: texts('format', format),
    originalUrl: texts('page', page),
    headline: no % 4 === 3 ? null : texts('headline', words),
    description: no % 3 === 0 ? texts('description', 'Free delivery and returns for members.') : null,
    displayUrl: texts('shown address', `${domain}/new`),
    finalUrl: texts('address', `https://www.${domain}/shop?ad=${no}`),
    variantsCount: 1,
  };
}
