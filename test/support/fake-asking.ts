import type { AdsAnswer, AdsQuestion, LiveAdSource, LocalAdSource } from '../../src/core/ads/ad-source.ts';
import type { AskOptions } from '../../src/core/ads/ask-sources.ts';
import type { CallLease } from '../../src/core/ads/call-source.ts';
import type { Turn } from '../../src/core/ads/pace.ts';
import type { LookupResult } from '../../src/core/outcomes.ts';
import type { EarlierCall, OpenLookup } from '../../src/core/work/claim.ts';

/** Lookups of made-up companies: 1 is `company-1.com`. */
export function lookupsOf(count: number, changes: Partial<OpenLookup> = {}): readonly OpenLookup[] {
  return Array.from({ length: count }, (_, i) => ({
    lookupId: BigInt(i + 1),
    company: { key: `d:company-${i + 1}.com`, domain: `company-${i + 1}.com`, name: null },
    requestKey: `key-${i + 1}`,
    tries: 0,
    earlier: new Map<string, EarlierCall>(),
    ...changes,
  }));
}

/** What a fake source does with a question: answers or throws. */
export type Reply = (question: AdsQuestion, signal: AbortSignal) => AdsAnswer | Promise<AdsAnswer>;

/** A live source without a pace that says what it is told to, and keeps the questions. */
export function fakeLiveSource(reply: Reply, changes: Partial<Omit<LiveAdSource, 'kind' | 'findAds'>> = {}) {
  const questions: AdsQuestion[] = [];
  const source: LiveAdSource = {
    kind: 'live',
    name: 'live',
    bucket: 'live:bucket',
    pace: null,
    idempotent: false,
    ...changes,
    findAds: async (question, signal) => {
      questions.push(question);
      return reply(question, signal);
    },
  };
  return { source, questions };
}

/** A local source that answers each company by its domain; others are not matched. */
export function fakeLocalSource(answers: Readonly<Record<string, AdsAnswer>>, name = 'snapshot') {
  const asked: (string | null)[][] = [];
  const source: LocalAdSource = {
    kind: 'local',
    name,
    snapshotId: 1,
    findAds: async (companies) => {
      asked.push(companies.map(({ domain }) => domain));
      return companies.map(({ domain }) => answers[domain ?? ''] ?? { kind: 'no_match' });
    },
  };
  return { source, asked };
}

/** A turn that is not over, however long a call takes to begin. */
export const dueTurn: Turn = { comes: async () => true };

/** Everything that asking needs, without time: turns come at once, and what happened stands in `events`, in order. */
export function fakeAsking(changes: Partial<AskOptions> = {}) {
  const events: string[] = [];
  const results: LookupResult[] = [];
  const openCalls = new Map<bigint, string>();
  let calls = 0n;
  const options: AskOptions = {
    pacer: {
      turn: async (bucket, _pace, { signal }) => {
        signal.throwIfAborted();
        events.push(`turn at ${bucket}`);
        return dueTurn;
      },
      holdOff: async (bucket, delayMs) => void events.push(`hold off ${bucket} for ${delayMs} ms`),
    },
    calls: {
      begin: async ({ requestKey }) => {
        calls += 1n;
        openCalls.set(calls, requestKey);
        events.push(`begin ${requestKey}`);
        return calls;
      },
      end: async (callId, answer, sourceCharge) => {
        events.push(
          `end ${openCalls.get(callId)} as ${answer}${sourceCharge === undefined ? '' : ` for ${sourceCharge}`}`,
        );
        openCalls.delete(callId);
      },
    },
    limit: (work) => work(),
    turnWaitMsMax: 60_000,
    lease: heldLease(),
    onResult: (result) => void results.push(result),
    ...changes,
  };
  /** Calls that were begun and never ended, by request key. */
  const unanswered = () => [...openCalls.values()];
  return { options, events, results, unanswered };
}

/** A lease that is held until `signal` aborts. */
export function heldLease(signal: AbortSignal = new AbortController().signal): CallLease {
  return { signal, turnSignal: signal, assertHeld: () => signal.throwIfAborted() };
}
