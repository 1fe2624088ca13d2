import { isDay } from '../time/day.ts';
import type {
  AdDetails,
  AdRegion,
  AdSurface,
  AdvertiserDetails,
  Targeting,
  TimesShown,
} from './ad-details.ts';
import { hasContent } from './known-details.ts';
import { previewUrlOf } from './preview-url.ts';

/** `AdDetails` as JSON, in the API and between installations. Every key is present; null or empty where the source does not say. */
export interface AdDetailsJson {
  readonly days_shown: number | null;
  readonly target_domain: string | null;
  readonly preview_url: string | null;
  readonly topic: string | null;
  readonly payer: string | null;
  readonly is_grant_funded: boolean | null;
  readonly targeting: TargetingJson | null;
  readonly regions: RegionJson[];
  readonly advertiser: AdvertiserJson | null;
}

interface TargetingJson {
  readonly demographic_info: string | null;
  readonly geo_location: string | null;
  readonly contextual_signals: string | null;
  readonly customer_lists: string | null;
  readonly topics_of_interest: string | null;
}

interface AdvertiserJson {
  readonly legal_name: string | null;
  readonly location: string | null;
  readonly verification: string | null;
}

interface TimesShownJson {
  readonly times_shown_lower: number | null;
  readonly times_shown_upper: number | null;
  readonly times_shown_available_on: string | null;
}

interface RegionJson extends TimesShownJson {
  readonly region: string;
  readonly first_shown: string | null;
  readonly last_shown: string | null;
  readonly times_shown_from: string | null;
  readonly times_shown_to: string | null;
  readonly surfaces: SurfaceJson[];
}

interface SurfaceJson extends TimesShownJson {
  readonly surface: string;
}

/** Writes details; `parseDetails` reads them back. */
export function toDetailsJson(details: AdDetails): AdDetailsJson {
  const { targeting, advertiser } = details;
  return {
    days_shown: details.daysShown,
    target_domain: details.targetDomain,
    preview_url: details.previewUrl,
    topic: details.topic,
    payer: details.payer,
    is_grant_funded: details.isGrantFunded,
    targeting: targeting && {
      demographic_info: targeting.demographicInfo,
      geo_location: targeting.geoLocation,
      contextual_signals: targeting.contextualSignals,
      customer_lists: targeting.customerLists,
      topics_of_interest: targeting.topicsOfInterest,
    },
    regions: details.regions.map((region) => ({
      region: region.region,
      first_shown: region.firstShown,
      last_shown: region.lastShown,
      ...toTimesShownJson(region.timesShown),
      times_shown_from: region.timesShownFrom,
      times_shown_to: region.timesShownTo,
      surfaces: region.surfaces.map(({ surface, timesShown }) => ({
        surface,
        ...toTimesShownJson(timesShown),
      })),
    })),
    advertiser: advertiser && {
      legal_name: advertiser.legalName,
      location: advertiser.location,
      verification: advertiser.verification,
    },
  };
}

function toTimesShownJson(times: TimesShown | null): TimesShownJson {
  return {
    times_shown_lower: times?.lower ?? null,
    times_shown_upper: times?.upper ?? null,
    times_shown_available_on: times?.availableOn ?? null,
  };
}

/**
 * Parses details that another server wrote; null if nothing in them is known. Details never make an answer unreadable: a field in another
 * form is null, an unknown key is ignored, and a region or a surface without its name is left out. Text is what Postgres can store.
 */
export function parseDetails(value: unknown): AdDetails | null {
  const field = fieldsOf(value);
  const details: AdDetails = {
    daysShown: parseCount(field('days_shown')),
    targetDomain: parseText(field('target_domain')),
    previewUrl: previewUrlOf(parseText(field('preview_url'))),
    topic: parseText(field('topic')),
    payer: parseText(field('payer')),
    isGrantFunded: parseFlag(field('is_grant_funded')),
    targeting: parseTargeting(field('targeting')),
    regions: listOf(field('regions')).flatMap(parseRegion),
    advertiser: parseAdvertiser(field('advertiser')),
  };
  return hasContent(details) ? details : null;
}

function parseTargeting(value: unknown): Targeting | null {
  const field = fieldsOf(value);
  return unlessUnknown({
    demographicInfo: parseText(field('demographic_info')),
    geoLocation: parseText(field('geo_location')),
    contextualSignals: parseText(field('contextual_signals')),
    customerLists: parseText(field('customer_lists')),
    topicsOfInterest: parseText(field('topics_of_interest')),
  });
}

function parseAdvertiser(value: unknown): AdvertiserDetails | null {
  const field = fieldsOf(value);
  return unlessUnknown({
    legalName: parseText(field('legal_name')),
    location: parseText(field('location')),
    verification: parseText(field('verification')),
  });
}

function parseRegion(value: unknown): readonly AdRegion[] {
  const field = fieldsOf(value);
  const region = parseText(field('region'));
  if (region === null) return [];
  return [
    {
      region,
      firstShown: parseDay(field('first_shown')),
      lastShown: parseDay(field('last_shown')),
      timesShown: parseTimesShown(field),
      timesShownFrom: parseDay(field('times_shown_from')),
      timesShownTo: parseDay(field('times_shown_to')),
      surfaces: listOf(field('surfaces')).flatMap(parseSurface),
    },
  ];
}

function parseSurface(value: unknown): readonly AdSurface[] {
  const field = fieldsOf(value);
  const surface = parseText(field('surface'));
  return surface === null ? [] : [{ surface, timesShown: parseTimesShown(field) }];
}

function parseTimesShown(field: (name: string) => unknown): TimesShown | null {
  return unlessUnknown({
    lower: parseCount(field('times_shown_lower')),
    upper: parseCount(field('times_shown_upper')),
    availableOn: parseDay(field('times_shown_available_on')),
  });
}

/** Fields of an object by name; undefined for every name of any other value. */
function fieldsOf(value: unknown): (name: string) => unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const fields = new Map<string, unknown>(isObject ? Object.entries(value) : []);
  return (name) => fields.get(name);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function unlessUnknown<T extends object>(fields: T): T | null {
  return Object.values(fields).every((value) => value === null) ? null : fields;
}

function parseText(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null;
  return value.replaceAll('\0', '\uFFFD').replace(/\p{Surrogate}/gu, '\uFFFD');
}

function parseCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

function parseFlag(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

function parseDay(value: unknown): string | null {
  return typeof value === 'string' && isDay(value) ? value : null;
}
