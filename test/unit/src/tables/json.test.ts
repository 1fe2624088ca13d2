import { describe, expect, test } from 'vitest';
import { readTable, rejectionOf } from '../../../support/tables/read-list.ts';

describe('values', () => {
  test('keep the text of numbers, and become JSON where they are nested', async () => {
    const { header, rows } = await readTable(
      '[{"a": 12345678901234567890, "b": 1.10, "c": 1e400, "d": true, "e": null, "f": "x\\n\\u00e4\\"", "g": [1, {"h": "a b"}], "i": {}}]',
    );
    expect(header).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'i']);
    expect(rows).toEqual([
      ['12345678901234567890', '1.10', '1e400', 'true', '', 'x\nä"', '[1,{"h":"a b"}]', '{}'],
    ]);
  });

  test('keys of all objects are columns, in the order in which they appear', async () => {
    const lines = new Array<string>(3_000).fill('{"company":"A"}');
    lines.push('{"domain":"b.com","company":"B"}');
    const table = await readTable(lines.join('\n'));
    expect(table.header).toEqual(['company', 'domain']);
    expect(table.rows[0]).toEqual(['A', '']);
    expect(table.rows.at(-1)).toEqual(['B', 'b.com']);
  });

  test('keys such as __proto__ are columns like any other', async () => {
    const table = await readTable('{"__proto__":"a","constructor":"b","":"c"}\n{"__proto__":"d"}');
    expect(table.header).toEqual(['__proto__', 'constructor', '']);
    expect(table.rows).toEqual([
      ['a', 'b', 'c'],
      ['d', '', ''],
    ]);
  });
});

describe('NDJSON', () => {
  test('a broken line is one rejected record with its line and its text', async () => {
    const table = await readTable(
      '{"company":"A"}\r\n\r\n{"company":"B",}\r\n[1]\r\n{"company":"C","company":"D"}\r\n"x"\r\n{"company":"E"}',
    );
    expect(table.records.map(({ lineNo, cells, problem }) => [lineNo, cells[0], problem])).toEqual([
      [1, 'company', null],
      [1, 'A', null],
      [3, '{"company":"B",}', 'is not well-formed JSON (character 16 of the value)'],
      [4, '[1]', 'is not an object, as the first record is'],
      [5, '{"company":"C","company":"D"}', 'has the key "company" twice'],
      [6, '"x"', 'is neither an object nor an array'],
      [7, 'E', null],
    ]);
  });

  test('a line that is not UTF-8 is one rejected record', async () => {
    const file = Buffer.concat([
      Buffer.from('{"company":"A"}\n{"company":"'),
      Buffer.from([0xe4]),
      Buffer.from('"}\n{"company":"\ufffd"}'),
    ]);
    const { records } = await readTable(file);
    expect(records.slice(1).map(({ cells, problem }) => [cells[0], problem])).toEqual([
      ['A', null],
      ['\ufffd', 'contains bytes that are not valid in UTF-8 (shown as \ufffd)'],
      ['\ufffd', null],
    ]);
  });

  test('lines of arrays have their header first', async () => {
    const table = await readTable('["company","domain"]\n["A","a.com"]\n["B"]\n["C","c.com","x"]');
    expect([table.format, table.header]).toEqual(['ndjson', ['company', 'domain']]);
    expect(table.rows).toEqual([
      ['A', 'a.com'],
      ['B', ''],
      ['C', 'c.com', 'x'],
    ]);
  });

  test('a broken first line does not make the file another format', async () => {
    const table = await readTable('{"company":"A"\n{"company":"B"}\n{"company":"C"}');
    expect(table.records.map(({ problem }) => problem === null)).toEqual([true, false, true, true]);
  });
});

describe('JSON arrays', () => {
  test.each([
    ['of texts', '["a.com",\n"b.com" , 5]', ['value'], [['a.com'], ['b.com'], ['5']]],
    ['of arrays', '[["company","domain"],["A","a.com"]]', ['company', 'domain'], [['A', 'a.com']]],
    ['over several lines', '[\n  {\n    "a": "x,]}\\""\n  },\n  {}\n]\n', ['a'], [['x,]}"'], ['']]],
  ])('%s', async (_, file, header, rows) => {
    expect(await readTable(file)).toMatchObject({ format: 'json', header, rows });
  });

  test('a broken value is one rejected record with its line', async () => {
    const { records } = await readTable('[\n{"a":1},\n{"a":2,},\n{"a":3}\n]');
    expect(records.map(({ lineNo, cells, problem }) => [lineNo, cells[0], problem])).toEqual([
      [2, 'a', null],
      [2, '1', null],
      [3, '{"a":2,}', 'is not well-formed JSON (character 8 of the value)'],
      [4, '3', null],
    ]);
  });

  test('UTF-16 with a byte order mark, and UTF-8 with one, are read in any chunks', async () => {
    const text = '\ufeff[{"a":"ä€😀"},{"a":"b"}]';
    for (const file of [
      Buffer.from(text),
      Buffer.from(text, 'utf16le'),
      Buffer.from(text, 'utf16le').swap16(),
    ]) {
      for (const chunkBytes of [1, 3, 1_000])
        expect((await readTable(file, { chunkBytes })).rows).toEqual([['ä€😀'], ['b']]);
    }
  });

  test.each([
    [
      '[{"a":1},{"a":2',
      'list, line 1: The JSON is not well-formed: the array has no end: the file is cut off. ',
    ],
    ['[{"a":1}\n', 'list, line 2: The JSON is not well-formed: the array has no end: the file is cut off. '],
    ['[{"a":1}\n{"a":2}]', 'list, line 2: The JSON is not well-formed: a comma is missing before "{". '],
    ['[{"a":1}]\n\n{"a":2}', 'list, line 3: The JSON is not well-formed: text follows the array ("{"). '],
    ['["a",,"b"]', 'list, line 1: The JSON is not well-formed: a value is missing. '],
  ])('%j is rejected as a whole', async (file, message) => {
    expect(await rejectionOf(file)).toBe(`${message}Export the file again, or save the list as CSV (UTF-8).`);
  });

  test('an array without values is rejected', async () => {
    expect(await rejectionOf('[]')).toBe(
      'list: The file has no valid JSON record. Export it again, with its rows.',
    );
  });
});

describe('a file that is no list is rejected:', () => {
  test('one object with the list in it', async () => {
    expect(await rejectionOf('{"next":null,"data":[{"a":1}]}')).toBe(
      'list: The file is one JSON object; its list is the value of "data". Save the list itself, for example with: ' +
        `jq -c '.["data"][]' FILE`,
    );
  });

  test('objects over several lines', async () => {
    expect(await rejectionOf('{\n  "data": [\n    {"a":1}\n  ]\n}')).toBe(
      'list, line 1: The line is no JSON object, and neither are most others. Save the list as a JSON array or with one object per line ' +
        "(jq -c . FILE); a list within an object is written so with: jq -c '.NAME[]' FILE",
    );
  });
});
