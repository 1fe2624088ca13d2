import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { findAccount } from '../../../db/stores/accounts/accounts.ts';
import { createBatchStore } from '../../../db/stores/batches/batches.ts';
import { anySearch } from '../../../src/core/ads/ads-answer.ts';
import type { BatchStore } from '../../../src/core/batches/batch-store.ts';
import { noBounds } from '../../../src/core/batches/batch.ts';
import { DatabaseUnavailable } from '../../../src/core/errors.ts';
import { loadBatch, type LoadOptions } from '../../../src/producer/load/load-batch.ts';
import { streamOf } from '../../support/csv/company-files.ts';
import { openTestDatabase, type TestDatabase } from '../../support/db/database.ts';
import { listFindings } from '../../support/db/findings.ts';

describe('loaded file', () => {
  test('is stored in order: each row once, with its line, its cells, and a lookup or a reason', async () => {
    const { database, load } = await openLoader();
    const { batchId } = await load(
      'company,domain,note\n' +
        'Nike,nike.com,"two\nlines"\n' +
        '\n' +
        ',not a domain,\n' +
        'Acme,,\n' +
        'Nike again,https://www.nike.com/shoes,\n' +
        'Bad,exa mple,kept\n' +
        'Long,long.com,x,y\n',
    );
    expect(await readRows(database, batchId)).toEqual([
      row(1, 2, ['Nike', 'nike.com', 'two\nlines'], { subject: 'd:nike.com', is_first: true }),
      row(2, 5, ['', 'not a domain', ''], {
        reject_reason: expect.stringContaining('not a domain') as string,
      }),
      row(3, 6, ['Acme', '', ''], { subject: 'n:acme', is_first: true }),
      row(4, 7, ['Nike again', 'https://www.nike.com/shoes', ''], { subject: 'd:nike.com' }),
      row(5, 8, ['Bad', 'exa mple', 'kept'], {
        subject: 'n:bad',
        is_first: true,
        warning: expect.stringContaining('searched by the name') as string,
      }),
      row(6, 9, ['Long', 'long.com', 'x', 'y'], { reject_reason: expect.stringContaining('4') as string }),
    ]);
    expect(await readBatch(database, batchId)).toMatchObject({
      state: 'running',
      rows_total: 6,
      rows_rejected: 2,
      extra_cells: 1,
      lookups_total: 3,
      header: ['company', 'domain', 'note'],
    });
    expect(await listFindings(database)).toEqual([]);
  });

  test('of thousands of rows loses none at block boundaries', async () => {
    const { database, load } = await openLoader();
    const progress: number[] = [];
    const { batchId } = await load(longList(9003), { onProgress: (rows) => progress.push(rows) });
    const rows = await readRows(database, batchId);
    expect(rows.map(({ row_no }) => row_no)).toEqual(Array.from({ length: 9003 }, (_, i) => i + 1));
    expect(rows.map(({ cells }) => cells[0])).toEqual(
      Array.from({ length: 9003 }, (_, i) => `Company ${i + 1}`),
    );
    expect(rows.filter(({ is_first }) => is_first)).toHaveLength(700);
    expect(await countRows(database, 'all_lookups')).toBe(700);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    expect([progress.length > 2, progress.at(-1)]).toEqual([true, 9003]);
    expect(await listFindings(database)).toEqual([]);
  });

  test('shares one lookup among the rows of a company across blocks', async () => {
    const { database, load } = await openLoader();
    const { batchId } = await load(longList(7500));
    const { rows } = await database.app.pool.query<{ lookups: number; firsts: number; rows: number }>(
      `SELECT count(DISTINCT l.subject_key)::integer AS lookups, count(*) FILTER (WHERE r.is_first)::integer AS firsts,
          count(*)::integer AS rows
        FROM nightshift.batch_rows r JOIN nightshift.all_lookups l ON l.id = r.ads_lookup_id WHERE r.batch_id = $1`,
      [batchId],
    );
    expect(rows).toEqual([{ lookups: 700, firsts: 700, rows: 7500 }]);
    const first = await database.app.pool.query<{ late: number }>(
      `SELECT count(*)::integer AS late FROM nightshift.batch_rows r WHERE r.is_first AND EXISTS (
        SELECT 1 FROM nightshift.batch_rows e WHERE e.batch_id = r.batch_id AND e.ads_lookup_id = r.ads_lookup_id
          AND e.row_no < r.row_no)`,
    );
    expect(first.rows).toEqual([{ late: 0 }]);
  });

  test('of invalid rows only makes a batch', async () => {
    const { database, load } = await openLoader();
    const { batchId } = await load('domain\nnot a domain\n-\n');
    expect(await readBatch(database, batchId)).toMatchObject({
      state: 'running',
      rows_total: 2,
      rows_rejected: 2,
      lookups_total: 0,
    });
    expect(await listFindings(database)).toEqual([]);
  });
});

