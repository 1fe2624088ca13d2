import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LiveAdSource } from '../../src/core/sources/ad-source.ts';
import type { AdsAnswer } from '../../src/core/ads/ads-answer.ts';
import type { CompanyQuery } from '../../src/core/companies/company.ts';
import { EnrichError } from '../../src/core/errors.ts';
import type { LiveSourceDefinition } from '../../src/sources/definition/source-definition.ts';
import { differenceFromRecorded } from '../../src/sources/replies/compare-recorded.ts';
import { plainExchange, questionAbout } from '../support/sources/plain-exchange.ts';
import { keyPaths, renameKey, setValue } from '../support/sources/wire-changes.ts';
import type { Failure } from '../support/stand-in/stand-in-failures.ts';

/** A live source over a stand-in that can be told to go wrong. */
export interface LiveSourceStage {
  readonly source: LiveAdSource;
  /** The credentials: no message may show one. */
  readonly secrets: readonly string[];
  readonly withAds: CompanyQuery;
  readonly withoutAds: CompanyQuery;
  /** One that the source says it cannot tell; null where it has no such answer. */
  readonly unknown: CompanyQuery | null;
  /** Makes every following call go wrong in this way; null: right again. */
  readonly bring: (failure: Failure | null) => void;
  /** Ends the server: nobody is there any more. */
  readonly close: () => Promise<void>;
}

/** Details of one source's replies. */
export interface WireInfo {
  /** The JSON of the reply about `withAds`, as the stand-in gives it: every key in it is renamed once. */
  readonly reply: unknown;
  /** Keys that may go without a loss, by path (`ads[].creative_id`, or a prefix with a `*` at its end): the answer stays as it was. */
  readonly dispensable: readonly string[];
  /** Keys that may be null, by path. */
  readonly nullable: readonly string[];
  /** A reply that is an outage, a block or a refusal in a 200, and the code of the error it has to be. */
  readonly disguised: readonly { readonly name: string; readonly failure: Failure; readonly code: string }[];
}

const retryAfter = (status: number): Failure => ({ kind: 'status', status, retryAfter: '7' });
const after7s = { code: 'source_throttled', retry: { kind: 'after', delayMs: 7000 } };

/** Failures that every source treats alike, whatever its replies look like. */
const failures: readonly (readonly [string, Failure, object])[] = [
  [
    'asks to slow down',
    { kind: 'status', status: 429 },
    { code: 'source_throttled', retry: { kind: 'backoff' } },
  ],
  ['asks to slow down for 7 s', retryAfter(429), after7s],
  ['overloaded for 7 s', retryAfter(503), after7s],
  ['server error', { kind: 'status', status: 500 }, { code: 'source_unavailable', inDoubt: false }],
  [
    'a gateway that lost its server',
    { kind: 'status', status: 502 },
    { code: 'source_unavailable', inDoubt: true },
  ],
  ['refuses the key', { kind: 'status', status: 401 }, { code: 'source_refused', status: 401 }],
  ['not JSON', { kind: 'malformed' }, { code: 'source_unreadable' }],
  ['another shape', { kind: 'body', body: { data: [] } }, { code: 'source_unreadable' }],
  ['an empty object', { kind: 'body', body: {} }, { code: 'source_unreadable' }],
  ['null', { kind: 'body', body: null }, { code: 'source_unreadable' }],
  ['a text', { kind: 'body', body: 'ok' }, { code: 'source_unreadable' }],
  ['huge answer', { kind: 'huge', bytes: 20_000_000 }, { code: 'source_unreadable' }],
  ['endless answer', { kind: 'endless' }, { code: 'source_unreadable' }],
  ['redirect to loopback', { kind: 'redirect', to: 'http://127.0.0.1:9/' }, { code: 'source_unreadable' }],
  ['cut before the answer', { kind: 'cut', when: 'before' }, { code: 'source_unavailable', inDoubt: true }],
  ['cut in the middle', { kind: 'cut', when: 'middle' }, { code: 'source_unavailable', inDoubt: true }],
];

/**
 * Checks the promises of `LiveAdSource`; run by every implementation over real HTTP. The stage's source has the deadline given, and
 * its replies have the shapes that its definition has recorded. `exceptions` names the troubles of the table that mean something else at this source, and what.
 */
