import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeFormula, unescapeFormula } from '../../../../../src/reporter/formats/escape-formula.ts';
import { couldRun, nastyCell } from '../cells.ts';

test.each([
  '=1+1',
  '=cmd|"/C calc"!A0',
  '+49 30 12',
  '-',
  '-1e5',
  '-2+3',
  '-1.',
  '+.5',
  '@SUM(A1)',
  '\tx',
  '\rx',
  '\nx',
  '＝1',
  '＋1',
  '－1',
  '＠x',
  ' =1',
  '\u00a0=1',
  '\ufeff=1',
  '\u0000=1',
  '\u2004+',
  '\u0000 \ufeff\u00a0\u200b\u001f@x',
  ' -12.5',
  '-12.5\n',
])('%j is escaped with a leading apostrophe', (text) => {
  expect(escapeFormula(text)).toBe(`'${text}`);
});

test.each([
  '',
  'nike.com',
  'a=b',
  '0',
  '7',
  '-12.5',
  '+3',
  '-0',
  '12-3',
  '(=1)',
  '"=1"',
  " '=1",
  "O'Neill",
  'Ünal',
  '€5',
  '😀',
])('%j stays unchanged', (text) => {
  expect(escapeFormula(text)).toBe(text);
});

test('original apostrophes before a formula stay distinguishable', () => {
  expect(["'=1", "''=1", "' =1", "'-5"].map(escapeFormula)).toEqual(["''=1", "'''=1", "'' =1", "''-5"]);
  expect(["'abc", "'", "''", "'5"].map(escapeFormula)).toEqual(["'abc", "'", "''", "'5"]);
});

test('no escaped cell starts with a formula, even after skipped characters', () => {
  let ran = 0;
  const property = fc.property(nastyCell, (text) => {
    const isNumber = /^[+-][0-9]+([.][0-9]+)?$/.test(text);
    if (couldRun(text) && !isNumber) ran += 1;
    expect(couldRun(escapeFormula(text)) && !isNumber).toBe(false);
  });
  fc.assert(property, { numRuns: 20_000 });
  expect(ran).toBeGreaterThan(4_000);
});

test('only formulas and cells with a leading apostrophe are changed', () => {
  const property = fc.property(nastyCell, (text) => {
    if (!couldRun(text) && !text.startsWith("'")) expect(escapeFormula(text)).toBe(text);
  });
  fc.assert(property, { numRuns: 20_000 });
});

test('unescaping restores every cell', () => {
  fc.assert(
    fc.property(nastyCell, (text) => {
      expect(unescapeFormula(escapeFormula(text))).toBe(text);
    }),
    { numRuns: 20_000 },
  );
});

test('escaping keeps different cells different', () => {
  fc.assert(
    fc.property(nastyCell, (text) => {
      expect(unescapeFormula(escapeFormula(`'${text}`))).toBe(`'${text}`);
      expect(escapeFormula(`'${text}`)).not.toBe(escapeFormula(text));
    }),
    { numRuns: 20_000 },
  );
});

test('a cell of a million characters is escaped within one second', () => {
  const long = `${'\u00a0'.repeat(1_000_000)}x`;
  const start = performance.now();
  expect(escapeFormula(long)).toBe(long);
  expect(performance.now() - start).toBeLessThan(10_000);
});
