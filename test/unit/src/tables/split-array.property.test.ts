import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ValidationError } from '../../../../src/core/errors.ts';
import { splitArray } from '../../../../src/tables/json/split-array.ts';
import { randomRuns } from '../../../support/faults/random-runs.ts';
import { takeSeedNumber } from '../../../support/seed-number.ts';

/** Parses a JSON array in chunks; null when it is rejected. */
async function parseSplit(text: string, chunkBytes: number): Promise<readonly unknown[] | null> {
  async function* chunks(): AsyncGenerator<Buffer> {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  const values: unknown[] = [];
  try {
    for await (const block of splitArray(chunks(), { fileName: 'a.json', valueBytesMax: 1_000_000 }))
      for (const { bytes } of block) values.push(JSON.parse(bytes.toString()));
    return values;
  } catch (error) {
    if (error instanceof ValidationError || error instanceof SyntaxError) return null;
    throw error;
  }
}

function parseWhole(text: string): readonly unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

const array = fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 8 });
const chunkBytes = fc.integer({ min: 1, max: 50 });

test('splitting an array returns the values of JSON.parse, for any array, indentation and chunks', async () => {
  await fc.assert(
    fc.asyncProperty(array, fc.nat(4), chunkBytes, async (values, indent, bytes) => {
      const text = JSON.stringify(values, null, indent);
      expect(await parseSplit(text, bytes)).toEqual(JSON.parse(text));
    }),
    { seed: takeSeedNumber(), numRuns: randomRuns(5_000) },
  );
});

test('splitting an array rejects what JSON.parse rejects, for any change of one place', async () => {
  const piece = fc.constantFrom(
    '',
    '[',
    ']',
    '{',
    '}',
    ',',
    ':',
    '"',
    '\\',
    '1',
    'a',
    ' ',
    '\n',
    'null',
    '[]',
  );
  await fc.assert(
    fc.asyncProperty(array, fc.nat(), fc.nat(3), piece, chunkBytes, async (values, at, cut, put, bytes) => {
      const text = JSON.stringify(values, null, 1);
      const start = at % (text.length + 1);
      const changed = text.slice(0, start) + put + text.slice(start + cut);
      // A character of two halves that was cut has no form in UTF-8.
      fc.pre(Buffer.from(changed).toString() === changed);
      expect(await parseSplit(changed, bytes)).toEqual(parseWhole(changed));
    }),
    { seed: takeSeedNumber(), numRuns: randomRuns(20_000) },
  );
});