describe('loading the same file again', () => {
  test('continues its batch and adds nothing, under any file name', async () => {
    const { database, load } = await openLoader();
    const first = await load(longList(4500));
    const before = await dumpLists(database);
    const again = await load(longList(4500), { reading: { fileName: 'copy of list.csv' } });
    expect(again).toEqual({ ...first, isNew: false });
    expect(await dumpLists(database)).toEqual(before);
  });

  test('continues its batch after it finished, too', async () => {
    const { database, load } = await openLoader();
    const first = await load(shortList);
    await database.owner.pool.query(`UPDATE nightshift.batches SET state = 'finished', finished_at = now()`);
    expect(await load(shortList)).toEqual({ ...first, isNew: false });
  });

  test('makes a new batch on request, which is continued from then on', async () => {
    const { load } = await openLoader();
    const first = await load(shortList);
    const second = await load(shortList, { again: true });
    expect(second).toMatchObject({ isNew: true });
    expect(second.publicId).not.toBe(first.publicId);
    expect(await load(shortList)).toEqual({ ...second, isNew: false });
  });

  test('makes a new batch when the old one was cancelled', async () => {
    const { database, load } = await openLoader();
    const first = await load(shortList);
    await database.owner.pool.query(`UPDATE nightshift.batches SET state = 'cancelled'`);
    const second = await load(shortList);
    expect([second.isNew, second.publicId === first.publicId]).toEqual([true, false]);
  });

  test.each<[string, Partial<LoadOptions>]>([
    ['another source', { sources: async () => ['snapshot'] }],
    ['another order of sources', { sources: async () => ['upstream', 'snapshot'] }],
    ['another column', { reading: { fileName: 'list.csv', map: { company_name: 'note' } } }],
    ['other column names', { reading: { fileName: 'list.csv', columns: ['company', 'domain', 'remark'] } }],
  ])('makes another batch with %s', async (_, changes) => {
    const { load } = await openLoader();
    const sources = async () => ['snapshot', 'upstream'];
    const first = await load(shortList, { sources });
    const second = await load(shortList, { sources, ...changes });
    expect([second.isNew, second.publicId === first.publicId]).toEqual([true, false]);
  });

  test('makes another batch for another account', async () => {
    const { database, load } = await openLoader();
    const { rows } = await database.owner.pool.query<{ id: string }>(
      `INSERT INTO nightshift.accounts (name) VALUES ('other') RETURNING id`,
    );
    const first = await load(shortList);
    const second = await load(shortList, { accountId: Number(rows[0]?.id) });
    expect([second.isNew, second.publicId === first.publicId]).toEqual([true, false]);
  });
});

describe('interrupted load', () => {
  test.each([1, 2, 3])(
    'after block %i resumes where it stopped, without gaps or duplicates',
    async (blocks) => {
      const { database, load, store } = await openLoader();
      const list = longList(10500);
      await expect(load(list, {}, cutOffAfter(store, blocks))).rejects.toMatchObject({
        code: 'database_unavailable',
      });
      const stored = await countRows(database, 'batch_rows');
      expect([stored > (blocks - 1) * 2000, stored < 10_500]).toEqual([true, true]);
      expect(await readBatch(database, 1)).toMatchObject({ state: 'loading' });
      const { batchId, isNew } = await load(list);
      expect([batchId, isNew]).toEqual([1, false]);
      const rows = await readRows(database, batchId);
      expect(rows.map(({ row_no }) => row_no)).toEqual(Array.from({ length: 10_500 }, (_, i) => i + 1));
      expect(rows.filter(({ is_first }) => is_first)).toHaveLength(700);
      expect(await readBatch(database, 1)).toMatchObject({
        state: 'running',
        rows_total: 10_500,
        lookups_total: 700,
      });
      expect(await listFindings(database)).toEqual([]);
    },
  );

  test('in the middle of a block stores none of the later blocks', async () => {
    const { database, load, store } = await openLoader();
    let calls = 0;
    const appendRows: BatchStore['appendRows'] = (...args) => {
      calls += 1;
      if (calls > 1) return store.appendRows(...args);
      return delay(200).then(() => Promise.reject(new DatabaseUnavailable('away')));
    };
    await expect(load(longList(6500), {}, { ...store, appendRows })).rejects.toThrow('away');
    expect(calls).toBeGreaterThan(1);
    expect(await countRows(database, 'batch_rows')).toBe(0);
  });

  test('before its final step resumes with the stored rows', async () => {
    const { database, load, store } = await openLoader();
    const finishLoading = () => Promise.reject(new DatabaseUnavailable('away'));
    await expect(load(oddList, {}, { ...store, finishLoading })).rejects.toMatchObject({
      code: 'database_unavailable',
    });
    const { batchId } = await load(oddList);
    expect(await readBatch(database, batchId)).toMatchObject({
      state: 'running',
      rows_total: 4,
      rows_rejected: 2,
      extra_cells: 1,
      lookups_total: 2,
    });
    expect(await listFindings(database)).toEqual([]);
  });

  test('is not processed before it is complete', async () => {
    const { database, load, store } = await openLoader();
    await load(longList(7500), {}, cutOffAfter(store, 1)).catch(() => undefined);
    const { rows } = await database.app.pool.query(
      `SELECT 1 FROM nightshift.batches WHERE state = 'running' AND dispatched_to < last_lookup_id`,
    );
    expect(rows).toEqual([]);
  });
});

