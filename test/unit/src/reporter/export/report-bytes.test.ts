import { setImmediate } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createNdjsonWriter } from '../../../../../src/reporter/formats/ndjson.ts';
import { gzipped, textBytes } from '../../../../../src/reporter/export/report-bytes.ts';
import { columns, reportOf } from '../sample-report.ts';

async function sizesOf(lineCount: number, blockSize: number): Promise<readonly number[]> {
  const sizes: number[] = [];
  const chunks = textBytes(reportOf(lineCount, blockSize).blocks, createNdjsonWriter(columns));
  for await (const chunk of chunks) sizes.push(chunk.length);
  return sizes;
}

test('blocks of one line are combined into chunks of at least 64 KiB', async () => {
  const sizes = await sizesOf(10_000, 1);
  expect(sizes.length).toBeLessThan(10);
  expect(Math.min(...sizes.slice(0, -1))).toBeGreaterThanOrEqual(65_536);
});

test('a large report is never in memory as a whole', async () => {
  expect(Math.max(...(await sizesOf(50_000, 100)))).toBeLessThan(80_000);
});

test('the source has ended when a reader stops reading compressed bytes', async () => {
  let ended = false;
  async function* source() {
    try {
      for (;;) yield randomBytes(65_536);
    } finally {
      for (let turn = 0; turn < 20; turn += 1) await setImmediate();
      ended = true;
    }
  }
  for await (const chunk of gzipped(source())) {
    if (chunk.length > 0) break;
  }
  expect(ended).toBe(true);
});
