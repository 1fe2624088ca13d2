import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJsonRows } from '../../../../../src/sources/snapshot/json-rows.ts';
import type { SnapshotRow } from '../../../../../src/core/sources/snapshot-store.ts';
import { ValidationError } from '../../../../../src/core/errors.ts';

const line = (number: number, name = 'Ünïcödé 株式会社 🏃') =>
  JSON.stringify({
    advertiser_id: `AR${String(number).padStart(20, '0')}`,
    creative_id: 'CR00000000000000000001',
    advertiser_disclosed_name: name,
  });

/** Parses text in pieces of this many bytes. */
async function read(
  text: string,
  pieceBytes: number,
  lineBytesMax = 10_000,
): Promise<readonly SnapshotRow[]> {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  const atLine = (lineNo: number, message: string) => new ValidationError(`line ${lineNo}: ${message}`);
  const rows: SnapshotRow[] = [];
  for await (const block of readJsonRows(pieces(), { lineBytesMax, atLine })) rows.push(...block);
  return rows;
}

describe('readJsonRows', () => {
  test('returns the same rows for any chunking, even within characters', async () => {
    const text = `${line(1)}\n\r\n${line(2)}\r\n\n  \n${line(3)}`;
    const whole = await read(text, 100_000);
    expect(whole.map((row) => row.advertiserName)).toEqual(new Array(3).fill('Ünïcödé 株式会社 🏃'));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 400 }), async (pieceBytes) => {
        expect(await read(text, pieceBytes)).toEqual(whole);
      }),
    );
  });

  test.each([1, 7, 64, 100_000])(
    'reports the number of an invalid line, including blank lines, with chunks of %d bytes',
    async (pieceBytes) => {
      const text = `${line(1)}\n\n${line(2)}\n{"advertiser_id":\n${line(3)}\n`;
      await expect(read(text, pieceBytes)).rejects.toThrow('line 4: The line is not valid JSON');
    },
  );

  test('rejects a line beyond the limit before it is complete', async () => {
    const text = `${line(1)}\n${'x'.repeat(50_000)}`;
    await expect(read(text, 1_000)).rejects.toThrow('line 2: The line is longer than 10000 bytes');
  });

  test('returns no rows for an empty input', async () => {
    expect(await read('', 10)).toEqual([]);
    expect(await read('\n\n \n', 2)).toEqual([]);
  });
});