describe('file with a known digest', () => {
  const content = longList(4500);
  const digestOf = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

  /** Opens the bytes, and counts those that are read of each opening. */
  function countedFile(bytes: Buffer) {
    const read: number[] = [];
    function* piecesOf(nth: number) {
      for (let start = 0; start < bytes.length; start += 1000) {
        const piece = bytes.subarray(start, start + 1000);
        read[nth] = (read[nth] ?? 0) + piece.length;
        yield piece;
      }
    }
    const open = () => Readable.from(piecesOf(read.push(0) - 1));
    return { open, read };
  }

  test('is read once, and is the same file as without it', async () => {
    const { database, load } = await openLoader();
    const first = await load(content);
    const { open, read } = countedFile(Buffer.from(content));
    const second = await load('', { open, sha256: digestOf(content) });
    expect(second).toMatchObject({ batchId: first.batchId, isNew: false });
    expect(read[0]).toBeLessThan(content.length / 2);
    const third = await load('', { open, sha256: digestOf(content), again: true });
    expect(third.isNew).toBe(true);
    expect(read[3]).toBe(content.length);
    expect(await readRows(database, third.batchId)).toHaveLength(4500);
  });

  test('is read twice if it is gzipped: its content counts', async () => {
    const { load } = await openLoader();
    const first = await load(content);
    const bytes = gzipSync(content);
    const { open, read } = countedFile(bytes);
    expect(await load('', { open, sha256: digestOf(bytes) })).toMatchObject({ batchId: first.batchId });
    expect(read[0]).toBe(bytes.length);
  });

  test('that is not the one of its content leaves nothing', async () => {
    const { database, load } = await openLoader();
    const wrong = load(content, { sha256: digestOf('another file') });
    await expect(wrong).rejects.toThrow('changed while it was read');
    expect(await dumpLists(database)).toEqual([[], [], []]);
  });
});

describe('rejected file', () => {
  const strict = { reading: { fileName: 'list.csv', strict: true } };

  test('that is invalid in the middle leaves nothing', async () => {
    const { database, load } = await openLoader();
    await expect(load(`${longList(7500)}"never closed,x.com\n`, strict)).rejects.toMatchObject({
      code: 'validation_error',
    });
    expect(await dumpLists(database)).toEqual([[], [], []]);
  });

  test('that changed while it was read leaves nothing', async () => {
    const { database, load } = await openLoader();
    const contents = [longList(4500), longList(4503)];
    const open = () => streamOf(contents.shift() ?? '');
    await expect(load('', { open })).rejects.toThrow('changed while it was read');
    expect(await dumpLists(database)).toEqual([[], [], []]);
  });

  test('that is rejected after an interrupted load deletes the rows of that load', async () => {
    const { database, load, store } = await openLoader();
    const list = `${longList(18000)}"never closed,x.com\n`;
    await load(list, strict, cutOffAfter(store, 1)).catch(() => undefined);
    expect(await countRows(database, 'batch_rows')).toBeGreaterThan(0);
    await expect(load(list, strict)).rejects.toMatchObject({ code: 'validation_error' });
    expect(await dumpLists(database)).toEqual([[], [], []]);
  });

  test('accepts no more rows, not even those in flight', async () => {
    const { database, load, store } = await openLoader();
    const late: (() => Promise<void>)[] = [];
    const appendRows: BatchStore['appendRows'] = async (...args) =>
      void late.push(() => store.appendRows(...args));
    const list = `${longList(7500)}"never closed,x.com\n`;
    await expect(load(list, strict, { ...store, appendRows })).rejects.toMatchObject({
      code: 'validation_error',
    });
    expect(late.length).toBeGreaterThan(0);
    for (const append of late) await expect(append()).rejects.toMatchObject({ code: 'conflict' });
    expect(await dumpLists(database)).toEqual([[], [], []]);
  });

  test('does not affect other batches', async () => {
    const { database, load } = await openLoader();
    await load(shortList);
    const before = await dumpLists(database);
    await expect(load(`${longList(3600)}"never closed,x.com\n`, strict)).rejects.toMatchObject({
      code: 'validation_error',
    });
    expect(await dumpLists(database)).toEqual(before);
  });
});

