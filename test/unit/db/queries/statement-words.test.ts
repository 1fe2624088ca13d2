import { describe, expect, test } from 'vitest';
import { readStatementWords } from '../../../../db/queries/statement-words.ts';
import { ValidationError } from '../../../../src/core/errors.ts';

const splitWords = (text: string) => readStatementWords(text).words;

describe('identifiers of a statement', () => {
  test.each<[string, readonly string[]]>([
    ['SELECT Ads.headline FROM ads', ['select', 'ads', 'headline', 'from']],
    ['select "XPath"($1, x::"a""b")', ['select', 'XPath', 'x', 'a"b']],
    ["select 'xml', e'it\\'s xml', E'a\\\\', b'01', x'ff', n'xml' as y", ['select', 'as', 'y']],
    ["select e'\\'' -- xml\n'xml\\'', z", ['select', 'z']],
    ["select 'it''s', 'a\\', xml", ['select', 'xml']],
    ["select U&'\\0078ml', z", ['select', 'z']],
    ['select $$xml$$, $a$xml $$ $b$ $a$, z', ['select', 'z']],
    ['select a$b$, z', ['select', 'a$b$', 'z']],
    ['select 1 /* xml /* xml */ xml */ + z -- xml', ['select', 'z']],
    ["select fooe'xml', étoile", ['select', 'fooe', 'étoile']],
    ["select 1e5, '<a/>'::xml", ['select', 'e5', 'xml']],
    ['', []],
  ])('exclude constants and comments: %s', (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });

  test('are qualifiers if a dot follows', () => {
    expect(readStatementWords('select public . f(x), "B".y, 1.5, f(a).z from t').qualifiers).toEqual([
      'public',
      'B',
    ]);
  });

  test.each([
    'select U&"\\0078ml"',
    'select u&"d!0061t" uescape \'!\'',
    "select 'open",
    "select e'open\\'",
    "select e'a' \n 'open",
    'select "open',
    'select $$open$',
    'select /* open /* */',
  ])('are rejected if the text is ambiguous or unterminated: %s', (text) => {
    expect(() => splitWords(text)).toThrow(ValidationError);
  });

  test('are parsed in linear time', () => {
    const started = performance.now();
    for (const part of ["''", "e'' --\n", '-- -', '/*', '"a"', '$a$', '$', "e'\\'"]) {
      try {
        splitWords(part.repeat(60_000 / part.length));
      } catch (error) {
        expect(error).toBeInstanceOf(ValidationError);
      }
    }
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
