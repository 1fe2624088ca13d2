import { randomAt } from './random.ts';

/** The synthetic companies of a benchmark, and the number of ads of each. */
export interface Fixture {
  readonly seed: number;
  /** Distinct company names. */
  readonly companies: number;
  /** Number of ads of each; 0 if no advertiser has the name. */
  readonly adsOf: Int32Array;
  /** Total number of ads, including those of advertisers without a lookup. */
  readonly creatives: number;
  /** Average number of ads per advertiser. */
  readonly adsMean: number;
}

export interface FixtureOptions {
  readonly seed: number;
  readonly companies: number;
  readonly creatives: number;
  /** Average number of ads of a company that advertises. Default 50. */
  readonly adsMean?: number;
}

const foundShare = 0.7;
const adsMeanDefault = 50;
const adsOfLargest = 5000;

/** About 70 % of the companies advertise, with 1 to 99 ads each for a mean of 50; the first of them has 5,000. */
export function createFixture({
  seed,
  companies,
  creatives,
  adsMean = adsMeanDefault,
}: FixtureOptions): Fixture {
  const adsOf = Int32Array.from({ length: companies }, (_, i) => adsAt(seed, i, adsMean));
  const largest = adsOf.findIndex((ads) => ads > 0);
  if (largest !== -1) adsOf[largest] = adsOfLargest;
  const asked = adsOf.reduce((sum, ads) => sum + ads, 0);
  if (asked > creatives)
    throw new Error(
      `${companies} companies run ${asked} ads: more than --creatives ${creatives}. Raise that one.`,
    );
  return { seed, companies, adsOf, creatives, adsMean };
}

function adsAt(seed: number, index: number, adsMean: number): number {
  if (randomAt(seed, index) >= foundShare) return 0;
  return 1 + Math.floor(randomAt(seed + 1, index) * (2 * adsMean - 1));
}

/** Advertiser of each ad: the companies by their index, then advertisers without a lookup. */
export function ownersOf({ adsOf, companies, creatives, seed, adsMean }: Fixture): Int32Array {
  const owners = new Int32Array(creatives);
  let at = 0;
  adsOf.forEach((ads, company) => {
    owners.fill(company, at, at + ads);
    at += ads;
  });
  for (let stranger = companies; at < creatives; stranger += 1) {
    const ads = 1 + Math.floor(randomAt(seed + 2, stranger) * (2 * adsMean - 1));
    owners.fill(stranger, at, at + ads);
    at += ads;
  }
  return owners;
}
