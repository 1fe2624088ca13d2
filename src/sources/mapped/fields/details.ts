import { z } from 'zod';
import { noDetails, type AdDetails, type AdRegion } from '../../../core/ads/ad-details.ts';
import { previewUrlOf } from '../../../core/ads/preview-url.ts';
import { text, webAddress } from '../../replies/wire-fields.ts';
import { valueAt } from '../json-path.ts';
import type { DetailsMap, RegionsMap } from '../map-ad.ts';
import { pick, type Where } from './where.ts';
import { dateShape, pickDate } from './dates.ts';
import { blankAsNull } from './texts.ts';

/** Picks what a row says beside the content; null if the map names nothing. */
export function pickDetails(row: object, map: DetailsMap | undefined): unknown {
  if (map === undefined) return null;
  const at = (from: Where | undefined) => (from === undefined ? null : pick(row, from));
  return {
    days_shown: at(map.days_shown),
    target_domain: at(map.target_domain),
    preview_url: at(map.preview_url),
    topic: at(map.topic),
    payer: at(map.payer),
    legal_name: at(map.advertiser?.legal_name),
    location: at(map.advertiser?.location),
    verification: at(map.advertiser?.verification),
    regions: map.regions === undefined ? null : valueAt(row, map.regions.path),
  };
}

const field = <T>(shape: z.ZodType<T>): z.ZodType<T | null> =>
  z.preprocess(blankAsNull, shape.nullish()).transform((value) => value ?? null);

/** A number, or a text of digits. */
const count = z.union([
  z.int().min(0),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
]);

/** Maximum of a Postgres `integer`. */
const daysMax = 2_147_483_647;

/** A state of verification; a vendor may say only yes or no. */
const verification = z.union([
  z.boolean().transform((is) => (is ? 'VERIFIED' : 'UNVERIFIED')),
  text.transform((word) => word.toUpperCase()),
]);

/** Shape of the details of a row, on a day: null if it has none. */
export function detailsShape(map: DetailsMap | undefined, today: string): z.ZodType<AdDetails | null> {
  return z
    .object({
      days_shown: field(count.pipe(z.int().max(daysMax))),
      target_domain: field(text),
      preview_url: field(webAddress),
      topic: field(text),
      payer: field(text),
      legal_name: field(text),
      location: field(text),
      verification: field(verification),
      regions: regionsShape(map?.regions, today),
    })
    .nullable()
    .transform((read) => (read === null ? null : toDetails(read)));
}

interface ReadDetails {
  readonly days_shown: number | null;
  readonly target_domain: string | null;
  readonly preview_url: string | null;
  readonly topic: string | null;
  readonly payer: string | null;
  readonly legal_name: string | null;
  readonly location: string | null;
  readonly verification: string | null;
  readonly regions: readonly AdRegion[];
}

function toDetails(read: ReadDetails): AdDetails | null {
  const { legal_name: legalName, location, verification: state, regions, ...fields } = read;
  const isKnown = [legalName, location, state].some((value) => value !== null);
  if (!isKnown && regions.length === 0 && Object.values(fields).every((value) => value === null)) return null;
  return {
    ...noDetails,
    daysShown: fields.days_shown,
    targetDomain: fields.target_domain,
    previewUrl: previewUrlOf(fields.preview_url),
    topic: fields.topic,
    payer: fields.payer,
    regions,
    advertiser: isKnown ? { legalName, location, verification: state } : null,
  };
}

function regionsShape(map: RegionsMap | undefined, today: string): z.ZodType<readonly AdRegion[]> {
  const region = z
    .looseObject({})
    .transform((row) => pickRegion(row, map))
    .pipe(
      z.object({
        region: field(text),
        first: field(dateShape(map?.first_shown, today)),
        last: field(dateShape(map?.last_shown, today)),
        lower: field(count),
        upper: field(count),
      }),
    )
    .transform(toRegions);
  return z
    .array(region)
    .nullish()
    .transform((regions) => regions?.flat() ?? []);
}

interface ReadRegion {
  readonly region: string | null;
  readonly first: string | null;
  readonly last: string | null;
  readonly lower: number | null;
  readonly upper: number | null;
}

/** A country or the EEA. Another text, such as `Unknown`, is no region. */
const regionCode = /^([A-Z]{2}|EEA)$/;

function toRegions({ region, first, last, lower, upper }: ReadRegion): readonly AdRegion[] {
  if (region === null || !regionCode.test(region)) return [];
  const isCounted = lower !== null || upper !== null;
  return [
    {
      region,
      firstShown: first,
      lastShown: last,
      timesShown: isCounted ? { lower, upper, availableOn: null } : null,
      timesShownFrom: null,
      timesShownTo: null,
      surfaces: [],
    },
  ];
}

function pickRegion(row: object, map: RegionsMap | undefined) {
  const at = (from: Where | undefined) => (from === undefined ? null : pick(row, from));
  return {
    region: at(map?.region),
    first: pickDate(row, map?.first_shown),
    last: pickDate(row, map?.last_shown),
    lower: at(map?.times_shown?.lower),
    upper: at(map?.times_shown?.upper),
  };
}
