import { z } from 'zod';
import { address, baseAddress, seconds, setting, wholeNumber, yesOrNo, type Setting } from './setting.ts';
import { sourceNames } from './source-names.ts';

/** The sources that are asked over the network and have limits of their own, as their settings are named. */
export const limitedSources = ['UPSTREAM', 'SERPAPI', 'DATAFORSEO', 'ADYNTEL', 'MAPPED', 'BIGQUERY'] as const;
export type LimitedSource = (typeof limitedSources)[number];

/** Default limits of a source. */
interface Defaults {
  readonly label: string;
  readonly requestsPerSecond: number;
  readonly burst: number;
  readonly deadlineSeconds: number;
}

interface Described<Value> {
  readonly schema: z.ZodType<Value>;
  readonly about: Omit<Setting, 'name' | 'secret'> & { secret?: boolean };
}

type LimitSettings<Source extends LimitedSource> = Record<
  `NIGHTSHIFT_${Source}_${'REQUESTS_PER_SECOND' | 'BURST' | 'DEADLINE_SECONDS'}`,
  Described<number>
> &
  Record<`NIGHTSHIFT_${Source}_${'CONCURRENCY' | 'CALLS_PER_DAY'}`, Described<number | undefined>>;

/** The limits of one source; the same for all of them, and held by all processes on all hosts together. */
function limitSettings<Source extends LimitedSource>(
  source: Source,
  { label, requestsPerSecond, burst, deadlineSeconds }: Defaults,
): LimitSettings<Source> {
  const named = {
    [`NIGHTSHIFT_${source}_REQUESTS_PER_SECOND`]: setting(
      z.coerce.number().positive().max(10_000).default(requestsPerSecond),
      {
        unit: 'requests/s',
        defaultText: String(requestsPerSecond),
        what: `The pace ${label} allows, held by all processes together.`,
      },
    ),
    [`NIGHTSHIFT_${source}_BURST`]: setting(wholeNumber.default(burst), {
      unit: 'requests',
      defaultText: String(burst),
      what: 'How far above the pace a single second may go.',
    }),
    [`NIGHTSHIFT_${source}_CONCURRENCY`]: setting(wholeNumber.optional(), {
      unit: 'calls',
      defaultText: 'no limit',
      what: `Calls to ${label} in flight at most, of all processes together.`,
    }),
    [`NIGHTSHIFT_${source}_CALLS_PER_DAY`]: setting(wholeNumber.optional(), {
      unit: 'calls',
      defaultText: 'no limit',
      what: `Calls to ${label} a day at most, by UTC; then what needs it waits for the next.`,
    }),
    [`NIGHTSHIFT_${source}_DEADLINE_SECONDS`]: setting(seconds.default(deadlineSeconds), {
      unit: 's',
      defaultText: String(deadlineSeconds),
      what: `How long one call to ${label} may take.`,
    }),
  };
  return named as LimitSettings<Source>;
}

const url = (of: string, vendor: string | null) =>
  setting((vendor === null ? address(['http', 'https']) : baseAddress).optional(), {
    unit: 'URL',
    defaultText: vendor ?? 'none',
    what: `Base address of ${of}.`,
  });
const secretText = (what: string) =>
  setting(z.string().min(1).optional(), { unit: 'text', defaultText: 'none', what, secret: true });

const pages = (costs: string, { standard, most } = { standard: 2, most: 100 }) =>
  setting(wholeNumber.max(most).default(standard), {
    unit: 'pages',
    defaultText: String(standard),
    what: `Pages asked for about one company at most; each is a ${costs}.`,
  });

