import { describe, expect, test } from 'vitest';
import { findTable, type GivenForm } from '../../../../../src/csv/records/find-table.ts';

const lines = (...texts: readonly string[]) => texts.join('\n');

function find(text: string, given: GivenForm = {}, isWhole = true) {
  const { delimiter, quote, escape, linesAbove, width } = findTable(text, given, isWhole);
  return [delimiter, quote, escape, linesAbove, width];
}

describe('form of a table', () => {
  test.each([
    ['comma', lines('a,b,c', '1,2,3'), [',', '"', '"', 0, 3]],
    ['semicolon beside decimal commas', lines('a;b', '1,5;2,5', '3,5;4,5'), [';', '"', '"', 0, 2]],
    ['comma and blank with quotes', lines('"a", "b"', '"1,2", "3"'), [', ', '"', '"', 0, 2]],
    ['comma with blanks that do no harm', lines('a, b', '1, 2'), [',', '"', '"', 0, 2]],
    ['blank', lines('"a" "b c" "d"', '"1" "2" "3"', '4 5 6'), [' ', '"', '"', 0, 3]],
    ['words are no cells', lines('name', 'Acme Inc', 'Beta Inc', 'Gamma Inc'), [',', '"', '"', 0, 1]],
    ['single quotes', lines("'a','b'", "'1','2,3'"), [',', "'", "'", 0, 2]],
    ['apostrophes', lines('a,b', "'s-Hertogenbosch,2", "O'Hara,3"), [',', '"', '"', 0, 2]],
    ['backslash', lines('"a","b"', '"1 \\"x\\", y","2"'), [',', '"', '\\', 0, 2]],
  ])('is detected: %s', (_what, text, due) => {
    expect(find(text)).toEqual(due);
  });

  test('is not detected where it is given', () => {
    expect(find('a,b\n1,2', { delimiter: ';', quote: '|', escape: '^' }).slice(0, 3)).toEqual([
      ';',
      '|',
      '^',
    ]);
  });

  test('does not depend on the last record of a text that goes on', () => {
    const text = `a;b\n${'1;2\n'.repeat(3)}3;"4`;
    expect(find(text, {}, false)).toEqual(find(`${text}"`));
  });
});

describe('lines above a header', () => {
  const table = lines('a,b,c', '1,2,3', '4,5,6', '7,8,9', '');

  test.each([
    ['none', table, 0],
    ['a title', `Title of 2024\n\n${table}`, 2],
    ['quoted line ends', `Notes\n"x\ny"\n${table}`, 3],
    ['twenty lines', `x\n${'y\n'.repeat(19)}${table.repeat(40)}`, 20],
    ['too many lines', `x\n${'y\n'.repeat(20)}${table.repeat(40)}`, 0],
    ['no table of three columns', `x\n${table.replaceAll(/,\d$|,c/gm, '')}`, 0],
    ['no regular table', lines('x', 'a,b,c', '1,2,3', '4', '5,6', '7,8,9'), 0],
  ])('are counted: %s', (_what, text, due) => {
    expect(findTable(text, {}, true).linesAbove).toBe(due);
  });

  test('are those that are given, also none', () => {
    expect(findTable(`Title\n${table}`, { skipLines: 0 }, true)).toMatchObject({ linesAbove: 0 });
    expect(findTable(`x;y\r\nx;y\r\n${table}`, { skipLines: 2 }, true)).toMatchObject({
      linesAbove: 2,
      delimiter: ',',
    });
  });
});
