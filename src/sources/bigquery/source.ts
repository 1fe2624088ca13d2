import { createHash } from 'node:crypto';
import type { AdsQuestion, BatchedAdSource } from '../../core/sources/ad-source.ts';
import type { AdsAnswer } from '../../core/ads/ads-answer.ts';
import { googleMapping } from '../../core/companies/company-mapping.ts';
import { searchWaysAtGoogle, type SearchWay } from '../../core/sources/search-ways.ts';
import type { SourceLimits } from '../../core/sources/source-call.ts';
import { nameKeys } from '../../core/companies/name-keys.ts';
import { bucketOf } from '../calls/credentials.ts';
import { createBigQueryClient, type Question } from './client.ts';
import { toAds, type Creative } from './creatives.ts';
import type { ServiceAccount } from './credentials.ts';
import { askForCreatives, creativeStatsTable, nameParameter } from './query.ts';
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

/** Billing unit of on-demand queries. */
const bytesPerTiB = 2n ** 40n;

/**
 * The ad source `bigquery`: the public data set of Google's Ads Transparency Center. One query covers a whole window of
 * companies, because it costs the same for one as for thousands (all columns that are read, about 45 GB).
 *
 * A company is found by its mapped advertisers, else by its name, disclosed or legal, compared whole and case-insensitively;
 * one with neither is `no_match`, because the data contain no domains. They contain only ads shown in the EEA and Türkiye,
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
      const ways = questions.map(wayOf);
      const question = questionFor(questions, ways);
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
      const find = indexCreatives(creatives);
      return questions.map((each, i) => answerOf(ways[i], find, each));
    },
  };
}

/** Search way for a company in the data: never its domain. */
function wayOf(question: AdsQuestion): SearchWay | undefined {
  return searchWaysAtGoogle(question).find(({ by }) => by !== 'domain');
}

/** One query for all lookups; null if none can be found in the data. They belong to one search, and so have one region. */
function questionFor(
  questions: readonly AdsQuestion[],
  ways: readonly (SearchWay | undefined)[],
): Question | null {
  const advertiserIds = ways.flatMap((way) => (way?.by === 'mapping' ? way.advertiserIds : []));
  const names = ways.flatMap((way) => (way?.by === 'name' ? [way.name] : []));
  if (advertiserIds.length + names.length === 0) return null;
  const { region = null, adsMax = null } = questions[0] ?? {};
  return askForCreatives({
    advertiserIds,
    names,
    regions: region === null ? null : [region],
    adsPerAdvertiserMax: adsMax ?? adsPerAdvertiser,
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

interface CreativeIndex {
  readonly byAdvertiser: ReadonlyMap<string, readonly Creative[]>;
  readonly byName: ReadonlyMap<string, readonly Creative[]>;
}

function indexCreatives(creatives: readonly Creative[]): CreativeIndex {
  const byAdvertiser = new Map<string, Creative[]>();
  const byName = new Map<string, Creative[]>();
  for (const creative of creatives) {
    add(byAdvertiser, creative.advertiserId, creative);
    const names = [creative.disclosedName, creative.legalName].flatMap((name) =>
      name === null ? [] : [name],
    );
    for (const name of new Set(names.map(nameParameter))) add(byName, name, creative);
  }
  return { byAdvertiser, byName };
}

function add(index: Map<string, Creative[]>, key: string, creative: Creative): void {
  const there = index.get(key);
  if (there === undefined) index.set(key, [creative]);
  else there.push(creative);
}

function answerOf(way: SearchWay | undefined, index: CreativeIndex, question: AdsQuestion): AdsAnswer {
  if (way?.by === 'mapping') {
    const creatives = way.advertiserIds.flatMap((id) => index.byAdvertiser.get(id) ?? []);
    return creatives.length === 0
      ? { kind: 'none', matchedBy: 'mapping' }
      : foundOf(creatives, 'mapping', question);
  }
  if (way?.by !== 'name' || nameKeys(way.name).length === 0) return { kind: 'no_match' };
  const creatives = index.byName.get(nameParameter(way.name)) ?? [];
  return creatives.length === 0 ? { kind: 'no_match' } : foundOf(creatives, 'name', question);
}

function foundOf(
  creatives: readonly Creative[],
  matchedBy: 'mapping' | 'name',
  { adsMax }: AdsQuestion,
): AdsAnswer {
  const ads = toAds(creatives);
  const wanted = ads.slice(0, adsMax ?? ads.length);
  const total = sumPerAdvertiser(creatives);
  const extent = { partial: false, truncated: wanted.length < total, estimate: { low: total, high: total } };
  return { kind: 'found', ads: wanted, matchedBy, extent };
}

function sumPerAdvertiser(creatives: readonly Creative[]): number {
  const counts = new Map(
    creatives.map(({ advertiserId, adsOfAdvertiser }) => [advertiserId, adsOfAdvertiser]),
  );
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
