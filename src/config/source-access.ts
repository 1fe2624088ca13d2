import type { z } from 'zod';
import type { SourceLimits } from '../core/sources/source-call.ts';
import type { environmentShape } from './settings.ts';
import { sourceNames, type SourceName } from './source-names.ts';
import type { LimitedSource } from './source-settings.ts';

/** Sources that are called over the network. */
export type LiveSourceName = Exclude<SourceName, 'snapshot' | 'sample'>;
export const liveSourceNames = sourceNames.filter(
  (name): name is LiveSourceName => name !== 'snapshot' && name !== 'sample',
);

/** Access to the sources that are called over the network; null for one that is not configured. */
export interface SourceAccess {
  readonly upstream:
    (Access & { readonly url: string; readonly key: string; readonly idempotent: boolean }) | null;
  readonly serpapi: (VendorAccess & { readonly key: string; readonly pagesMax: number }) | null;
  readonly dataforseo: (VendorAccess & { readonly login: string; readonly password: string }) | null;
  readonly adyntel:
    | (VendorAccess & {
        readonly key: string;
        readonly email: string;
        readonly pagesMax: number;
        readonly is204None: boolean;
      })
    | null;
  readonly transparency: TransparencyAccess | null;
  readonly bigquery: BigQueryAccess | null;
  readonly mapped: (Access & { readonly file: string; readonly key: string | null }) | null;
}

interface Access {
  readonly limits: SourceLimits;
}

/** A vendor's address is known; the operator may name another. */
interface VendorAccess extends Access {
  readonly url: string | null;
}

/** Its limits are its own: nobody may raise them. */
export interface TransparencyAccess {
  readonly url: string | null;
  /** Contact of the operator, for the site. */
  readonly contact: string;
  readonly pagesMax: number;
}

export interface BigQueryAccess extends VendorAccess {
  readonly projectId: string;
  /** Null: no credential, which only a server other than Google's takes. */
  readonly keyFile: string | null;
  readonly maximumBytesBilled: bigint;
}

type Values = z.infer<typeof environmentShape>;

export function readSourceAccess(values: Values): SourceAccess {
  return {
    upstream: readUpstream(values),
    serpapi: readSerpapi(values),
    dataforseo: readDataForSeo(values),
    adyntel: readAdyntel(values),
    transparency: readTransparency(values),
    bigquery: readBigQuery(values),
    mapped: readMapped(values),
  };
}

function readUpstream(values: Values): SourceAccess['upstream'] {
  const { NIGHTSHIFT_UPSTREAM_URL: url, NIGHTSHIFT_UPSTREAM_KEY: key } = values;
  if (url === undefined || key === undefined) return null;
  return {
    url,
    key,
    idempotent: values.NIGHTSHIFT_UPSTREAM_IDEMPOTENT,
    limits: limitsOf(values, 'UPSTREAM'),
  };
}

function readSerpapi(values: Values): SourceAccess['serpapi'] {
  const { NIGHTSHIFT_SERPAPI_KEY: key, NIGHTSHIFT_SERPAPI_URL: url = null } = values;
  if (key === undefined) return null;
  return { url, key, pagesMax: values.NIGHTSHIFT_SERPAPI_PAGES_MAX, limits: limitsOf(values, 'SERPAPI') };
}

function readDataForSeo(values: Values): SourceAccess['dataforseo'] {
  const { NIGHTSHIFT_DATAFORSEO_LOGIN: login, NIGHTSHIFT_DATAFORSEO_PASSWORD: password } = values;
  if (login === undefined || password === undefined) return null;
  const { NIGHTSHIFT_DATAFORSEO_URL: url = null } = values;
  return { url, login, password, limits: limitsOf(values, 'DATAFORSEO') };
}

