import { describe, expect, test } from 'vitest';
import { commaForm, scanText } from '../../../../support/csv/scan-text.ts';

function read(text: string, width: number | null = 3) {
  return scanText(text, { width }).map(({ cells, reading }) => [reading, ...cells]);
}

describe('line with misplaced quotes', () => {
  test.each([
    ['within an unquoted cell', 'Toys "R" Us,b,c', ['Toys "R" Us', 'b', 'c']],
    ['within a quoted cell', '"Café "Zur Post"",b,c', ['Café "Zur Post"', 'b', 'c']],
    ['at the start of a cell', '"1,b,c', ['"1', 'b', 'c']],
    ['doubled at the start of a cell', 'a,""Great, really",c', ['a', '"Great, really', 'c']],
    ['in a formula', '=HYPERLINK("https://a.example"),b,c', ['=HYPERLINK("https://a.example")', 'b', 'c']],
    ['never closed', 'a,"b,c', ['a', '"b', 'c']],
    ['before a delimiter in the text', '"a "x", y",b,c', ['a "x", y', 'b', 'c']],
  ])('%s is read with the usual number of cells', (_what, line, cells) => {
    expect(read(`x,y,z\n${line}\n1,2,3\n`)).toEqual([
      ['rules', 'x', 'y', 'z'],
      ['repaired', ...cells],
      ['rules', '1', '2', '3'],
    ]);
  });

  test.each([
    ['stray', 'Shoes"Great",b'],
    ['unclosed', 'a,b,c,"d'],
  ])('that has no such reading is one record (%s)', (reading, line) => {
    const records = read(`x,y,z\n${line}\n1,2,3\n`);
    expect(records.map(([how]) => how)).toEqual(['rules', reading, 'rules']);
    expect(records.length).toBe(3);
  });

  test('does not take the next lines into its cell', () => {
    const text = 'x,y,z\n"a,b,c\nd,e,f\ng,h,"i"\nj,k,l\n';
    expect(read(text).map(([, first]) => first)).toEqual(['x', '"a', 'd', 'g', 'j']);
  });

  test('takes no long time, whatever it contains', () => {
    const line = '"a",""b,"",'.repeat(20_000);
    const startedMs = performance.now();
    const records = scanText(`${line}\n${line}x"\n`, { width: 2_000 });
    expect(records.every(({ reading }) => reading !== 'repaired')).toBe(true);
    expect(performance.now() - startedMs).toBeLessThan(10_000);
  });
});

describe('record of several lines', () => {
  test('keeps its line ends, and later lines their numbers', () => {
    const records = scanText('a,"b\r\n\r\nc"\n\nd,e\r"f\n",g', { width: 2 });
    expect(records).toEqual([
      { lineNo: 1, lastLineNo: 3, cells: ['a', 'b\r\n\r\nc'], reading: 'rules' },
      { lineNo: 5, lastLineNo: 5, cells: ['d', 'e'], reading: 'rules' },
      { lineNo: 6, lastLineNo: 7, cells: ['f\n', 'g'], reading: 'rules' },
    ]);
  });

  test('of an unusual width is kept, unless its second line alone has the usual width', () => {
    expect(read('"a\nb",c\n')).toEqual([['rules', 'a\nb', 'c']]);
    expect(read('"a,b\nc,d,e\n",f\n')).toEqual([
      ['stray', '"a', 'b'],
      ['rules', 'c', 'd', 'e'],
      ['unclosed', '"', 'f'],
    ]);
  });

  test('of one line keeps its cells, whatever their number', () => {
    expect(read('a\nb,"c"\nd,e,f,"g"\n')).toEqual([
      ['rules', 'a'],
      ['rules', 'b', 'c'],
      ['rules', 'd', 'e', 'f', 'g'],
    ]);
  });
});

test('other quotes and escapes are read by the rules', () => {
  const backslash = { ...commaForm, escape: '\\' };
  expect(scanText('"a \\"x\\", \\\\",b\n', { form: backslash })).toMatchObject([
    { cells: ['a "x", \\', 'b'], reading: 'rules' },
  ]);
  const single = { delimiter: ', ', quote: "'", escape: "'" };
  expect(scanText("'it''s, so', O'Hara's, 'c'\n", { form: single })).toMatchObject([
    { cells: ["it's, so", "O'Hara's", 'c'], reading: 'rules' },
  ]);
});

test('a line beyond the limit is reported with its number', () => {
  expect(scanText(`a\n${'b'.repeat(11)}\n`, { charsMax: 10 }).at(-1)).toMatchObject({ tooLongLineNo: 2 });
});
