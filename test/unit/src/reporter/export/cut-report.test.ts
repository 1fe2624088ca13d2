import { expect, test } from 'vitest';
import { cutReport } from '../../../../../src/reporter/export/cut-report.ts';
import type { Lines } from '../../../../../src/reporter/formats/report-writer.ts';

async function* blocksOf(
  sizes: readonly number[],
  onEnd: () => void = () => undefined,
): AsyncGenerator<Lines> {
  let next = 1;
  try {
    for (const size of sizes) {
      yield await Promise.resolve(Array.from({ length: size }, () => [next++]));
    }
  } finally {
    onEnd();
  }
}

async function cut(sizes: readonly number[], linesMax: number): Promise<readonly (readonly unknown[])[]> {
  const parts: unknown[][] = [];
  for await (const part of cutReport(blocksOf(sizes), linesMax)) {
    const lines: unknown[] = [];
    for await (const block of part) lines.push(...block.map(([cell]) => cell));
    parts.push(lines);
  }
  return parts;
}

test('a report is cut into the same parts, however its blocks are divided', async () => {
  const expected = [[1, 2, 3], [4, 5, 6], [7]];
  for (const sizes of [[7], [1, 1, 1, 1, 1, 1, 1], [3, 3, 1], [2, 5], [4, 3], [0, 6, 0, 1, 0]])
    expect(await cut(sizes, 3)).toEqual(expected);
});

test('a report that fills its last part has no empty part', async () => {
  expect(await cut([3, 3], 3)).toEqual([
    [1, 2, 3],
    [4, 5, 6],
  ]);
});

test('a report without lines has one empty part', async () => {
  expect(await cut([], 3)).toEqual([[]]);
  expect(await cut([0, 0], Number.POSITIVE_INFINITY)).toEqual([[]]);
});

test('a reader that stops ends the source', async () => {
  let isEnded = false;
  for await (const part of cutReport(
    blocksOf([2, 2, 2], () => (isEnded = true)),
    2,
  )) {
    for await (const block of part) expect(block).toHaveLength(2);
    break;
  }
  expect(isEnded).toBe(true);
});