function readAdyntel(values: Values): SourceAccess['adyntel'] {
  const { NIGHTSHIFT_ADYNTEL_KEY: key, NIGHTSHIFT_ADYNTEL_EMAIL: email } = values;
  if (key === undefined || email === undefined) return null;
  const { NIGHTSHIFT_ADYNTEL_URL: url = null, NIGHTSHIFT_ADYNTEL_PAGES_MAX: pagesMax } = values;
  const is204None = values.NIGHTSHIFT_ADYNTEL_204_IS_NONE;
  return { url, key, email, pagesMax, is204None, limits: limitsOf(values, 'ADYNTEL') };
}

function readTransparency(values: Values): SourceAccess['transparency'] {
  const { NIGHTSHIFT_TRANSPARENCY_URL: url = null, NIGHTSHIFT_TRANSPARENCY_CONTACT: contact } = values;
  if (!values.NIGHTSHIFT_TRANSPARENCY_ACCEPT_TERMS || contact === undefined) return null;
  return { url, contact, pagesMax: values.NIGHTSHIFT_TRANSPARENCY_PAGES_MAX };
}

function readBigQuery(values: Values): SourceAccess['bigquery'] {
  const { NIGHTSHIFT_BIGQUERY_PROJECT: projectId, NIGHTSHIFT_BIGQUERY_KEY_FILE: keyFile = null } = values;
  if (projectId === undefined) return null;
  return {
    url: values.NIGHTSHIFT_BIGQUERY_URL ?? null,
    projectId,
    keyFile,
    maximumBytesBilled: BigInt(values.NIGHTSHIFT_BIGQUERY_MAX_GIB) * 2n ** 30n,
    limits: limitsOf(values, 'BIGQUERY'),
  };
}

function readMapped(values: Values): SourceAccess['mapped'] {
  const { NIGHTSHIFT_MAPPED_FILE: file, NIGHTSHIFT_MAPPED_KEY: key = null } = values;
  return file === undefined ? null : { file, key, limits: limitsOf(values, 'MAPPED') };
}

function limitsOf(values: Values, source: LimitedSource): SourceLimits {
  return {
    pace: {
      requestsPerSecond: values[`NIGHTSHIFT_${source}_REQUESTS_PER_SECOND`],
      burst: values[`NIGHTSHIFT_${source}_BURST`],
    },
    concurrency: values[`NIGHTSHIFT_${source}_CONCURRENCY`] ?? null,
    callsPerDay: values[`NIGHTSHIFT_${source}_CALLS_PER_DAY`] ?? null,
    deadlineMs: values[`NIGHTSHIFT_${source}_DEADLINE_SECONDS`] * 1000,
  };
}

/** Settings that are useless without the rest of their group. */
const groups = [
  ['NIGHTSHIFT_UPSTREAM_URL', 'NIGHTSHIFT_UPSTREAM_KEY'],
  ['NIGHTSHIFT_DATAFORSEO_LOGIN', 'NIGHTSHIFT_DATAFORSEO_PASSWORD'],
  ['NIGHTSHIFT_ADYNTEL_KEY', 'NIGHTSHIFT_ADYNTEL_EMAIL'],
  ['NIGHTSHIFT_TRANSPARENCY_ACCEPT_TERMS', 'NIGHTSHIFT_TRANSPARENCY_CONTACT'],
] as const;

/** One sentence for each source that is configured in part. */
export function halfSetSources(given: Readonly<Record<string, unknown>>): readonly string[] {
  return groups
    .filter((names) => names.some((name) => name in given) && !names.every((name) => name in given))
    .map((names) => `${names.join(' and ')} go together: set both or neither.`);
}

/** Configured sources that are called over the network, by the settings. */
export function configuredSources(access: SourceAccess): readonly LiveSourceName[] {
  return sourceNames.filter(
    (name): name is LiveSourceName => name !== 'snapshot' && name !== 'sample' && access[name] !== null,
  );
}

/** The hosts of base addresses that settings name. */
export function configuredHosts(access: SourceAccess): readonly string[] {
  const { upstream, serpapi, dataforseo, adyntel, transparency, bigquery } = access;
  return [upstream, serpapi, dataforseo, adyntel, transparency, bigquery].flatMap((reached) => {
    const url = reached?.url ?? null;
    return url !== null && URL.canParse(url) ? [new URL(url).host] : [];
  });
}
