import type { CallLease } from '../../../src/core/work/lease-keeper.ts';
import type { Pause } from '../../../src/core/work/wait-cause.ts';
import type { AdsQuestion, LiveAdSource, LocalAdSource } from '../../../src/core/sources/ad-source.ts';
import { anySearch, type AdsAnswer } from '../../../src/core/ads/ads-answer.ts';
import type { AskOptions } from '../../../src/core/sources/ask-sources.ts';
import type { SourceCallLog, CallEnd, NewCall } from '../../../src/core/sources/call-log.ts';
import type { Reservation } from '../../../src/core/sources/rate-limiter.ts';
import { waitEachTime } from '../../../src/core/sources/wait-budget.ts';
import type { ReadReply, SourceCall } from '../../../src/core/sources/source-call.ts';
import type { LookupResult } from '../../../src/core/work/outcomes.ts';
import type { OpenLookup } from '../../../src/core/work/claim.ts';
import { noLimits } from '../api/no-limits.ts';

/** Lookups of synthetic companies: 1 is `company-1.com`. */
export function lookupsOf(count: number, changes: Partial<OpenLookup> = {}): readonly OpenLookup[] {
  return Array.from({ length: count }, (_, i) => ({
    lookupId: BigInt(i + 1),
    company: { key: `d:company-${i + 1}.com`, domain: `company-${i + 1}.com`, name: null },
    requestKey: `key-${i + 1}`,
    tries: 0,
    earlier: [],
    reported: [],
    repliesOnly: false,
    ...changes,
  }));
}

/** Behaviour of a fake source: answers or throws. */
export type Reply = (question: AdsQuestion, signal: AbortSignal) => AdsAnswer | Promise<AdsAnswer>;

/** A live source without limits that makes one call per lookup, returns scripted answers, and records the lookups. */
export function fakeLiveSource(reply: Reply, changes: Partial<Omit<LiveAdSource, 'kind' | 'findAds'>> = {}) {
  const questions: AdsQuestion[] = [];
  const callAbout = (question: AdsQuestion): SourceCall<AdsAnswer> => ({
    about: aboutOf(question),
    unitsMax: 1,
    send: async (signal) => {
      questions.push(question);
      return { text: JSON.stringify(await reply(question, signal)), allowance: null };
    },
    read: readAnswer,
  });
  const source: LiveAdSource = {
    kind: 'live',
    name: 'live',
    ownMapping: (mapping) => mapping,
    bucket: 'live:bucket',
    limits: { ...noLimits, deadlineMs: 1000 },
    idempotent: false,
    ...changes,
    findAds: (question, exchange) => exchange(callAbout(question)),
  };
  return { source, questions };
}

/** Description of a fake source's call. */
function aboutOf({ company }: Pick<AdsQuestion, 'company'>): string {
  return `ads of ${company.key}`;
}

/** A fake source replies with its answer as JSON, and charges a unit for ads. */
function readAnswer(text: string): ReadReply<AdsAnswer> {
  const answer = JSON.parse(text) as AdsAnswer;
  if (answer.kind === 'stored' || answer.kind === 'repeated')
    throw new Error(`No live source answers "${answer.kind}".`);
  return { value: answer, says: answer.kind, units: Number(answer.kind === 'found') };
}

/** A local source that answers each company by its domain; others are not matched. */
export function fakeLocalSource(answers: Readonly<Record<string, AdsAnswer | null>>, name = 'snapshot') {
  const asked: (string | null)[][] = [];
  const source: LocalAdSource = {
    kind: 'local',
    name,
    ownMapping: (mapping) => mapping,
    findAds: async (questions) => {
      const domains = questions.map(({ company }) => company.domain);
      asked.push(domains);
      return domains.map((domain) => {
        const answer = answers[domain ?? ''];
        return answer === undefined ? { kind: 'no_match' } : answer;
      });
    },
  };
  return { source, asked };
}

/** A reservation that never expires, however late the call starts. */
export const dueReservation: Reservation = { comes: async () => true };

/** A call log in memory; `events` records what happens, in order. */
function fakeCallLog(events: string[] = []) {
  const openCalls = new Map<bigint, NewCall>();
  const ends: CallEnd[] = [];
  const pauses: Pause[] = [];
  const replies = new Map<bigint, string>();
  let calls = 0n;
  const book: SourceCallLog = {
    storesResponses: true,
    hasRoom: async () => true,
    begin: async (_source, call) => {
      calls += 1n;
      openCalls.set(calls, call);
      events.push(`begin ${call.requestKey}`);
      return { kind: 'begun', callId: calls, isProbe: false };
    },
    renew: async () => true,
    end: async (_source, callId, end) => {
      const charge = end.charged === null ? '' : ` for ${end.charged}`;
      events.push(`end ${openCalls.get(callId)?.requestKey} as ${end.answer}${charge}`);
      openCalls.delete(callId);
      ends.push(end);
      if (end.reply !== null) replies.set(callId, end.reply);
      return null;
    },
    pause: async (_source, pause) => {
      events.push(`pause ${pause.kind} for ${pause.delayMs} ms`);
      pauses.push(pause);
    },
    readReply: async (callId) => replies.get(callId) ?? null,
    adopt: async () => null,
  };
  /** Calls that were started and never ended, by request key. */
  const unanswered = () => [...openCalls.values()].map(({ requestKey }) => requestKey);
  return { book, ends, pauses, replies, unanswered };
}

/** Pause after a rejection by the source, in tests; milliseconds. */
export const refusedWaitMs = 3_600_000;

/** Dependencies of a source call, without time: reservations are granted at once, and `events` records what happened, in order. */
export function fakeAsking(changes: Partial<AskOptions> = {}) {
  const events: string[] = [];
  const results: LookupResult[] = [];
  const { book, ...record } = fakeCallLog(events);
  const options: AskOptions = {
    rateLimiter: {
      reserve: async (bucket, _pace, { signal, place }) => {
        await place?.take();
        signal.throwIfAborted();
        events.push(`turn at ${bucket}`);
        return dueReservation;
      },
      pauseUntil: async (bucket, delayMs) => void events.push(`hold off ${bucket} for ${delayMs} ms`),
      learn: () => Promise.resolve(),
    },
    calls: book,
    limit: (work) => work(),
    waitBudget: waitEachTime(60_000),
    comesBack: true,
    refusedWaitMs,
    sleep: async (delayMs, signal) => {
      signal.throwIfAborted();
      events.push(`sleep ${delayMs} ms`);
    },
    nowMs: () => 0,
    onError: (error) => void events.push(`error ${String(error)}`),
    lease: heldLease(),
    caller: { accountId: 1, limits: new Map() },
    search: anySearch,
    findMappings: async () => new Map(),
    via: [],
    noneOutvotesFailed: false,
    onResult: (result) => void results.push(result),
    ...changes,
  };
  return { options, events, results, ...record };
}

/** A lease that is held until `signal` aborts. */
export function heldLease(signal: AbortSignal = new AbortController().signal): CallLease {
  return {
    signal,
    turnSignal: signal,
    sendSignal: signal,
    stopSignal: signal,
    assertHeld: () => signal.throwIfAborted(),
  };
}