/** Settings of the ad sources. */
export const sourceSettings = {
  NIGHTSHIFT_SOURCES: setting(z.string().optional(), {
    unit: 'names',
    defaultText: 'snapshot when one is loaded, upstream when configured',
    what: `Where ads come from, in the order they are asked. There are: ${sourceNames.join(', ')}.`,
  }),
  NIGHTSHIFT_NONE_OUTVOTES_FAILED: setting(yesOrNo.default(false), {
    unit: 'true, false',
    defaultText: 'false',
    what: 'With several sources: one that found no ads outvotes one that failed. An outage may then read as "no ads".',
  }),
  NIGHTSHIFT_KEEP_RAW_RESPONSES_DAYS: setting(z.coerce.number().min(0).max(3650).default(30), {
    unit: 'days',
    defaultText: '30',
    what: 'Retention of raw responses of live sources. `nightshift reparse` parses them again without a charge. 0 stores none.',
  }),
  NIGHTSHIFT_UPSTREAM_URL: url('a server that speaks the service contract', null),
  NIGHTSHIFT_UPSTREAM_KEY: secretText('The API key there.'),
  NIGHTSHIFT_UPSTREAM_IDEMPOTENT: setting(yesOrNo.default(false), {
    unit: 'true, false',
    defaultText: 'false',
    what: 'The upstream honours Idempotency-Key: a call that was cut off is sent again under the same key.',
  }),
  ...limitSettings('UPSTREAM', {
    label: 'the upstream',
    requestsPerSecond: 10,
    burst: 5,
    deadlineSeconds: 30,
  }),
  NIGHTSHIFT_SERPAPI_KEY: secretText('The API key at SerpApi.'),
  NIGHTSHIFT_SERPAPI_URL: url('SerpApi', 'https://serpapi.com'),
  NIGHTSHIFT_SERPAPI_PAGES_MAX: pages('search'),
  ...limitSettings('SERPAPI', {
    label: 'SerpApi',
    requestsPerSecond: 0.05,
    burst: 5,
    deadlineSeconds: 60,
  }),
  NIGHTSHIFT_DATAFORSEO_LOGIN: secretText('The login at DataForSEO.'),
  NIGHTSHIFT_DATAFORSEO_PASSWORD: secretText('The API password there.'),
  NIGHTSHIFT_DATAFORSEO_URL: url('DataForSEO', 'https://api.dataforseo.com'),
  ...limitSettings('DATAFORSEO', {
    label: 'DataForSEO',
    requestsPerSecond: 30,
    burst: 5,
    deadlineSeconds: 120,
  }),
  NIGHTSHIFT_ADYNTEL_KEY: secretText('The API key at Adyntel.'),
  NIGHTSHIFT_ADYNTEL_EMAIL: secretText('The address of the account there.'),
  NIGHTSHIFT_ADYNTEL_URL: url('Adyntel', 'https://api.adyntel.com'),
  NIGHTSHIFT_ADYNTEL_PAGES_MAX: pages('credit'),
  NIGHTSHIFT_ADYNTEL_204_IS_NONE: setting(yesOrNo.default(true), {
    unit: 'true, false',
    defaultText: 'true',
    what: 'An answer 204 of Adyntel means that there are no ads, as its users note. With false such an answer is unreadable, and each is paid for.',
  }),
  ...limitSettings('ADYNTEL', { label: 'Adyntel', requestsPerSecond: 1, burst: 2, deadlineSeconds: 90 }),
  NIGHTSHIFT_TRANSPARENCY_ACCEPT_TERMS: setting(yesOrNo.default(false), {
    unit: 'true, false',
    defaultText: 'false',
    what: 'You have read the terms of the Ads Transparency Center, and what you do with its ads is in keeping with them. Without it the source transparency is off.',
  }),
  NIGHTSHIFT_TRANSPARENCY_CONTACT: setting(z.string().min(1).optional(), {
    unit: 'URL or address',
    defaultText: 'none',
    what: 'Where the site can reach you: it stands in the User-Agent of every call.',
  }),
  NIGHTSHIFT_TRANSPARENCY_URL: url('the Ads Transparency Center', 'https://adstransparency.google.com'),
  NIGHTSHIFT_TRANSPARENCY_PAGES_MAX: pages('call', { standard: 3, most: 5 }),
  NIGHTSHIFT_BIGQUERY_PROJECT: setting(z.string().min(1).optional(), {
    unit: 'project id',
    defaultText: 'none',
    what: 'The project at Google Cloud that queries run in and are billed to.',
  }),
  NIGHTSHIFT_BIGQUERY_KEY_FILE: setting(z.string().min(1).optional(), {
    unit: 'file',
    defaultText: 'none',
    what: 'The key file (JSON) of a service account there with the role BigQuery Job User.',
  }),
  NIGHTSHIFT_BIGQUERY_URL: url('the BigQuery API', 'https://bigquery.googleapis.com/bigquery/v2'),
  NIGHTSHIFT_BIGQUERY_MAX_GIB: setting(wholeNumber.max(100_000).default(100), {
    unit: 'GiB',
    defaultText: '100',
    what: 'The most that one query may read. One reads about 45 GiB, for one company or for 5,000.',
  }),
  ...limitSettings('BIGQUERY', {
    label: 'BigQuery',
    requestsPerSecond: 1,
    burst: 1,
    deadlineSeconds: 600,
  }),
  NIGHTSHIFT_MAPPED_FILE: setting(z.string().min(1).optional(), {
    unit: 'file',
    defaultText: 'none',
    what: 'Describes an API for the source mapped: see examples/sources.',
  }),
  NIGHTSHIFT_MAPPED_KEY: secretText('The key there: what {secret} in the file stands for.'),
  ...limitSettings('MAPPED', { label: 'that API', requestsPerSecond: 1, burst: 2, deadlineSeconds: 60 }),
};
