import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createHttpClient } from '../../src/adapters/http/http.ts';
import type { LiveAdSource } from '../../src/core/sources/ad-source.ts';
import { noDetails } from '../../src/core/ads/ad-details.ts';
import type { AdsAnswer } from '../../src/core/ads/ads-answer.ts';
import type { CompanyQuery } from '../../src/core/companies/company.ts';
import { EnrichError, SourceRefused } from '../../src/core/errors.ts';
import type { LiveSourceDefinition } from '../../src/sources/definition/source-definition.ts';
import type { SourceSettings, ValuesOf } from '../../src/sources/definition/source-setting.ts';
import { differenceFromRecorded } from '../../src/sources/replies/compare-recorded.ts';
import { noLimits } from '../support/api/no-limits.ts';
import { plainExchange, questionAbout } from '../support/sources/plain-exchange.ts';
import { keyPaths, renameKey, setValue } from '../support/sources/wire-changes.ts';
import type { Failure } from '../support/stand-in/stand-in-failures.ts';

/** A live source with a stand-in that can fail. */
export interface LiveSourceStage {
  readonly source: LiveAdSource;
  /** Base URL of the stand-in. */
  readonly url: string;
  /** Settings by which the definition opens the same source, without those that have a default. No message may show a secret one. */
  readonly settings: ValuesOf<SourceSettings>;
  readonly withAds: CompanyQuery;
  readonly withoutAds: CompanyQuery;
  /** A company that the source reports as unknown; null if it has no such answer. */
  readonly unknown: CompanyQuery | null;
  /** Makes all further calls fail in this way; null: no failure. */
  readonly failWith: (failure: Failure | null) => void;
  /** Stops the server: connections fail. */
  readonly close: () => Promise<void>;
}

/** Details of one source's replies. */
export interface WireInfo {
  /** JSON of the reply for `withAds` from the stand-in: the tests rename every key in it once. */
  readonly reply: unknown;
  /** Paths of optional keys (`ads[].creative_id`, or a prefix with `*` at its end): the answer is the same without them. */
  readonly dispensable: readonly string[];
  /** Paths of keys that say something beside the content of an ad: absent or in any form, only `details` differ. Default: none. */
  readonly beside?: readonly string[];
  /** Paths of keys that may be null. */
  readonly nullable: readonly string[];
  /** Replies with status 200 that are an outage, a block or a rejection, and the code of the expected error. */
  readonly disguised: readonly { readonly name: string; readonly failure: Failure; readonly code: string }[];
}

const retryAfter = (status: number): Failure => ({ kind: 'status', status, retryAfter: '7' });
const after7s = { code: 'source_throttled', retry: { kind: 'after', delayMs: 7000 } };

/** Failures that every source treats alike, regardless of its replies. */
const failures: readonly (readonly [string, Failure, object])[] = [
  ['a 429', { kind: 'status', status: 429 }, { code: 'source_throttled', retry: { kind: 'backoff' } }],
  ['a 429 with Retry-After', retryAfter(429), after7s],
  ['a 503 with Retry-After', retryAfter(503), after7s],
  ['a 500', { kind: 'status', status: 500 }, { code: 'source_unavailable', inDoubt: false }],
  ['a 502', { kind: 'status', status: 502 }, { code: 'source_unavailable', inDoubt: true }],
  ['a rejected key', { kind: 'status', status: 401 }, { code: 'source_refused', status: 401 }],
  ['invalid JSON', { kind: 'malformed' }, { code: 'source_unreadable' }],
  ['another shape', { kind: 'body', body: { found: [] } }, { code: 'source_unreadable' }],
  ['an empty object', { kind: 'body', body: {} }, { code: 'source_unreadable' }],
  ['the body null', { kind: 'body', body: null }, { code: 'source_unreadable' }],
  ['a text', { kind: 'body', body: 'ok' }, { code: 'source_unreadable' }],
  ['a body above the size limit', { kind: 'huge', bytes: 20_000_000 }, { code: 'source_unreadable' }],
  ['an endless body', { kind: 'endless' }, { code: 'source_unreadable' }],
  ['a redirect to loopback', { kind: 'redirect', to: 'http://127.0.0.1:9/' }, { code: 'source_unreadable' }],
  [
    'a connection that is closed before the response',
    { kind: 'cut', when: 'before' },
    { code: 'source_unavailable', inDoubt: true },
  ],
  [
    'a connection that is closed within the response',
    { kind: 'cut', when: 'middle' },
    { code: 'source_unavailable', inDoubt: true },
  ],
];

/**
 * Checks the guarantees of `LiveAdSource`; run by every implementation over real HTTP. The source has the given deadline, and its
 * replies match the recorded shapes of its definition. `exceptions` are failures of the table that mean a different error at this
 * source.
 */
