import { expect, test } from 'vitest';
import { InDoubt } from '../../../../../src/core/errors.ts';
import { createSourceCallExecutor } from '../../../../../src/core/sources/source-call-executor.ts';
import type { EarlierCall } from '../../../../../src/core/work/claim.ts';
import { fakeAsking, fakeLiveSource, lookupsOf } from '../../../../support/sources/fake-calls.ts';

const restored: EarlierCall = { callId: 7n, source: 'live', about: 'ads of d:company-1.com', state: 'kept' };

/** Asks about a company for which a restore brought back a call. Returns the answer, and the companies that the source was asked about. */
async function ask(call: EarlierCall | null, reply: string | null) {
  const { source, questions } = fakeLiveSource(() => ({ kind: 'none', matchedBy: 'domain' }));
  const { options } = fakeAsking();
  const calls = { ...options.calls, adopt: async () => call, readReply: async () => reply };
  const [lookup] = lookupsOf(1);
  if (lookup === undefined) throw new Error('no lookup');
  const executor = createSourceCallExecutor(source, lookup, { ...options, calls });
  const question = { ...lookup, adsMax: null } as unknown as Parameters<typeof source.findAds>[0];
  const answer = await source.findAds(question, executor).catch((error: unknown) => error);
  return { answer, asked: questions.length };
}

test('the reply of a call that a restore brought back is read instead of a new call', async () => {
  const { answer, asked } = await ask(restored, JSON.stringify({ kind: 'none', matchedBy: 'name' }));
  expect([answer, asked]).toEqual([{ kind: 'none', matchedBy: 'name' }, 0]);
});

test.each<[string, EarlierCall]>([
  ['whose reply is missing', restored],
  ['whose answer never came', { ...restored, state: 'lost' }],
])('a call that a restore brought back, %s, is in doubt and not repeated', async (_, call) => {
  const { answer, asked } = await ask(call, null);
  expect(answer).toBeInstanceOf(InDoubt);
  expect(asked).toBe(0);
});

test('without such a call, the source is called', async () => {
  const { answer, asked } = await ask(null, null);
  expect([answer, asked]).toEqual([{ kind: 'none', matchedBy: 'domain' }, 1]);
});
