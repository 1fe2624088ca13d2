import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { blockOf, rowsPerBlock } from '../../../src/core/batches/row-blocks.ts';
import { openTestApi, type TestApi } from '../../support/api/test-api.ts';
import { uploadBatch, waitForState } from '../../support/api/uploaded-batch.ts';

/** This many rows are too few for an index; one more is enough. */
const rowsOfShort = 2000;
const rowsOfLong = rowsOfShort + 1;
const blocksOfLong = Math.ceil(rowsOfLong / rowsPerBlock);

let api: TestApi;
let long: Batch;
let short: Batch;

interface Batch {
  readonly id: number;
  readonly publicId: string;
}

beforeAll(async () => {
  api = await openTestApi({ workers: true });
  const key = await api.createKey();
  long = await lookUp(key, rowsOfLong);
  short = await lookUp(key, rowsOfShort);
});
afterAll(() => api.close());

test('a long batch gets its index blocks when it ends, and a short one gets none', async () => {
  await isPrepared(long);
  expect(await readBlocks(long)).toEqual(Array.from({ length: blocksOfLong }, (_, i) => i));
  await api.app.batches.results.index.update(new AbortController().signal);
  expect([await readBlocks(short), await hasFacets(short)]).toEqual([[], false]);
});

test.each([1, rowsPerBlock, rowsPerBlock + 1, rowsOfLong])(
  'a change of row %i deletes its block and the facets, and both are made again',
  async (rowNo) => {
    await isPrepared(long);
    const { owner } = api.database;
    const client = await owner.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query(
        `UPDATE nightshift.row_blocks SET warnings = array_fill('changed'::text, ARRAY[rows::integer])
          WHERE batch_id = $1 AND block_no = $2`,
        [long.id, blockOf(rowNo)],
      );
      const left = await client.query<{ block_no: number }>(blocksSql, [long.id]);
      const facets = await client.query(facetsSql, [long.id]);
      const gone = blockOf(rowNo);
      expect(left.rows.map(({ block_no: blockNo }) => blockNo)).toEqual(
        Array.from({ length: blocksOfLong }, (_, i) => i).filter((blockNo) => blockNo !== gone),
      );
      expect(facets.rows).toEqual([]);
      await client.query('COMMIT');
    } finally {
      client.release();
    }
    await isPrepared(long);
    expect(await readBlocks(long)).toHaveLength(blocksOfLong);
  },
);

describe('an order of the rows of a batch', () => {
  test('by a column of the results is prepared in both directions, as a page would sort it', async () => {
    await isPrepared(long);
    expect((await readOrders(long)).toSorted()).toEqual(prepared.toSorted());
    for (const sort of prepared) {
      const kept = await readSorted(long, sort);
      await deleteOrders(long);
      expect([sort, await readSorted(long, sort)]).toEqual([sort, kept]);
    }
    expect(await readOrders(short)).toEqual([]);
  });

  test('by a column of the file is kept for a long batch, with all pages, and not for a short one', async () => {
    await deleteOrders(long);
    await readSorted(short, 'cells.2');
    const sorted = await readSorted(long, '-cells.2');
    expect(sorted).toEqual(Array.from({ length: rowsOfLong }, (_, i) => rowsOfLong - i));
    expect([await readOrders(short), await readOrders(long)]).toEqual([[], ['-cells.2']]);
    expect(await readSorted(long, '-cells.2')).toEqual(sorted);
  });

  test('is read from where it is kept', async () => {
    await readSorted(long, 'cells.2');
    await api.database.owner.pool.query(
      "UPDATE nightshift.row_orders SET row_nos = ARRAY[5, 3] WHERE batch_id = $1 AND sort = 'cells.2'",
      [long.id],
    );
    expect(await readSorted(long, 'cells.2')).toEqual([5, 3]);
  });

  test('is deleted by a change of a row, and when the batch has finished again', async () => {
    const { pool } = api.database.owner;
    await readSorted(long, 'cells.2');
    await pool.query(
      'UPDATE nightshift.row_blocks SET warnings = warnings WHERE batch_id = $1 AND block_no = 0',
      [long.id],
    );
    expect(await readOrders(long)).toEqual([]);
    await readSorted(long, 'cells.2');
    await pool.query(
      "UPDATE nightshift.row_orders SET row_nos = '{}', finished_at = finished_at - interval '1 s' WHERE batch_id = $1",
      [long.id],
    );
    expect(await readSorted(long, 'cells.2')).toHaveLength(rowsOfLong);
    await isPrepared(long);
  });

  test('is dropped for twenty later ones', async () => {
    await deleteOrders(long);
    const sorts = Array.from({ length: 21 }, (_, i) => `cells.${i + 1}`);
    for (const sort of sorts) await readSorted(long, sort);
    expect((await readOrders(long)).toSorted()).toEqual(sorts.slice(1).toSorted());
  });

  const columns = ['company', 'outcome', 'ads', 'source', 'credits', 'email'];
  const prepared = ['-row', ...columns, ...columns.map((column) => `-${column}`)];

  function deleteOrders({ id }: Batch) {
    return api.database.owner.pool.query('DELETE FROM nightshift.row_orders WHERE batch_id = $1', [id]);
  }

  async function readSorted({ publicId }: Batch, sort: string): Promise<readonly number[]> {
    const key = await api.createKey();
    const rowNos: number[] = [];
    for (let next: string | null = ''; next !== null;) {
      const path: string = `/v1/batches/${publicId}/rows?sort=${sort}&limit=1000${next}`;
      const page = (await api.call('GET', path, { key })).json() as {
        rows: readonly { row: number }[];
        next: string | null;
      };
      rowNos.push(...page.rows.map(({ row }) => row));
      next = page.next === null ? null : `&after=${page.next}`;
    }
    return rowNos;
  }

  async function readOrders({ id }: Batch): Promise<readonly string[]> {
    const { rows } = await api.database.owner.pool.query<{ sort: string }>(
      'SELECT sort FROM nightshift.row_orders WHERE batch_id = $1',
      [id],
    );
    return rows.map(({ sort }) => sort);
  }
});

async function lookUp(key: string, rows: number): Promise<Batch> {
  const lines = Array.from({ length: rows }, (_, i) => `company-${i % 7}.com,${rows} ${i}`);
  const publicId = await uploadBatch(api, key, ['domain,note', ...lines].join('\n'));
  await waitForState(api, key, publicId, 'finished');
  const { rows: found } = await api.database.owner.pool.query<{ id: string }>(
    'SELECT id FROM nightshift.batches WHERE public_id = $1',
    [publicId],
  );
  return { id: Number(found[0]?.id), publicId };
}

const blocksSql = 'SELECT block_no FROM nightshift.search_blocks WHERE batch_id = $1 ORDER BY block_no';
const facetsSql = 'SELECT FROM nightshift.batch_facets WHERE batch_id = $1';

/** The dispatcher prepares it. The timeout of the test is the only limit. */
async function isPrepared(batch: Batch): Promise<void> {
  await vi.waitUntil(() => hasFacets(batch), { timeout: 600_000, interval: 50 });
}

async function readBlocks({ id }: Batch): Promise<readonly number[]> {
  const { rows } = await api.database.owner.pool.query<{ block_no: number }>(blocksSql, [id]);
  return rows.map(({ block_no: blockNo }) => blockNo);
}

async function hasFacets({ id }: Batch): Promise<boolean> {
  return (await api.database.owner.pool.query(facetsSql, [id])).rows.length > 0;
}
