import type { SourcePace } from '../core/sources/source-call.ts';
import { sourceFailure } from '../core/work/retry-policies.ts';
import type { ChunkBounds } from '../core/work/work-store.ts';

/** Sources by id, as far as chunks depend on them. */
export interface ChunkSources {
  /** True when the source answers from Nightshift's own database, without a call. */
  readonly isLocal: (source: string) => boolean;
  /** Null without a configured rate, and for a source that is not called. */
  readonly paceOf: (source: string) => SourcePace | null;
  readonly companiesPerCall: (source: string) => number;
}

/** Lookups per chunk: few if each is a call, more if one call answers many (docs/architecture/decisions/0005-chunks.md). */
const lookupsPerLiveChunk = 25;
/** Beside other accounts a chunk is smaller, down to what lets the chunks of a process fill its calls in flight. */
const lookupsPerLiveChunkMin = 4;
/**
 * Time in which each account gets a chunk at the pace of the source, so that its calls are spread over every minute. With 100 accounts at 50
 * calls a second, chunks of 25 would give some accounts 50 calls in a minute and others 25.
 */
const roundSeconds = 4;
const lookupsPerLocalChunk = 500;
/**
 * Addresses per chunk. Addresses of one domain share a session with its mail host only within a chunk. Measured with 10,000
 * addresses of 500 domains in random order: 2.2 round trips per address in chunks of 200, 1.2 in these.
 */
const addressesPerChunk = 2000;

/** Lookups per chunk of a live source beside this number of accounts. */
function shareOfRound(pace: SourcePace | null, accounts: number): number {
  if (accounts <= 1 || pace === null) return lookupsPerLiveChunk;
  const share = Math.floor((roundSeconds * pace.requestsPerSecond) / accounts);
  return Math.min(Math.max(share, lookupsPerLiveChunkMin), lookupsPerLiveChunk);
}

/** Chunks of companies that run or wait where a later source is slower than the first one. */
const aheadChunksMin = 512;
/** The chunks of failed lookups contain few others, so there are several for each whole one. */
const chunksPerWhole = 4;

/**
 * Maximum number of chunks of companies that run or wait for sources that answer these numbers of companies a second, of all accounts together. It
 * follows from what they answer within the longest delay of a failed lookup: more chunks would be started over and over, only to find the line of the
 * source full. Where a later source is slower than the first one, more of them wait, so that the first one is called for all rows soon.
 */
function searchChunksMaxAt(rates: readonly number[], size: number): number {
  const [first = Infinity, ...later] = rates;
  const fastest = Math.max(...rates.filter(Number.isFinite), 0);
  if (fastest === 0) return Infinity;
  const isSlowestFirst = later.every((rate) => rate >= first);
  const wholeChunks = ((isSlowestFirst ? first : fastest) * sourceFailure.delayMsMax) / 1000 / size;
  return Math.max(Math.ceil(chunksPerWhole * wholeChunks), isSlowestFirst ? 1 : aheadChunksMin);
}

/** Creates the sizes and numbers of chunks for these sources. */
export function createChunkBounds({ isLocal, paceOf, companiesPerCall }: ChunkSources) {
  function searchesPerChunk(sources: readonly string[], accounts: number): number {
    if (sources.every(isLocal)) return lookupsPerLocalChunk;
    // Also in a chain with others: a call costs the same for a few companies as for all.
    const shares = sources.map((source) => shareOfRound(paceOf(source), accounts));
    return Math.max(Math.min(...shares), ...sources.map(companiesPerCall));
  }
  return {
    sizeOf: (operation, sources, accounts) =>
      operation === 'email_validation' ? addressesPerChunk : searchesPerChunk(sources, accounts),
    searchChunksMax: (sources, accounts) => {
      const rates = sources.map(
        (source) => (paceOf(source)?.requestsPerSecond ?? Infinity) * companiesPerCall(source),
      );
      return searchChunksMaxAt(rates, searchesPerChunk(sources, accounts));
    },
  } satisfies ChunkBounds;
}