test('the same file loaded by several processes is one batch with each row once', async () => {
  const { database, load } = await openLoader();
  const list = longList(6600);
  const loads = await Promise.all(Array.from({ length: 4 }, () => load(list)));
  expect(new Set(loads.map(({ publicId }) => publicId)).size).toBe(1);
  expect(loads.filter(({ isNew }) => isNew)).toHaveLength(1);
  expect(await countRows(database, 'batch_rows')).toBe(6600);
  expect(await countRows(database, 'all_lookups')).toBe(700);
  expect(await listFindings(database)).toEqual([]);
});

test('different files loaded concurrently do not mix', async () => {
  const { database, load } = await openLoader();
  const loads = await Promise.all([3300, 3600, 3900].map((rows) => load(longList(rows))));
  for (const [i, { batchId }] of loads.entries()) {
    expect((await readRows(database, batchId)).length).toBe(3300 + i * 300);
  }
  expect(await listFindings(database)).toEqual([]);
});

const shortList = 'company,domain,note\nNike,nike.com,a\nAcme,acme.com,b\n';
/** Two rows to reject, one of them too long. */
const oddList = 'company,domain\nNike,nike.com\n-,-\nLong,long.com,more\nAcme,acme.com\n';

/** Rows of 700 companies in turn. */
function longList(rows: number): string {
  const lines = Array.from({ length: rows }, (_, i) => `Company ${i + 1},company-${i % 700}.com\n`);
  return `company,domain\n${lines.join('')}`;
}

async function openLoader() {
  const database = await openTestDatabase();
  const store = createBatchStore(database.app);
  const accountId = await findAccount(database.app.sql, 'default');
  const load = (content: string, changes: Partial<LoadOptions> = {}, into: BatchStore = store) =>
    loadBatch(into, {
      accountId,
      open: () => streamOf(content, 10_000),
      reading: { fileName: 'list.csv' },
      sources: async () => ['snapshot'],
      search: anySearch,
      bounds: noBounds,
      again: false,
      onProgress: () => undefined,
      ...changes,
    });
  return { database, store, load };
}

/** The store of a process that loses its database after so many blocks. */
function cutOffAfter(store: BatchStore, blocks: number): BatchStore {
  let stored = 0;
  return {
    ...store,
    appendRows: (...args) => {
      stored += 1;
      return stored > blocks ? Promise.reject(new DatabaseUnavailable('away')) : store.appendRows(...args);
    },
  };
}

interface StoredRow {
  readonly row_no: number;
  readonly line_no: number;
  readonly cells: readonly string[];
  readonly subject: string | null;
  readonly is_first: boolean;
  readonly reject_reason: string | null;
  readonly warning: string | null;
}

function row(
  row_no: number,
  line_no: number,
  cells: readonly string[],
  changes: Partial<StoredRow>,
): StoredRow {
  return {
    row_no,
    line_no,
    cells,
    subject: null,
    is_first: false,
    reject_reason: null,
    warning: null,
    ...changes,
  };
}

async function readRows({ app }: TestDatabase, batchId: number): Promise<readonly StoredRow[]> {
  const { rows } = await app.pool.query<StoredRow>(
    `SELECT r.row_no, r.line_no, r.cells, l.subject_key AS subject, r.is_first, r.reject_reason, r.warning
      FROM nightshift.batch_rows r LEFT JOIN nightshift.all_lookups l ON l.id = r.ads_lookup_id
      WHERE r.batch_id = $1 ORDER BY r.row_no`,
    [batchId],
  );
  return rows;
}

async function readBatch({ app }: TestDatabase, batchId: number): Promise<unknown> {
  const { rows } = await app.pool.query('SELECT * FROM nightshift.batches WHERE id = $1', [batchId]);
  return rows[0];
}

async function countRows({ app }: TestDatabase, table: string): Promise<number> {
  const { rows } = await app.pool.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM nightshift.${table}`,
  );
  return rows[0]?.n ?? 0;
}

async function dumpLists({ owner }: TestDatabase): Promise<readonly unknown[]> {
  const dumps = ['batches', 'batch_rows', 'all_lookups'].map((table) =>
    owner.pool.query<Record<string, unknown>>(
      `SELECT to_jsonb(t) AS row FROM nightshift.${table} t ORDER BY t::text`,
    ),
  );
  return (await Promise.all(dumps)).map(({ rows }) => rows);
}
