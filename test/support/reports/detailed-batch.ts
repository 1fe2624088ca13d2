import { noDetails } from '../../../src/core/ads/ad-details.ts';
import { toDetailsJson } from '../../../src/core/ads/ad-details-json.ts';
import { uploadBatch, waitForState } from '../api/uploaded-batch.ts';
import type { StandInAd } from '../stand-in/stand-in-ads.ts';
import type { TestApi } from '../api/test-api.ts';

const times = (lower: number, upper: number | null) => ({ lower, upper, availableOn: null });
const region = {
  firstShown: '2026-01-05',
  lastShown: '2026-01-20',
  timesShownFrom: null,
  timesShownTo: null,
};

/** Details of an ad with every field. */
export const fullDetails = toDetailsJson({
  ...noDetails,
  daysShown: 12,
  targetDomain: 'shop.example',
  previewUrl: 'https://preview.example/ad.html',
  topic: 'Health',
  payer: '=Payer SE',
  isGrantFunded: false,
  targeting: {
    demographicInfo: 'CRITERIA_INCLUDED',
    geoLocation: null,
    contextualSignals: null,
    customerLists: 'CRITERIA_UNUSED',
    topicsOfInterest: null,
  },
  regions: [
    {
      ...region,
      region: 'FR',
      timesShown: times(3_000_000_000, 4_000_000_000),
      surfaces: [
        { surface: 'YOUTUBE', timesShown: times(1, 2) },
        { surface: 'MAPS', timesShown: null },
      ],
    },
    { ...region, region: 'DE', timesShown: times(1000, 2000), surfaces: [] },
  ],
  advertiser: { legalName: 'Shop Societas', location: 'DE', verification: 'VERIFIED' },
});

/** Details of an ad of which little is known. */
export const fewDetails = toDetailsJson({ ...noDetails, daysShown: 20 });

/** Adds details to the first two ads. */
export function addDetails(ads: readonly StandInAd[]): readonly StandInAd[] {
  return ads.map((ad, i) => {
    if (i > 1) return ad;
    return { ...ad, variants: i === 0 ? [] : ad.variants, details: i === 0 ? fullDetails : fewDetails };
  });
}

/** Runs a batch of one company on a server with the source `upstream`. Returns its id. */
export async function runDetailedBatch(api: TestApi, key: string): Promise<string> {
  const batch = await uploadBatch(api, key, 'website\nacme.com\n');
  await waitForState(api, key, batch, 'finished');
  return batch;
}
