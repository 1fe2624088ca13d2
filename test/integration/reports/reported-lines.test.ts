import { expect, test } from 'vitest';
import { createBatchReportStore } from '../../../db/stores/reports/batch-report.ts';
import type { ReportLine } from '../../../src/core/batches/batch-report.ts';
import { openTestDatabase } from '../../support/db/database.ts';
import { editRows } from '../../support/db/edit-rows.ts';
import { buildFixture } from '../../support/db/fixture.ts';

test('report has every row of the input once, in order, including rejected rows and duplicates', async () => {
  const lines = await readFinished();
  expect(lines.map(({ lineNo }) => lineNo)).toEqual([2, 3, 4, 5, 6, 7, 8]);
  expect(lines.map(({ outcome }) => outcome)).toEqual([
    'found',
    'found',
    'none',
    'no_match',
    'failed',
    'found',
    'rejected',
  ]);
  expect(lines.at(-1)?.cells).toEqual(['Odd', 'odd.com', 'more']);
});

test('report has the charge of a company on the first of its rows only', async () => {
  const lines = await readFinished();
  expect(lines.map(({ chargedMicro }) => chargedMicro)).toEqual([200_000n, 200_000n, 0n, 0n, 0n, 0n, 0n]);
});

/** Lines of a batch of seven rows, of which the sixth repeats the company of the first and the last is rejected. */
async function readFinished(): Promise<readonly ReportLine[]> {
  const { app, owner } = await openTestDatabase();
  const { finished } = await buildFixture(app);
  // Updated rows are stored elsewhere on disk: their physical order is not that of the file.
  await owner.pool.query(editRows(`UPDATE nightshift.batch_rows SET warning = 'w' WHERE row_no <= 2`));
  const lines: ReportLine[] = [];
  await createBatchReportStore(app.sql).read(finished.batchId, { depth: 'rows' }, async (blocks) => {
    for await (const block of blocks) lines.push(...block);
  });
  return lines;
}
