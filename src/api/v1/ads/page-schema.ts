import { z } from '@hono/zod-openapi';
import { toDetailsJson } from '../../../core/ads/ad-details-json.ts';
import { platformOfAd } from '../../../core/companies/platform-id.ts';
import { nextCursor } from '../../http/pages.ts';
import { detailsBody } from './details-schema.ts';
import { parseAdKey, formatAdKey, type AdKey } from '../../../core/ads/ad-key.ts';
import {
  versionFields,
  noSuchAd,
  type AdHistory,
  type AdVersion,
  type AdObservation,
  type VersionField,
} from '../../../core/batches/ad-history.ts';
import type { Variant } from '../../../core/ads/ad.ts';
import { pictureOf } from '../../../reporter/documents/model/picture.ts';

const moment = z.iso.datetime();
const day = z.iso.date().nullable();
const count = z.int().min(0);
const text = z.string().nullable();

export const adId = z.object({
  id: z
    .string()
    .openapi({ param: { name: 'id', in: 'path' }, example: 'ad_WyJBUjE3ODI4MDc0NjUwNTU3MzI5IiwiQ1IxIl0' }),
});

const fieldNames = {
  advertiserName: 'advertiser_name',
  format: 'format',
  headline: 'headline',
  description: 'description',
  displayUrl: 'display_url',
  finalUrl: 'final_url',
  renderings: 'renderings',
} as const satisfies Record<VersionField, string>;

const rendering = z
  .object({
    picture: z.string().nullable().openapi({
      format: 'uri-reference',
      description:
        'URL of the picture on a picture host of Google, or path of a picture of the sample on this server. Null for any other content.',
    }),
    width: z.int().nullable().openapi({ description: 'Width in pixels.' }),
    height: z.int().nullable().openapi({ description: 'Height in pixels.' }),
  })
  .openapi('Rendering', {
    description: 'Picture of the ad, extracted from its markup. The markup itself is not returned.',
  });

const renderingsMax = 50;

const adVersionBody = z
  .object({
    id: z.string().openapi({ description: 'Id of the version; an observation refers to it as `version`.' }),
    changed: z.array(z.enum(versionFields.map((field) => fieldNames[field]))).openapi({
      description: 'Fields that differ from the version before. Empty for the first version.',
    }),
    advertiser_name: text,
    format: text,
    headline: text,
    description: text,
    display_url: text,
    final_url: text,
    original_url: text,
    ad_type: text,
    renderings: z.array(rendering).openapi({ description: `The first ${renderingsMax} renderings.` }),
    start: day.openapi({ description: 'The earliest start day that a source reported for this version.' }),
    last_seen: day.openapi({ description: 'The latest day on which a source saw this version.' }),
    first_observed_at: moment.openapi({ description: 'Time at which a source first reported this version.' }),
    last_observed_at: moment,
    lookups: count.openapi({ description: 'Number of lookups that observed this version.' }),
  })
  .openapi('AdVersion');

export const adPageBody = z
  .object({
    id: z.string(),
    advertiser_id: text,
    creative_id: text,
    advertiser_name: text,
    format: text,
    original_url: text,
    start: day,
    last_seen: day,
    first_observed_at: moment,
    last_observed_at: moment,
    lookups: count,
    sources: z.array(z.string()).openapi({
      description: 'Sources that reported the ad. Ads of `sample` are generated.',
    }),
    versions: z.array(adVersionBody).openapi({
      description: 'Versions of the ad, newest first. Observations with the same content are one version.',
    }),
    platform: z.string().openapi({ description: 'Platform of the ad.', example: 'google' }),
    details: detailsBody.optional().openapi({
      description:
        'What the source said beside the content, as of the newest of the last 100 lookups that found its advertiser. Present only if it said something.',
    }),
  })
  .openapi('AdPage');

