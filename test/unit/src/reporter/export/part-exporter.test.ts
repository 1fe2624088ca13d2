import { mkdirSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BatchReportStore, ReportLine } from '../../../../../src/core/batches/batch-report.ts';
import type { PartRequest } from '../../../../../src/core/destinations/part-exporter.ts';
import { openPartExporter } from '../../../../../src/reporter/export/part-exporter.ts';
import { testFolder } from '../../../../support/storage/local-files.ts';

const request: PartRequest = {
  batchKey: 1,
  shape: 'rows',
  format: 'ndjson',
  options: { raw: false, gzip: false },
  linesMax: 2,
  signal: new AbortController().signal,
};

/** Lines of an e-mail batch with one cell each. */
function storeOf(cells: readonly string[]): BatchReportStore {
  const lines = cells.map(
    (cell, index) =>
      ({
        cells: [cell],
        lineNo: index + 2,
        outcome: 'rejected',
        email: null,
        reason: null,
      }) as unknown as ReportLine,
  );
  async function* blocks() {
    yield await Promise.resolve(lines);
  }
  return {
    read: (_, __, use) => use(blocks(), { header: ['email'], cellsMax: 1, operations: ['email_validation'] }),
    readPage: notHere,
    openSpan: notHere,
    readEnded: notHere,
  };
}

const notHere = () => Promise.reject(new Error('not part of this test'));

describe('exporter of parts', () => {
  test('writes the next part while the last one is placed, and keeps two at most', async () => {
    const parent = testFolder();
    const exporter = await openPartExporter(storeOf(['a', 'b', 'c', 'd', 'e']), parent);
    const contents: string[] = [];
    const counts: number[] = [];
    await exporter.exportParts(request, async ({ path, rows }) => {
      // Time for the next part.
      await new Promise((resolve) => setTimeout(resolve, 50));
      contents.push(...(readFileSync(path, 'utf8').match(/"email":"."/g) ?? []));
      counts.push(rows, readdirSync(join(path, '..')).length);
    });
    expect(contents).toEqual(['a', 'b', 'c', 'd', 'e'].map((cell) => `"email":"${cell}"`));
    expect(counts).toEqual([2, 2, 2, 2, 1, 1]);
    await exporter.close();
    expect(readdirSync(parent)).toEqual([]);
  });

  test('stops at the error of a part that is placed', async () => {
    const exporter = await openPartExporter(storeOf(['a', 'b', 'c', 'd', 'e']), testFolder());
    const placed: number[] = [];
    const exporting = exporter.exportParts(request, ({ rows }) => {
      placed.push(rows);
      return Promise.reject(new Error('the storage is away'));
    });
    await expect(exporting).rejects.toThrow('the storage is away');
    expect(placed).toHaveLength(1);
    await exporter.close();
  });

  test('removes the folders of killed processes after a day', async () => {
    const parent = testFolder();
    for (const name of ['landing-old', 'landing-new', 'mine']) mkdirSync(join(parent, name));
    const dayAgo = new Date(Date.now() - 25 * 3_600_000);
    for (const name of ['landing-old', 'mine']) utimesSync(join(parent, name), dayAgo, dayAgo);
    const exporter = await openPartExporter(storeOf([]), parent);
    await exporter.close();
    expect(readdirSync(parent).sort()).toEqual(['landing-new', 'mine']);
  });
});
