import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Cell, Report } from '../../../../src/reporter/formats/report-row.ts';
import type { WriteReportOptions } from '../../../../src/reporter/export/write-report.ts';

export const columns = [
  { name: 'name', own: true },
  { name: 'ads_count', own: false },
];

/** Details of the manifest in these tests. */
export const about: WriteReportOptions['about'] = {
  shape: 'rows',
  createdAt: new Date('2026-03-01T04:05:06.000Z'),
  details: { batch: 'batch_1', outcomes: { found: 2, none: 1 }, credits: '0.4' },
};

/** A report with a number of lines in blocks of a given size. Calls `onBlock` before each block; it may throw or inspect files. */
export function reportOf(
  lineCount: number,
  blockSize: number,
  onBlock: (block: number) => unknown = () => undefined,
): Report {
  return { columns, blocks: blocksOf(lineCount, blockSize, onBlock) };
}

async function* blocksOf(lineCount: number, blockSize: number, onBlock: (block: number) => unknown) {
  for (let first = 0; first < lineCount; first += blockSize) {
    await onBlock(first / blockSize);
    yield linesFrom(first, Math.min(blockSize, lineCount - first));
  }
}

function linesFrom(first: number, count: number): readonly (readonly Cell[])[] {
  return Array.from({ length: count }, (_, index) => [`company ${first + index}`, first + index]);
}

/** Creates a folder that the end of the test removes. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'report-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Names in a folder, sorted. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).sort();
}
