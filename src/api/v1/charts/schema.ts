import { z } from '@hono/zod-openapi';
import {
  chartDaysMax,
  chartDaysUsual,
  type BatchFigures,
  type Charts,
  type DrawnDays,
  type ScheduleFigures,
} from '../../../core/reports/charts.ts';
import type { CompanyAd } from '../../../core/reports/reported-ads.ts';
import { completenesses } from '../../../core/changes/observation.ts';
import { adIdField, toAdId } from '../fields/ad-id.ts';
import { toNamedCompany } from '../fields/named-company.ts';

const count = z.int().min(0);

/** Query parameters of charts: the number of days. */
export const chartsQuery = z.strictObject({
  days: z.coerce
    .number()
    .int()
    .min(1)
    .max(chartDaysMax)
    .default(chartDaysUsual)
    .openapi({
      type: 'integer',
      minimum: 1,
      maximum: chartDaysMax,
      default: chartDaysUsual,
      description: `Length of the window in days, from 1 to ${chartDaysMax}.`,
    }),
});

const company = { company_domain: z.string().nullable(), company_name: z.string().nullable() };

const kept = {
  as_of: z.iso.datetime().openapi({ description: 'Time at which the data was computed.' }),
  is_current: z.boolean().openapi({
    description:
      'False if the data has changed since `as_of`. It is recomputed in the background, less often for larger batches and schedules.',
  }),
  window: z
    .object({ from: z.iso.date(), to: z.iso.date() })
    .nullable()
    .openapi({ description: 'First and last day of the window, in UTC. Null without data.' }),
};

const activity = z.array(
  z.object({
    ...company,
    before: count.nullable().openapi({
      description: 'Number of running ads before the first day. Null if there was no observation yet.',
    }),
    days: z.array(z.object({ day: z.iso.date(), ads_active: count })).openapi({
      description: 'Number of running ads by day. An omitted day has the value of the day before.',
    }),
  }),
);

const formats = z.array(z.object({ format: z.string().nullable(), ads: count })).openapi({
  description:
    'The ten most frequent formats, as the source names them. Null stands for ads without a format.',
});

const longestAd = {
  ...company,
  advertiser_id: z.string().nullable(),
  creative_id: z.string().nullable(),
  advertiser_name: z.string().nullable(),
  format: z.string().nullable(),
  headline: z.string().nullable(),
  original_url: z.string().nullable(),
  start: z.iso.date().nullable(),
  last_seen: z.iso.date().nullable(),
  ad_id: adIdField,
};
const longest = z.array(z.object(longestAd));
const shown = count.nullable();

/** Body of a batch's charts. */
export const batchChartsBody = z
  .object({
    batch: z.string(),
    file_name: z.string(),
    ...kept,
    companies: count.openapi({ description: 'Number of distinct companies.' }),
    outcomes: z
      .object({ found: count, none: count, no_match: count, failed: count, cancelled: count, open: count })
      .openapi({ description: 'Number of companies by outcome.' }),
    ads: z
      .object({
        total: count,
        dated: count.openapi({ description: 'Number of ads with a first and a last day.' }),
      })
      .openapi({ description: 'Number of ads found.' }),
    active_ads: activity.openapi({
      description:
        'Number of running ads of the companies with the most ads. An ad runs from its first day to the day on which it was last seen.',
    }),
    days: z
      .array(z.object({ day: z.iso.date(), begun: count, last_seen: count }))
      .openapi({ description: 'Number of ads that began, and that were last seen, by day.' }),
    formats,
    longest: longest.openapi({ description: 'The ads that ran longest.' }),
    largest_reach: z
      .array(z.object({ ...longestAd, times_shown_lower: shown, times_shown_upper: shown }))
      .openapi({
        description:
          'The ads that were shown most often, where the source counts it. Upper bounds come first.',
      }),
    longest_shown: z.array(z.object({ ...longestAd, days_shown: shown })).openapi({
      description: 'The ads that were really shown on the most days, where the source counts them.',
    }),
    most_ads: z
      .array(
        z.object({ ...company, ads_count: count, source: z.string().nullable(), cut_short: z.boolean() }),
      )
      .openapi({ description: 'The companies with the most ads. `cut_short`: there may be more.' }),
  })
  .openapi('BatchCharts');

