import { expect, test } from 'vitest';
import { distinctNames, nameColumns, numberText } from '../../../../../src/reporter/formats/report-row.ts';

function namesOf(header: readonly string[] | null, cellsMax: number, ours: readonly string[]) {
  return nameColumns({ header, cellsMax }, ours).map((column) => column.name);
}

test('columns of the input come first, unchanged, then result columns', () => {
  expect(nameColumns({ header: ['Name', 'Web site'], cellsMax: 2 }, ['ads_outcome'])).toEqual([
    { name: 'Name', own: true },
    { name: 'Web site', own: true },
    { name: 'ads_outcome', own: false },
  ]);
});

test('a result column with the name of an input column gets the first free suffix', () => {
  expect(namesOf(['ads_outcome', 'ads_outcome_2'], 2, ['ads_outcome', 'ads_count'])).toEqual([
    'ads_outcome',
    'ads_outcome_2',
    'ads_outcome_3',
    'ads_count',
  ]);
});

test('repeated exports of an export never have duplicate names', () => {
  let header: readonly string[] = ['name'];
  for (let round = 0; round < 4; round += 1) header = namesOf(header, header.length, ['a', 'b', 'a_2']);
  expect(header).toHaveLength(13);
  expect(new Set(header).size).toBe(13);
});

test('a file without a header has numbered columns, as many as its widest row', () => {
  expect(namesOf(null, 3, ['ads_count'])).toEqual(['column_1', 'column_2', 'column_3', 'ads_count']);
});

test('cells beyond the header get input columns of their own', () => {
  expect(nameColumns({ header: ['a', 'extra_1'], cellsMax: 4 }, ['x'])).toEqual([
    { name: 'a', own: true },
    { name: 'extra_1', own: true },
    { name: 'extra_1_2', own: true },
    { name: 'extra_2', own: true },
    { name: 'x', own: false },
  ]);
});

test('a header with repeated or empty names stays unchanged', () => {
  expect(namesOf(['a', '', 'a', ''], 4, ['a'])).toEqual(['a', '', 'a', '', 'a_2']);
});

test('rows shorter than the header keep all columns', () => {
  expect(namesOf(['a', 'b'], 1, [])).toEqual(['a', 'b']);
});

test('names are made distinct without the use of later names', () => {
  expect(distinctNames(['a', 'a', 'a_2', 'a', '__proto__', '__proto__'])).toEqual([
    'a',
    'a_3',
    'a_2',
    'a_4',
    '__proto__',
    '__proto___2',
  ]);
});

test('a number that is not finite throws', () => {
  expect(numberText(-0.2)).toBe('-0.2');
  expect(() => numberText(Number.NaN)).toThrow('finite');
  expect(() => numberText(Infinity)).toThrow('finite');
});
