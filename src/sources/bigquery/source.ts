import { createHash } from 'node:crypto';
import type { AdsQuestion, BatchedAdSource } from '../../core/sources/ad-source.ts';
import type { AdsAnswer, Extent, FoundAds } from '../../core/ads/ads-answer.ts';
import { googleMapping } from '../../core/companies/company-mapping.ts';
import { profileCompany } from '../../core/companies/match/company-profile.ts';
import { platformId } from '../../core/companies/platform-id.ts';
import { searchWaysAtGoogle } from '../../core/sources/search-ways.ts';
import type { SourceLimits } from '../../core/sources/source-call.ts';
import { bucketOf } from '../calls/credentials.ts';
import { createBigQueryClient, type Question } from './client.ts';
import { toAds, type Creative } from './creatives.ts';
import type { ServiceAccount } from './credentials.ts';
import {
  findAdvertisers,
  indexCreatives,
  type CreativeIndex,
  type SoughtCompany,
} from './find-advertisers.ts';
import { companyKeys, nativeKeys } from './name-keys.ts';
import { askForCreatives, creativeStatsTable } from './query.ts';
import type { Send } from './send.ts';
import { packRun, readRun } from './window.ts';

export interface BigQuerySourceOptions {
  readonly send: Send;
  /** The part before `/projects`. */
  readonly url: string;
  /** The project that queries run in and are billed to. */
  readonly projectId: string;
  /** Null sends no credential, which only a server other than Google's accepts. */
  readonly credentials: ServiceAccount | null;
  /** Maximum billed bytes of one query. */
  readonly maximumBytesBilled: bigint;
  readonly limits: SourceLimits;
}

/** Default number of ads per advertiser. Our choice. */
const adsPerAdvertiser = 200;

/** Number of advertisers with the same words in their names. Our choice. */
const advertisersPerKey = 50;

/** Billing unit of on-demand queries. */
const bytesPerTiB = 2n ** 40n;

/**
 * The ad source `bigquery`: the public data set of Google's Ads Transparency Center. One query covers a whole window of
 * companies, because it costs the same for one as for thousands (all columns that are read, about 45 GB).
 *
 * A company is found by its mapped advertisers. Otherwise the query selects the advertisers that have its name or the label of its domain in
 * their name, disclosed or legal, and each is evaluated as in `companies match`: the ads of its own are the answer, uncertain ones are its
 * candidates, and without an own one the answer is `no_match`. The data contain no domains, and only ads shown in the EEA and Türkiye,
 * without markup. Before a query runs, a dry run compares its size with the cap. The id of a job is derived from the query, so
 * a repeat continues the same job and is not billed again. A unit is a TiB.
 *
 * @throws Misconfigured when the address, project or credentials cannot be used.
 */
export function createBigQuerySource(options: BigQuerySourceOptions): BatchedAdSource {
  const { send, url, projectId, credentials, maximumBytesBilled, limits } = options;
  const client = createBigQueryClient({
    send,
    baseUrl: url,
    projectId,
    credentials,
    maximumBytesBilled,
    deadlineMs: limits.deadlineMs,
  });
  let isChecked = false;

  async function runWindow(question: Question & { readonly jobId: string }, signal: AbortSignal) {
    if (!isChecked) await client.checkSchema(creativeStatsTable, signal);
    isChecked = true;
    return { text: await packRun(await client.run(question, signal)), allowance: null };
  }

  return {
    kind: 'batched',
    name: 'bigquery',
    ownMapping: googleMapping,
    bucket: bucketOf('bigquery', url, projectId),
    limits,
    idempotent: true,
    findAds: async (questions, executor) => {
      const sought = questions.map((question) => ({ question, way: wayOf(question) }));
      const question = questionFor(sought);
      if (question === null) return questions.map(() => ({ kind: 'no_match' as const }));
      const digest = digestOf(question, questions[0]?.requestKey ?? '');
      const creatives = await executor({
        about: `creatives of ${questions.length} companies, ${digest}`,
        unitsMax: inTiB(maximumBytesBilled),
        send: (signal) => runWindow({ ...question, jobId: `nightshift_${digest}` }, signal),
        read: (text) => {
          const run = readRun(text);
          const says = run.creatives.length > 0 ? ('found' as const) : ('none' as const);
          return { value: run.creatives, says, units: inTiB(run.bytesBilled) };
        },
      });
      const index = indexCreatives(creatives);
      return sought.map((each) => answerOf(each, index));
    },
  };
}

