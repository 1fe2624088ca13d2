import { describe, expect, test } from 'vitest';
import { readCellRows } from '../../../../../src/sources/snapshot/cell-rows.ts';
import type { SnapshotRow } from '../../../../../src/core/sources/snapshot-store.ts';
import { ValidationError } from '../../../../../src/core/errors.ts';

const ids = ['AR00000000000000000001', 'CR00000000000000000002'];

async function read(...blocks: readonly (readonly string[])[][]): Promise<readonly SnapshotRow[]> {
  let lineNo = 0;
  async function* records() {
    for (const block of blocks) yield block.map((cells) => ({ lineNo: (lineNo += 1), cells, problem: null }));
  }
  const rows: SnapshotRow[] = [];
  for await (const block of readCellRows(records(), { atLine })) rows.push(...block);
  return rows;
}

const atLine = (line: number, message: string) => new ValidationError(`line ${line}: ${message}`);

describe('readCellRows', () => {
  test('maps columns by the names of the first record, across blocks', async () => {
    const rows = await read(
      [
        [' Creative_ID ', 'note', 'advertiser_id'],
        ['CR00000000000000000002', 'x', 'AR00000000000000000001'],
      ],
      [['CR00000000000000000003', 'y', 'AR00000000000000000001']],
    );
    expect(rows.map((row) => row.creativeId)).toEqual(['CR00000000000000000002', 'CR00000000000000000003']);
  });

  test.each([
    [[['advertiser_id', 'name']], 'line 1: creative_id: '],
    [[ids], 'line 1: advertiser_id, creative_id: '],
    [[['advertiser_id', 'creative_id'], ids.slice(1)], 'line 2: The line has 1 cells, the header 2'],
    [
      [
        ['advertiser_id', 'creative_id'],
        [...ids, ''],
      ],
      'line 2: The line has 3 cells, the header 2',
    ],
    [[['advertiser_id', 'creative_id'], ids, ids.toReversed()], 'line 3: advertiser_id: '],
  ])('rejects %j', async (block, message) => {
    await expect(read(block)).rejects.toThrow(message);
  });

  test('rejects a row with a problem', async () => {
    async function* records() {
      yield [
        { lineNo: 1, cells: ['advertiser_id', 'creative_id'], problem: null },
        { lineNo: 2, cells: ids, problem: 'holds a NUL byte' },
      ];
    }
    const reading = readCellRows(records(), { atLine });
    await expect(reading.next()).rejects.toThrow('line 2: The line holds a NUL byte');
  });

  test('returns no rows for an empty input', async () => {
    expect(await read()).toEqual([]);
  });
});
