import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LiveAdSource } from '../../src/core/ads/ad-source.ts';
import type { CompanyQuery } from '../../src/core/company.ts';
import { EnrichError } from '../../src/core/errors.ts';

/** Ways in which a source goes wrong that every live source must tell apart. */
export type SourceTrouble =
  | 'asks to slow down'
  | 'asks to slow down for 7 s'
  | 'server error'
  | 'overloaded for 7 s'
  | 'refuses the key'
  | 'not JSON'
  | 'not the agreed shape'
  | 'huge answer'
  | 'endless answer'
  | 'redirect'
  | 'cut before the answer'
  | 'cut in the middle'
  | 'silence'
  | 'nobody there';

/** A live source over a server that can be told to go wrong. */
export interface LiveSourceStage {
  readonly source: LiveAdSource;
  /** The credential: no message may show it. */
  readonly secret: string;
  readonly withAds: CompanyQuery;
  readonly withoutAds: CompanyQuery;
  /** Makes every following call go wrong in this way, or right again; not asked for anything after `nobody there`. */
  readonly bring: (trouble: SourceTrouble | null) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Checks the promises of `LiveAdSource`; run by every implementation. The stage's source has this deadline. */
export function liveAdSourceContract(openStage: (deadlineMs: number) => Promise<LiveSourceStage>): void {
  let stage: LiveSourceStage;
  const signal = new AbortController().signal;
  const ask = (company: CompanyQuery, by = signal) =>
    stage.source.findAds({ company, requestKey: 'request-1' }, by);

  async function errorOf(trouble: SourceTrouble): Promise<unknown> {
    await stage.bring(trouble);
    const error: unknown = await ask(stage.withAds).catch((reason: unknown) => reason);
    if (!(error instanceof EnrichError)) throw new Error('no expected error was thrown', { cause: error });
    expect(error.message).not.toContain(stage.secret);
    return error;
  }

  describe('every live source', () => {
    beforeEach(async () => {
      stage = await openStage(5_000);
    });
    afterEach(() => stage.close());

    test('answers found with at least one ad', async () => {
      const answer = await ask(stage.withAds);
      expect(answer.kind).toBe('found');
      expect(answer.kind === 'found' && answer.ads.length).toBeGreaterThan(0);
    });

    test('answers none where there are none', async () => {
      expect(await ask(stage.withoutAds)).toMatchObject({ kind: 'none' });
    });

    test('names its bucket without its secret', () => {
      expect(stage.source.bucket.startsWith(stage.source.name)).toBe(true);
      expect(stage.source.bucket).not.toContain(stage.secret);
    });

    test.each([
      ['asks to slow down', { code: 'source_throttled', retry: { kind: 'backoff' } }],
      ['asks to slow down for 7 s', { code: 'source_throttled', retry: { kind: 'after', delayMs: 7000 } }],
      ['overloaded for 7 s', { code: 'source_throttled', retry: { kind: 'after', delayMs: 7000 } }],
      ['server error', { code: 'source_unavailable', inDoubt: false, retry: { kind: 'backoff' } }],
      ['refuses the key', { code: 'source_refused', status: 401, retry: { kind: 'never' } }],
      ['not JSON', { code: 'source_unreadable', retry: { kind: 'never' } }],
      ['not the agreed shape', { code: 'source_unreadable' }],
      ['huge answer', { code: 'source_unreadable' }],
      ['endless answer', { code: 'source_unreadable' }],
      ['redirect', { code: 'source_unreadable' }],
      ['cut before the answer', { code: 'source_unavailable', inDoubt: true }],
      ['cut in the middle', { code: 'source_unavailable', inDoubt: true }],
      ['nobody there', { code: 'source_unavailable', inDoubt: false }],
    ] as const)('throws the error that tells: %s', async (trouble, expected) => {
      expect(await errorOf(trouble)).toMatchObject(expected);
    });

    test('is itself again once the trouble is over', async () => {
      const before = await ask(stage.withAds);
      for (const trouble of ['server error', 'not JSON', 'cut in the middle'] as const)
        await errorOf(trouble);
      await stage.bring(null);
      expect(await ask(stage.withAds)).toEqual(before);
    });

    test('rethrows the reason of the caller who aborts, before and during the call', async () => {
      await stage.bring('silence');
      const caller = new AbortController();
      const call = ask(stage.withAds, caller.signal);
      const reason = new Error('the worker stops');
      caller.abort(reason);
      await expect(call).rejects.toBe(reason);
      await expect(ask(stage.withAds, caller.signal)).rejects.toBe(reason);
    });
  });

  test('a live source gives up when its deadline has passed, and counts the call as sent', async () => {
    stage = await openStage(200);
    try {
      expect(await errorOf('silence')).toMatchObject({ code: 'source_unavailable', inDoubt: true });
    } finally {
      await stage.close();
    }
  });
}
