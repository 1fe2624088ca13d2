import { describe, expect, test } from 'vitest';
import { landFiles } from '../../../../../src/core/destinations/land-files.ts';
import { StorageUnavailable } from '../../../../../src/core/errors.ts';
import {
  exporterOf,
  memoryLanding,
  type MemoryLanding,
} from '../../../../support/destinations/memory-landings.ts';

const { signal } = new AbortController();
const folder = 'rows/day=2026-03-01/batch=bat_1';
const part = (number: number) => `${folder}/part-0000${number}.parquet`;
const manifest = `${folder}/_manifest.json`;

function land(memory: MemoryLanding, digests: readonly string[], contentKey = 'bat_1 rows 1') {
  const { landings, storage, landing } = memory;
  const options = { landings, storage, exporter: exporterOf(digests), signal };
  return landFiles({ ...landing, contentKey }, 'parquet', options);
}

describe('landing of files', () => {
  test('writes every part once, and the manifest last', async () => {
    const memory = memoryLanding('parquet');
    expect(await land(memory, ['a', 'b'])).toEqual({ rows: 20, bytes: 200, parts: 2, note: null });
    expect(memory.log).toEqual([`write ${part(1)}`, `write ${part(2)}`, `write ${manifest}`]);
  });

  test('that is repeated writes nothing', async () => {
    const memory = memoryLanding('parquet');
    await land(memory, ['a', 'b']);
    await land(memory, ['a', 'b']);
    expect(memory.log).toHaveLength(3);
  });

  test('of other content removes the manifest first and surplus parts before the new manifest', async () => {
    const memory = memoryLanding('parquet');
    await land(memory, ['a', 'b', 'c']);
    const before = memory.log.length;
    await land(memory, ['a', 'd'], 'bat_1 rows 2');
    expect(memory.log.slice(before)).toEqual([
      `remove ${manifest}`,
      `write ${part(2)}`,
      `remove ${part(3)}`,
      `write ${manifest}`,
    ]);
    expect([...memory.files.keys()].sort()).toEqual([manifest, part(1), part(2)]);
  });

  test('of fewer parts removes the manifest before the others', async () => {
    const memory = memoryLanding('parquet');
    await land(memory, ['a', 'b']);
    await land(memory, ['a'], 'bat_1 rows 2');
    expect(memory.log.slice(3)).toEqual([`remove ${manifest}`, `remove ${part(2)}`, `write ${manifest}`]);
  });

  test('of the same parts under another key replaces the manifest only', async () => {
    const memory = memoryLanding('parquet');
    await land(memory, ['a']);
    await land(memory, ['a'], 'bat_1 rows 2');
    expect(memory.log.slice(2)).toEqual([`write ${manifest}`]);
  });

  test('in another form removes the files of the earlier one', async () => {
    const memory = memoryLanding('parquet');
    await land(memory, ['a']);
    const { landings, storage, landing } = memory;
    const options = { ...landing.target.options, layout: 'flat' as const };
    await landFiles({ ...landing, target: { ...landing.target, options } }, 'csv', {
      ...{ landings, storage, signal },
      exporter: exporterOf(['x']),
    });
    expect([...memory.files.keys()].sort()).toEqual([
      'companies-bat_1-rows.csv',
      'companies-bat_1-rows.manifest.json',
    ]);
  });

  test.each([1, 2, 3, 4, 5, 6])('whose answer %i is lost has every file once in the end', async (nth) => {
    const memory = memoryLanding('parquet');
    await land(memory, ['a', 'b', 'c']);
    memory.loseAnswer(nth);
    const again = land(memory, ['d', 'e'], 'bat_1 rows 2');
    if (nth <= 5) await expect(again).rejects.toThrow(StorageUnavailable);
    else await again;
    await land(memory, ['d', 'e'], 'bat_1 rows 2');
    const { [manifest]: text, ...parts } = Object.fromEntries(memory.files);
    expect(parts).toEqual({ [part(1)]: 'd', [part(2)]: 'e' });
    expect(text).toContain('bat_1 rows 2');
  });

  test('whose lost part is surplus later is removed', async () => {
    const memory = memoryLanding('parquet');
    memory.loseAnswer(2);
    await expect(land(memory, ['a', 'b'])).rejects.toThrow(StorageUnavailable);
    await land(memory, ['c'], 'bat_1 rows 2');
    expect([...memory.files.keys()].sort()).toEqual([manifest, part(1)]);
  });
});