/** Way of finding a company in the data, which have no domains: by mapped advertisers, or by its name and the label of its domain. */
type Way =
  | { readonly by: 'mapping'; readonly advertiserIds: readonly string[] }
  | (SoughtCompany & { readonly by: 'name'; readonly matchedBy: 'name' | 'domain_label' });

interface Sought {
  readonly question: AdsQuestion;
  readonly way: Way;
}

function wayOf(question: AdsQuestion): Way {
  const ways = searchWaysAtGoogle(question);
  const mapped = ways.find((way) => way.by === 'mapping');
  if (mapped !== undefined) return mapped;
  const { domain } = question.company;
  const named = ways.find((way) => way.by === 'name');
  const name = named?.name ?? null;
  const profile = profileCompany({ name, domain });
  return {
    by: 'name',
    matchedBy: name === null ? 'domain_label' : 'name',
    profile,
    keys: [...companyKeys(profile), ...(name === null ? [] : nativeKeys(name))],
    decided: new Set(googleMapping(question.mapping).map(({ advertiserId }) => platformId(advertiserId))),
  };
}

/** One query for all lookups; null if none can be found in the data. They belong to one search, and so have one region. */
function questionFor(sought: readonly Sought[]): Question | null {
  const advertiserIds = sought.flatMap(({ way }) => (way.by === 'mapping' ? way.advertiserIds : []));
  const keys = sought.flatMap(({ way }) => (way.by === 'name' ? way.keys : []));
  if (advertiserIds.length + keys.length === 0) return null;
  const { region = null, adsMax = null } = sought[0]?.question ?? {};
  return askForCreatives({
    advertiserIds,
    nameKeys: keys,
    regions: region === null ? null : [region],
    adsPerAdvertiserMax: adsMax ?? adsPerAdvertiser,
    advertisersPerKeyMax: advertisersPerKey,
  });
}

/** The same query of the same lookup gives the same job. */
function digestOf(question: Question, requestKey: string): string {
  return createHash('sha256')
    .update(JSON.stringify([requestKey, question]))
    .digest('hex')
    .slice(0, 32);
}

function inTiB(bytes: bigint): number {
  return Number(bytes) / Number(bytesPerTiB);
}

function answerOf({ question, way }: Sought, index: CreativeIndex): AdsAnswer {
  const creativesOf = (ids: readonly string[]) => ids.flatMap((id) => index.byAdvertiser.get(id) ?? []);
  if (way.by === 'mapping') {
    const creatives = creativesOf(way.advertiserIds);
    if (creatives.length === 0) return { kind: 'none', matchedBy: 'mapping' };
    return foundOf(creatives, { matchedBy: 'mapping', candidates: [] }, question);
  }
  const { own, uncertain } = findAdvertisers(way, index);
  if (own.length > 0)
    return foundOf(creativesOf(own), { matchedBy: way.matchedBy, candidates: uncertain }, question);
  return uncertain.length === 0 ? { kind: 'no_match' } : { kind: 'no_match', candidates: uncertain };
}

function foundOf(
  creatives: readonly Creative[],
  { matchedBy, candidates }: Required<Pick<FoundAds, 'matchedBy' | 'candidates'>>,
  { adsMax }: AdsQuestion,
): AdsAnswer {
  const ads = toAds(creatives);
  const wanted = ads.slice(0, adsMax ?? ads.length);
  const total = sumPerAdvertiser(creatives);
  const isCut = creatives.some(({ advertisersOfKey }) => advertisersOfKey > advertisersPerKey);
  const extent: Extent = {
    partial: isCut,
    ...(isCut ? { partialReason: 'too_many_advertisers' } : {}),
    truncated: wanted.length < total,
    estimate: { low: total, high: total },
  };
  return {
    kind: 'found',
    ads: wanted,
    matchedBy,
    extent,
    ...(candidates.length === 0 ? {} : { candidates }),
  };
}

function sumPerAdvertiser(creatives: readonly Creative[]): number {
  const counts = new Map(
    creatives.map(({ advertiserId, adsOfAdvertiser }) => [advertiserId, adsOfAdvertiser]),
  );
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
