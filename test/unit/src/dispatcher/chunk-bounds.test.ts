import { describe, expect, test } from 'vitest';
import { createChunkBounds } from '../../../../src/dispatcher/chunk-bounds.ts';

/** Calls per second of each source. */
const paces = new Map([
  ['slow', 0.05],
  ['one', 1],
  ['fast', 50],
  ['bulk', 30],
]);

const { sizeOf, searchChunksMax } = createChunkBounds({
  isLocal: (source) => source === 'local',
  paceOf: (source) => {
    const requestsPerSecond = paces.get(source);
    return requestsPerSecond === undefined ? null : { requestsPerSecond, burst: 1 };
  },
  companiesPerCall: (source) => (source === 'bulk' ? 100 : 1),
});

test('chunks are small where each company is a call, and smaller beside other accounts', () => {
  const sizes = (accounts: number) =>
    [['fast'], ['one'], ['local'], ['local', 'fast'], ['one', 'bulk']].map((sources) =>
      sizeOf('ads_search', sources, accounts),
    );
  expect(sizes(1)).toEqual([25, 25, 500, 25, 100]);
  expect(sizes(20)).toEqual([10, 4, 500, 10, 100]);
  expect(sizeOf('email_validation', ['fast'], 20)).toBe(2000);
});

describe('the number of chunks of companies', () => {
  test('follows from the pace of the source', () => {
    // 50, 1 and 0.05 calls a second for 5 minutes, in chunks of 25, and 30 in chunks of one call, times 4.
    expect([['fast'], ['one'], ['slow'], ['bulk']].map((sources) => searchChunksMax(sources, 1))).toEqual([
      2400, 48, 3, 36_000,
    ]);
    expect(searchChunksMax(['one'], 20)).toBe(300);
  });

  test('has no bound without a pace', () => {
    expect([['local'], ['open'], ['local', 'open']].map((sources) => searchChunksMax(sources, 1))).toEqual([
      Infinity,
      Infinity,
      Infinity,
    ]);
  });

  test('lets a faster source go ahead of a slower one, and a slower one delay a faster one', () => {
    expect(
      [
        ['local', 'slow'],
        ['one', 'slow'],
        ['slow', 'one'],
        ['open', 'fast', 'slow'],
        ['slow', 'bulk'],
      ].map((sources) => searchChunksMax(sources, 1)),
    ).toEqual([512, 512, 3, 2400, 1]);
  });
});
