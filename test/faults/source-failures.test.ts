import type { PauseKind } from '../../src/core/work/pause.ts';
import { createServer } from 'node:http';
import { afterAll, describe, expect, inject, test, vi } from 'vitest';
import { listenOnLoopback } from '../support/stand-in/loopback.ts';
import { askedIn } from '../support/faults/batch-audit.ts';
import type { SourceStandIn, StandInCall } from '../support/stand-in/source-stand-in.ts';
import { sourceErrors, type SourceError } from '../support/stand-in/source-failures.ts';
import { generateAds } from '../support/stand-in/stand-in-ads.ts';
import { runFailingBatch, type CompanyAnswer, type FailingBatch } from '../support/faults/failing-batch.ts';
import { faultWaitMsMax, waitMsMax } from '../support/wait-bound.ts';

const companies = Array.from({ length: 60 }, (_, n) => `company-${n}.com`);
const callsInFlight = 6;
/** The failure starts with this call. It lasts until the batch is seen waiting, or for this long if it must not wait. */
const firstFailed = 15;
const failureMs = 1000;
/** Ten consecutive ones until the circuit breaker opens, those in flight by then, and one after each pause. */
const failedMax = 10 + callsInFlight + 6;
const priceMicro = 200_000;

/** Answers like a source that identifies no company. */
const elsewhere = await listenOnLoopback(
  createServer((_, response) => response.end('{"ads": [], "ads_count": 0, "credits_consumed": 0}')),
);
afterAll(() => elsewhere.close());

/** With the queue on Redis, one error of each kind: calls to a source do not depend on the queue, but delays do. */
const alsoOnRedis = [
  '500',
  '429',
  'a connection closed before the response, repeats charged',
  'an unreachable server',
  'an error',
  '401, a rejected key',
];
const runs = Object.entries(sourceErrors(elsewhere.url)).flatMap(([name, failure]) => [
  { name, failure, queue: 'postgres' as const },
  ...(alsoOnRedis.includes(name) && inject('redisUrl') !== null
    ? [{ name, failure, queue: 'redis' as const }]
    : []),
]);

describe('source that fails during a batch', () => {
  // The runs mostly wait, so several can run concurrently.
  test.concurrent.each(runs)(
    '$name (queue on $queue): no result is wrong or charged twice, and the batch finishes',
    async ({ queue, failure }) => {
      const { answers, log, states, spentMicro, broken } = await runFailingBatch(
        runOf(queue, failure),
        faultWaitMsMax,
      );

      expect(answers.map(({ company }) => company)).toEqual(companies);
      for (const answer of answers) expectCorrectAnswer(answer, failure, log);
      expect(failedAmong(answers)).toBeLessThanOrEqual(failure.failsWith === undefined ? 0 : failedMax);
      for (const company of companies)
        expect(log.filter((call) => call.effect && askedIn(call) === company).length, company).toBeLessThan(
          2,
        );

      expect(spentMicro).toBe(priceMicro * answers.filter(({ outcome }) => outcome === 'found').length);
      expect(broken).toEqual([]);
      if (failure.waitsFor !== undefined) expect([...states]).toContain(stateOf(failure.waitsFor));
      // The scripted failure has occurred.
      if (failure.failure !== 'away') expect(log.some((call) => call.failure !== null)).toBe(true);
      expect(elsewhere.connections()).toBe(0);
    },
  );
});

function runOf(
  queue: 'postgres' | 'redis',
  { failure, lasts, waitsFor, deadlineSeconds = 30, idempotent = false }: SourceError,
): FailingBatch {
  const lastsUntil = waitsFor === undefined ? null : stateOf(waitsFor);
  const lasting = { from: firstFailed, ...(lastsUntil === null ? (lasts ?? { forMs: failureMs }) : {}) };
  return {
    queue,
    companies,
    source: {
      idempotent,
      latencyMs: { min: 10, max: 40 },
      script: failure === 'away' ? [] : [{ ...lasting, failure }],
    },
    lastsUntil,
    meanwhile: failure === 'away' ? goAwayInTheMiddle : () => Promise.resolve(),
    settings: {
      NIGHTSHIFT_UPSTREAM_IDEMPOTENT: String(idempotent),
      NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '100',
      NIGHTSHIFT_UPSTREAM_BURST: '50',
      NIGHTSHIFT_UPSTREAM_DEADLINE_SECONDS: String(deadlineSeconds),
      NIGHTSHIFT_CONCURRENCY: String(callsInFlight),
      NIGHTSHIFT_SOURCE_WAIT_SECONDS: '0.3',
      NIGHTSHIFT_LEASE_SECONDS: '10',
    },
  };
}

async function goAwayInTheMiddle(standIn: SourceStandIn, isOver: () => boolean): Promise<void> {
  await vi.waitUntil(() => standIn.log.length >= firstFailed, { timeout: waitMsMax, interval: 5 });
  do await standIn.goAway(failureMs);
  while (!isOver());
}

/** State of a batch that waits for its source, in the format of `runFailingBatch`. */
function stateOf(waitsFor: PauseKind): string {
  return `waiting_for_source ${waitsFor}`;
}

/** The references are the source's ads, and its log of answers. */
function expectCorrectAnswer(
  { company, outcome, reason, credits, creatives }: CompanyAnswer,
  { failure, failsWith }: SourceError,
  log: readonly StandInCall[],
): void {
  const calls = log.filter((call) => askedIn(call) === company);
  const truth = generateAds(company, 1).map((ad) => `google:${ad.creative_id}`);
  const reported = { company, outcome, reason, credits, creatives };
  if (outcome === 'failed') {
    expect(reported).toEqual({ company, outcome, reason: failsWith, credits: '0', creatives: [] });
    expect(failure === 'away' || calls.some((call) => call.failure !== null), `${company} failed`).toBe(true);
    return;
  }
  expect(reported).toEqual(
    truth.length > 0
      ? { company, outcome: 'found', reason: null, credits: '0.2', creatives: truth }
      : { company, outcome: 'none', reason: null, credits: '0', creatives: [] },
  );
  const isReported = calls.some(
    ({ status, failure, answered }) => status === 200 && failure === null && answered,
  );
  expect(isReported, `the source said so of ${company}`).toBe(true);
}

function failedAmong(answers: readonly CompanyAnswer[]): number {
  return answers.filter(({ outcome }) => outcome === 'failed').length;
}