export function toBatchCharts(charts: Charts<BatchFigures>): z.infer<typeof batchChartsBody> {
  const { figures } = charts;
  return {
    batch: charts.publicId,
    file_name: charts.name,
    ...toKept(charts),
    companies: figures.companies,
    outcomes: { ...noOutcomes, ...figures.outcomes },
    ads: { total: figures.ads, dated: figures.adsDated },
    active_ads: toActivity(figures),
    days: figures.days.map(({ day, begun, lastSeen }) => ({ day, begun, last_seen: lastSeen })),
    formats: [...figures.formats],
    longest: figures.longest.map(toLongest),
    largest_reach: figures.largestReach.map((each) => ({
      ...toLongest(each),
      times_shown_lower: each.ad.details?.timesShownLower ?? null,
      times_shown_upper: each.ad.details?.timesShownUpper ?? null,
    })),
    longest_shown: figures.longestShown.map((each) => ({
      ...toLongest(each),
      days_shown: each.ad.details?.daysShown ?? null,
    })),
    most_ads: figures.mostAds.map((each) => ({
      ...toNamedCompany(each.company),
      ads_count: each.adsCount,
      source: each.source,
      cut_short: each.isCutShort,
    })),
  };
}

/** Body of a schedule's charts. */
export const scheduleChartsBody = z
  .object({
    schedule: z.string(),
    name: z.string(),
    ...kept,
    companies: count.openapi({ description: 'Number of companies with an answer in any scan.' }),
    completeness: z
      .object({ complete: count, truncated: count, partial: count, unconfirmed_empty: count })
      .openapi({ description: 'Number of companies by the completeness of their last answer.' }),
    ads_active: count.openapi({
      description: 'Number of running ads of all companies after the newest scan.',
    }),
    active_ads: activity.openapi({
      description:
        'Number of running ads of the companies with the most ads, after the last scan of each day.',
    }),
    days: z
      .array(z.object({ day: z.iso.date(), new: count, reactivated: count, changed: count, ended: count }))
      .openapi({ description: 'Number of changes by kind, for days with changes.' }),
    formats: formats.openapi({ description: 'Formats of running ads.' }),
    longest: longest.openapi({ description: 'The running ads that have run longest.' }),
    most_ads: z
      .array(z.object({ ...company, ads_active: count, completeness: z.enum(completenesses) }))
      .openapi({ description: 'The companies with the most running ads.' }),
  })
  .openapi('ScheduleCharts');

export function toScheduleCharts(charts: Charts<ScheduleFigures>): z.infer<typeof scheduleChartsBody> {
  const { figures } = charts;
  return {
    schedule: charts.publicId,
    name: charts.name,
    ...toKept(charts),
    companies: figures.companies.total,
    completeness: { ...noAnswers, ...figures.completeness },
    ads_active: figures.adsActive,
    active_ads: toActivity(figures),
    days: figures.days.map(({ day, new: begun, reactivated, changed, ended }) => ({
      ...{ day, new: begun, reactivated, changed, ended },
    })),
    formats: [...figures.formats],
    longest: figures.longest.map(toLongest),
    most_ads: figures.companies.rows.map((each) => ({
      ...toNamedCompany(each.company),
      ads_active: each.adsActive,
      completeness: each.completeness,
    })),
  };
}

const noOutcomes = { found: 0, none: 0, no_match: 0, failed: 0, cancelled: 0, open: 0 };
const noAnswers = { complete: 0, truncated: 0, partial: 0, unconfirmed_empty: 0 };

function toKept({ asOf, isCurrent, figures }: Charts<DrawnDays>) {
  return { as_of: asOf.toISOString(), is_current: isCurrent, window: figures.window };
}

function toActivity({ activity: companies }: DrawnDays) {
  return companies.map(({ company: named, before, days }) => ({
    ...toNamedCompany(named),
    before,
    days: days.map(({ day, adsActive }) => ({ day, ads_active: adsActive })),
  }));
}

function toLongest({ company: named, ad }: CompanyAd) {
  return {
    ...toNamedCompany(named),
    advertiser_id: ad.advertiserId,
    creative_id: ad.creativeId,
    advertiser_name: ad.advertiserName,
    format: ad.format,
    headline: ad.headline,
    original_url: ad.originalUrl,
    start: ad.start,
    last_seen: ad.lastSeen,
    ad_id: toAdId(ad),
  };
}