export function liveAdSourceContract(
  definition: LiveSourceDefinition,
  openStage: (deadlineMs: number) => Promise<LiveSourceStage>,
  details: WireInfo,
  exceptions: Readonly<Record<string, object>> = {},
): void {
  const { id, recordedShapes = [] } = definition;
  let stage: LiveSourceStage;
  const secrets = () => secretsIn(stage.settings, definition.settings);
  const ask = (company: CompanyQuery, signal?: AbortSignal): Promise<AdsAnswer> =>
    stage.source.findAds(questionAbout(company), plainExchange(signal).exchange);

  async function errorOf(failure: Failure, hint = ''): Promise<EnrichError> {
    stage.failWith(failure);
    const error: unknown = await ask(stage.withAds).then(
      (answer) => `the answer ${JSON.stringify(answer).slice(0, 200)}`,
      (reason: unknown) => reason,
    );
    if (!(error instanceof EnrichError)) {
      const got = typeof error === 'string' ? error : inspect(error);
      throw new Error(`expected an error of the source${hint === '' ? '' : ` (${hint})`}, got ${got}`);
    }
    const shown = error instanceof SourceRefused ? `${error.message} ${error.vendorMessage}` : error.message;
    for (const secret of secrets())
      expect(shown, 'list every secret of a request in its `secrets`').not.toContain(secret);
    return error;
  }

  async function expectUnreadable(change: (reply: unknown) => unknown): Promise<void> {
    const hint = 'if this key may be null or absent, list it in nullable or dispensable';
    const error = await errorOf(changed(change), hint);
    expect(error, hint).toMatchObject({ code: 'source_unreadable' });
  }

  describe('live source', () => {
    beforeEach(async () => {
      stage = await openStage(5_000);
    });
    afterEach(() => stage.close());

    test('returns found with at least one ad, each with ids or texts', async () => {
      const answer = await ask(stage.withAds);
      if (answer.kind !== 'found') throw new Error(`the answer is ${answer.kind}`);
      expect(answer.ads.length).toBeGreaterThan(0);
      for (const { advertiserId, creativeId, text } of answer.ads)
        expect(text !== null || (advertiserId !== null && creativeId !== null)).toBe(true);
    });

    test('returns none for a company without ads', async () => {
      expect(await ask(stage.withoutAds)).toMatchObject({ kind: 'none' });
    });

    test('returns no_match, never none, for an unknown company', async () => {
      if (stage.unknown !== null) expect(await ask(stage.unknown)).toEqual({ kind: 'no_match' });
    });

    test('reports subject, result and maximum cost of each call', async () => {
      const { exchange, made } = plainExchange();
      await stage.source.findAds(questionAbout(stage.withAds), exchange);
      expect(made.length).toBeGreaterThan(0);
      expect(new Set(made.map(({ about }) => about)).size).toBe(made.length);
      for (const { about, units, unitsMax } of made) {
        for (const secret of secrets()) expect(about).not.toContain(secret);
        expect(units).toBeLessThanOrEqual(unitsMax);
      }
      expect(made.at(-1)?.says).toBe('found');
    });

    test('has the name and bucket of its definition, without secrets', () => {
      expect(stage.source.name).toBe(id);
      expect(stage.source.bucket.startsWith(id)).toBe(true);
      for (const secret of secrets()) expect(stage.source.bucket).not.toContain(secret);
    });

    test('is opened by its definition, which reads every declared setting', async () => {
      const { settings, unread } = recordReads(definition.settings, stage.settings);
      const http = createHttpClient({ allowedHosts: ['127.0.0.1'] });
      onTestFinished(http.close);
      const limits = { ...noLimits, deadlineMs: 5_000 };
      const installation = 'this-one';
      const opened = await definition.open({ settings, limits, http, installation, version: '1.2.3' });
      expect(await definition.baseUrl.read(settings)).toBe(stage.url);
      expect(unread(), 'let `open` pass these settings to the adapter').toEqual([]);
      expect(opened).toMatchObject({ kind: 'live', name: id, limits });
      if (opened.kind !== 'live') throw new Error(`the source is ${opened.kind}`);
      const answer = await opened.findAds(questionAbout(stage.withAds), plainExchange().exchange);
      expect(answer).toMatchObject({ kind: 'found' });
    });

    test('quotes the message of a rejection, with its secrets masked', async () => {
      // A source without secrets need not quote any.
      if (secrets().length === 0) return;
      const says = `The account is closed: ${secrets().join(', ')}`;
      const quoted: unknown = expect.stringMatching(/^The account is closed: …/);
      const error = await errorOf({ kind: 'status', status: 401, says });
      expect(error, 'send the request with `secrets`, so that the message is quoted').toMatchObject({
        vendorMessage: quoted,
      });
    });

    test.each(failures)('has the right error for %s', async (name, failure, expected) => {
      expect(await errorOf(failure)).toMatchObject(exceptions[name] ?? expected);
    });

    test.each(details.disguised.map(({ name, failure, code }) => [name, failure, code] as const))(
      'has the right error for %s',
      async (_, failure, code) => {
        expect(await errorOf(failure)).toMatchObject({ code });
      },
    );

    test('has the right error for an unreachable server', async () => {
      await stage.close();
      expect(await errorOf({ kind: 'hang' })).toMatchObject({ code: 'source_unavailable', inDoubt: false });
    });

    test('recovers after failures', async () => {
      const before = await ask(stage.withAds);
      await errorOf({ kind: 'status', status: 500 });
      await errorOf({ kind: 'malformed' });
      await errorOf({ kind: 'cut', when: 'middle' });
      stage.failWith(null);
      expect(await ask(stage.withAds)).toEqual(before);
    });

    test('rejects with the reason of the caller who aborts, before and during the call', async () => {
      stage.failWith({ kind: 'hang' });
      const caller = new AbortController();
      const call = ask(stage.withAds, caller.signal);
      const reason = new Error('the worker stops');
      caller.abort(reason);
      await expect(call).rejects.toBe(reason);
      await expect(ask(stage.withAds, caller.signal)).rejects.toBe(reason);
    });

    // A source without recorded shapes validates its replies itself.
    if (recordedShapes.length > 0)
      test('has recorded reply shapes that match, and a renamed key is detected', () => {
        const differenceOf = (reply: unknown) =>
          differenceFromRecorded(recordedShapes, JSON.stringify(reply));
        expect(differenceOf(details.reply)).toEqual({ missing: [], added: [] });
        for (const path of keyPaths(details.reply))
          expect(differenceOf(renameKey(details.reply, path))?.added, path).toContain(`${path}_renamed`);
      });

    describe('detects changes of a reply', () => {
      const isOf = (paths: readonly string[], path: string) =>
        paths.some((each) => (each.endsWith('*') ? path.startsWith(each.slice(0, -1)) : path === each));
      const { dispensable, nullable, beside = [] } = details;
      const needed = keyPaths(details.reply).filter((path) => !isOf([...dispensable, ...beside], path));

      test('in the keys of its example', () => {
        expect(needed.length).toBeGreaterThan(0);
        for (const path of [...dispensable, ...nullable, ...beside])
          expect(
            keyPaths(details.reply).some((each) => isOf([path], each)),
            `${path} is no key of the reply`,
          ).toBe(true);
      });

      test.each(needed)('of the name of the key %s', async (path) => {
        await expectUnreadable((reply) => renameKey(reply, path));
      });

      test.each(needed)('of the type of %s', async (path) => {
        await expectUnreadable((reply) => setValue(reply, path, { odd: [] }));
      });

      test.each(needed.filter((path) => !isOf(nullable, path)))('of %s to null', async (path) => {
        await expectUnreadable((reply) => setValue(reply, path, null));
      });

      test.each(keyPaths(details.reply).filter((path) => isOf(dispensable, path)))(
        'but returns the same without the optional key %s',
        async (path) => {
          const before = await ask(stage.withAds);
          stage.failWith(changed((reply) => renameKey(reply, path)));
          expect(await ask(stage.withAds)).toEqual(before);
        },
      );

      // A suite may not be empty.
      if (beside.length > 0)
        test.each(keyPaths(details.reply).filter((path) => isOf(beside, path)))(
          'but keeps the ads, whatever becomes of %s, which is read into their details',
          async (path) => {
            const before = await ask(stage.withAds);
            const changes = [
              (reply: unknown) => renameKey(reply, path),
              (reply: unknown) => setValue(reply, path, { odd: [] }),
              (reply: unknown) => setValue(reply, path, null),
            ];
            for (const change of changes) {
              stage.failWith(changed(change));
              const after = await ask(stage.withAds);
              expect(after).not.toEqual(before);
              expect(withoutDetails(after)).toEqual(withoutDetails(before));
            }
          },
        );
    });
  });

  test('live source gives up at its deadline, and counts the call as sent', async () => {
    stage = await openStage(200);
    try {
      expect(await errorOf({ kind: 'hang' })).toMatchObject({ code: 'source_unavailable', inDoubt: true });
    } finally {
      await stage.close();
    }
  });
}

