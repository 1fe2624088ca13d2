import { describe, expect, test } from 'vitest';
import { formatTable } from '../../../../../src/cli/terminal/format-table.ts';

const widthOf = (text: string) => Math.max(...text.split('\n').map((line) => line.length));

describe('cells', () => {
  test('table formats every type of value', () => {
    const table = formatTable(
      ['text', 'nothing', 'number', 'time', 'list'],
      [['nike', null, 60_000n, new Date(0), ['a', 1, 2n]]],
      Infinity,
    );
    for (const shown of ['text', 'nike', '60,000', '1970-01-01 00:00 UTC', '["a",1,2]'])
      expect(table).toContain(shown);
    expect(table).not.toContain('null');
  });

  test('table has one line per row, in order', () => {
    const lines = formatTable(['n'], [[1], [2], [3]], Infinity).split('\n');
    const places = ['1', '2', '3'].map((n) => lines.findIndex((line) => line.includes(n)));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
  });
});

describe('table in a narrow terminal', () => {
  const text = 'Every row of a batch is stored once, in order';

  test('keeps each cell in one line if it fits', () => {
    expect(formatTable(['', 'invariant', 'checked'], [['1', text, 60]], 80).split('\n')).toHaveLength(5);
  });

  test.each([40, 50, 60])('wraps texts at blanks to fit %i columns', (columns) => {
    const table = formatTable(['', 'invariant', 'checked'], [['1', text, 60]], columns);
    expect(widthOf(table)).toBeLessThanOrEqual(columns);
    const words = table.replace(/[^\w, ]/g, ' ').replace(/\s+/g, ' ');
    for (const word of text.split(' ')) expect(words).toContain(word);
  });

  test('has no lines below 60 columns, and lines from there', () => {
    const columns = ['name', { title: 'reason', hide: 1 }, 'count'];
    const rows = [
      ['rivals', 'the source rejects the key', 1200],
      ['partners', null, 3],
    ];
    expect(formatTable(columns, rows, 59)).toBe(
      [
        'name      reason                      count',
        'rivals    the source rejects the key  1,200',
        'partners                              3',
      ].join('\n'),
    );
    expect(formatTable(columns, rows, 60)).toContain('│ rivals   │');
    expect(formatTable(columns, rows, 40)).toBe(
      [
        'name      count',
        'rivals    1,200',
        'partners  3',
        '1 column is hidden. Widen the terminal,',
        'or use --json.',
      ].join('\n'),
    );
  });

  const id = 'bat_01a1fda09ee4717fbb1955412030aa90';
  const url = `https://crm.example.com/hooks/${'x'.repeat(20)}`;
  const moment = '2026-11-26 08:17 Europe/Berlin';

  test('shows the most important columns that fit, and says how many are hidden', () => {
    const columns = ['batch', { title: 'file', hide: 2 }, { title: 'rows', hide: 1 }, 'state'];
    const rows = [[id, 'companies-of-may.csv', 60, 'finished']];
    expect(formatTable(columns, rows, 120)).not.toContain('hidden');
    const narrow = formatTable(columns, rows, 78);
    expect(narrow).toMatch(/batch .*file .*state/);
    expect(narrow).not.toContain('rows');
    expect(narrow.split('\n').at(-1)).toBe('1 column is hidden. Widen the terminal, or use --json.');
    const narrower = formatTable(columns, rows, 50);
    expect(narrower).not.toContain('file');
    expect(narrower.split('\n').slice(-2).join(' ')).toBe(
      '2 columns are hidden. Widen the terminal, or use --json.',
    );
    for (const table of [narrow, narrower]) expect(table).toContain(id);
    // A column that is too wide does not hide narrower ones, and a short text does not wrap to make room.
    expect(formatTable(columns, rows, 60)).toMatch(/batch .*rows .*state/);
  });

  test.each([30, 50, 70, 90, 110])('never breaks an id, a URL or a time, with %i columns', (columns) => {
    const rows = [[id, url, moment, 'a text of several words']];
    const table = formatTable(['batch', 'to', 'due', 'reason'], rows, columns);
    for (const whole of [id, url, moment]) expect(table).toContain(whole);
  });

  test('is a list of cells if its columns cannot be hidden', () => {
    const rows = [
      [id, url, 'one'],
      [id, null, 'two'],
    ];
    expect(formatTable(['batch', 'to', 'last error'], rows, 60)).toBe(
      [
        `batch       ${id}`,
        'to',
        `  ${url}`,
        'last error  one',
        '',
        `batch       ${id}`,
        'last error  two',
      ].join('\n'),
    );
  });
});