export function liveAdSourceContract(
  { id, recordedShapes = [] }: LiveSourceDefinition,
  openStage: (deadlineMs: number) => Promise<LiveSourceStage>,
  details: WireInfo,
  exceptions: Readonly<Record<string, object>> = {},
): void {
  let stage: LiveSourceStage;
  const ask = (company: CompanyQuery, signal?: AbortSignal): Promise<AdsAnswer> =>
    stage.source.findAds(questionAbout(company), plainExchange(signal).exchange);

  async function errorOf(failure: Failure): Promise<EnrichError> {
    stage.bring(failure);
    const error: unknown = await ask(stage.withAds).then(
      (answer) => new Error(`an answer instead of an error: ${JSON.stringify(answer).slice(0, 200)}`),
      (reason: unknown) => reason,
    );
    if (!(error instanceof EnrichError)) throw new Error('no expected error was thrown', { cause: error });
    for (const secret of stage.secrets) expect(error.message).not.toContain(secret);
    return error;
  }

  describe('every live source', () => {
    beforeEach(async () => {
      stage = await openStage(5_000);
    });
    afterEach(() => stage.close());

    test('answers found with at least one ad, each with its identity or its text', async () => {
      const answer = await ask(stage.withAds);
      if (answer.kind !== 'found') throw new Error(`the answer is ${answer.kind}`);
      expect(answer.ads.length).toBeGreaterThan(0);
      for (const { advertiserId, creativeId, text } of answer.ads)
        expect(text !== null || (advertiserId !== null && creativeId !== null)).toBe(true);
    });

    test('answers none where there are none', async () => {
      expect(await ask(stage.withoutAds)).toMatchObject({ kind: 'none' });
    });

    test('answers no match, never none, where it cannot tell the company', async () => {
      if (stage.unknown !== null) expect(await ask(stage.unknown)).toEqual({ kind: 'no_match' });
    });

    test('tells of each call what it asks, what it says and what it costs at most', async () => {
      const { exchange, made } = plainExchange();
      await stage.source.findAds(questionAbout(stage.withAds), exchange);
      expect(made.length).toBeGreaterThan(0);
      expect(new Set(made.map(({ about }) => about)).size).toBe(made.length);
      for (const { about, units, unitsMax } of made) {
        for (const secret of stage.secrets) expect(about).not.toContain(secret);
        expect(units).toBeLessThanOrEqual(unitsMax);
      }
      expect(made.at(-1)?.says).toBe('found');
    });

    test('is named and keeps its bucket under the id of its definition, without its secrets', () => {
      expect(stage.source.name).toBe(id);
      expect(stage.source.bucket.startsWith(id)).toBe(true);
      for (const secret of stage.secrets) expect(stage.source.bucket).not.toContain(secret);
    });

    test.each(failures)('throws the error that tells: %s', async (name, failure, expected) => {
      expect(await errorOf(failure)).toMatchObject(exceptions[name] ?? expected);
    });

    test.each(details.disguised.map(({ name, failure, code }) => [name, failure, code] as const))(
      'throws the error that tells: %s',
      async (_, failure, code) => {
        expect(await errorOf(failure)).toMatchObject({ code });
      },
    );

    test('throws the error that tells: nobody there', async () => {
      await stage.close();
      expect(await errorOf({ kind: 'hang' })).toMatchObject({ code: 'source_unavailable', inDoubt: false });
    });

    test('is itself again once the trouble is over', async () => {
      const before = await ask(stage.withAds);
      await errorOf({ kind: 'status', status: 500 });
      await errorOf({ kind: 'malformed' });
      await errorOf({ kind: 'cut', when: 'middle' });
      stage.bring(null);
      expect(await ask(stage.withAds)).toEqual(before);
    });

    test('rethrows the reason of the caller who aborts, before and during the call', async () => {
      stage.bring({ kind: 'hang' });
      const caller = new AbortController();
      const call = ask(stage.withAds, caller.signal);
      const reason = new Error('the worker stops');
      caller.abort(reason);
      await expect(call).rejects.toBe(reason);
      await expect(ask(stage.withAds, caller.signal)).rejects.toBe(reason);
    });

    // A source without recorded shapes checks its replies by itself.
    if (recordedShapes.length > 0)
      test('gives replies of a recorded shape, and a renamed key shows', () => {
        const differenceOf = (reply: unknown) =>
          differenceFromRecorded(recordedShapes, JSON.stringify(reply));
        expect(differenceOf(details.reply)).toEqual({ missing: [], added: [] });
        for (const path of keyPaths(details.reply))
          expect(differenceOf(renameKey(details.reply, path))?.added, path).toContain(`${path}_renamed`);
      });

    describe('of a reply that changed', () => {
      const isOf = (paths: readonly string[], path: string) =>
        paths.some((each) => (each.endsWith('*') ? path.startsWith(each.slice(0, -1)) : path === each));
      const needed = keyPaths(details.reply).filter((path) => !isOf(details.dispensable, path));

      test('there are keys to rename', () => {
        expect(needed.length).toBeGreaterThan(0);
        for (const path of [...details.dispensable, ...details.nullable])
          expect(
            keyPaths(details.reply).some((each) => isOf([path], each)),
            path,
          ).toBe(true);
      });

      test.each(needed)('the key %s is missed when it goes by another name', async (path) => {
        expect(await errorOf(changed((reply) => renameKey(reply, path)))).toMatchObject(unreadable);
      });

      test.each(needed)('a value of %s that is of another type is noticed', async (path) => {
        expect(await errorOf(changed((reply) => setValue(reply, path, { odd: [] })))).toMatchObject(
          unreadable,
        );
      });

      test.each(needed.filter((path) => !isOf(details.nullable, path)))(
        'a null in place of %s is noticed',
        async (path) => {
          expect(await errorOf(changed((reply) => setValue(reply, path, null)))).toMatchObject(unreadable);
        },
      );

      test.each(keyPaths(details.reply).filter((path) => isOf(details.dispensable, path)))(
        'without the key %s it says the same',
        async (path) => {
          const before = await ask(stage.withAds);
          stage.bring(changed((reply) => renameKey(reply, path)));
          expect(await ask(stage.withAds)).toEqual(before);
        },
      );
    });
  });

  test('a live source gives up when its deadline has passed, and counts the call as sent', async () => {
    stage = await openStage(200);
    try {
      expect(await errorOf({ kind: 'hang' })).toMatchObject({ code: 'source_unavailable', inDoubt: true });
    } finally {
      await stage.close();
    }
  });
}

const unreadable = { code: 'source_unreadable' };

function changed(change: (reply: unknown) => unknown): Failure {
  return { kind: 'change', change };
}