function withoutDetails(answer: AdsAnswer): AdsAnswer {
  if (answer.kind !== 'found') return answer;
  return { ...answer, ads: answer.ads.map((ad) => ({ ...ad, details: noDetails })) };
}

/** The secret settings: credentials. */
function secretsIn(values: ValuesOf<SourceSettings>, declared: SourceSettings): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    declared[name]?.kind === 'secret' && typeof value === 'string' ? [value] : [],
  );
}

/** Settings that record which of them are read, with their defaults; a required boolean only turns the source on. */
function recordReads(declared: SourceSettings, given: ValuesOf<SourceSettings>) {
  const defaults = Object.entries(declared).map(
    ([name, setting]) => [name, setting.default ?? null] as const,
  );
  const read = new Set<string | symbol>();
  const settings = new Proxy<ValuesOf<SourceSettings>>(
    { ...Object.fromEntries(defaults), ...given },
    {
      get: (values, name) => {
        read.add(name);
        return typeof name === 'string' ? values[name] : undefined;
      },
    },
  );
  const unread = () =>
    Object.entries(declared).flatMap(([name, { kind, required = false }]) =>
      read.has(name) || (kind === 'boolean' && required) ? [] : [name],
    );
  return { settings, unread };
}

function changed(change: (reply: unknown) => unknown): Failure {
  return { kind: 'change', change };
}