const observationBody = z
  .object({
    version: z.string().openapi({ description: 'Id of the observed version.' }),
    batch: text,
    file_name: text.openapi({ description: 'File name of the batch.' }),
    scan: text,
    schedule: text,
    schedule_name: text,
    company_domain: text,
    company_name: text,
    source: text,
    observed_at: moment,
    position: z.int().openapi({ description: 'Position of the ad in the answer, from 1.' }),
    relation: z
      .enum(['own', 'third_party', 'unknown'])
      .openapi({ description: 'Relation of the advertiser to the company.' }),
    confidence: z.number().nullable().openapi({
      description: 'Probability that `relation` is right. Null if your company mapping decided.',
    }),
    relation_reasons: z
      .array(z.string())
      .nullable()
      .openapi({ description: 'Reasons of `relation` (docs/guides/advertisers.md). Null as `confidence`.' }),
    start: day,
    last_seen: day,
  })
  .openapi('Observation');

export const observationListBody = z
  .object({
    observations: z.array(observationBody),
    next: nextCursor,
  })
  .openapi('ObservationList');

/** Parses the id of an ad. @throws NotFound for an invalid id */
export function toAdKey(id: string): AdKey {
  const key = parseAdKey(id);
  if (key === null) throw noSuchAd();
  return key;
}

export function toAdPageBody({ key, versions, details }: AdHistory): z.infer<typeof adPageBody> {
  const [newest] = versions;
  const oldest = versions.at(-1);
  if (newest === undefined || oldest === undefined) throw noSuchAd();
  const days = (values: readonly (string | null)[]) => values.filter((value) => value !== null).sort();
  const last = Math.max(...versions.map(({ lastAt }) => lastAt.getTime()));
  return {
    id: formatAdKey(key),
    advertiser_id: key.kind === 'creative' ? key.advertiserId : null,
    creative_id: key.kind === 'creative' ? key.creativeId : null,
    advertiser_name: newest.ad.advertiserName,
    format: newest.ad.format,
    original_url: newest.ad.originalUrl,
    start: days(versions.map(({ ad }) => ad.start))[0] ?? null,
    last_seen: days(versions.map(({ ad }) => ad.lastSeen)).at(-1) ?? null,
    first_observed_at: oldest.firstAt.toISOString(),
    last_observed_at: new Date(last).toISOString(),
    lookups: versions.reduce((sum, { lookups }) => sum + lookups, 0),
    sources: [...new Set(versions.flatMap(({ sources }) => sources))].sort(),
    versions: versions.map(toVersionBody),
    platform: platformOfAd({ advertiserId: key.kind === 'creative' ? key.advertiserId : null }),
    ...(details === null ? {} : { details: toDetailsJson(details) }),
  };
}

function toVersionBody(version: AdVersion): z.infer<typeof adVersionBody> {
  const { ad } = version;
  return {
    id: version.versionKey,
    changed: version.changed.map((field) => fieldNames[field]),
    advertiser_name: ad.advertiserName,
    format: ad.format,
    headline: ad.text?.headline ?? null,
    description: ad.text?.description ?? null,
    display_url: ad.text?.displayUrl ?? null,
    final_url: ad.text?.finalUrl ?? null,
    original_url: ad.originalUrl,
    ad_type: ad.text?.adType ?? null,
    renderings: ad.variants.slice(0, renderingsMax).map(toRendering),
    start: ad.start,
    last_seen: ad.lastSeen,
    first_observed_at: version.firstAt.toISOString(),
    last_observed_at: version.lastAt.toISOString(),
    lookups: version.lookups,
  };
}

/** Converts a variant. Its size is that of the picture's markup, else that of the source. */
function toRendering({ content, height, width }: Variant): z.infer<typeof rendering> {
  const picture = pictureOf(content);
  return {
    picture: picture?.href ?? null,
    width: picture?.width ?? width,
    height: picture?.height ?? height,
  };
}

export function toObservationBody(observation: AdObservation): z.infer<typeof observationBody> {
  return {
    version: observation.versionKey,
    batch: observation.batch,
    file_name: observation.fileName,
    scan: observation.scan,
    schedule: observation.schedule,
    schedule_name: observation.scheduleName,
    company_domain: observation.companyDomain,
    company_name: observation.companyName,
    source: observation.source,
    observed_at: observation.observedAt.toISOString(),
    position: observation.position,
    relation: observation.relation,
    confidence: observation.confidence,
    relation_reasons: observation.relationReasons === null ? null : [...observation.relationReasons],
    start: observation.start,
    last_seen: observation.lastSeen,
  };
}
