import { describe, expect, test } from 'vitest';
import { createTakenNames, isArrival } from '../../../../../src/core/inboxes/file-names.ts';

describe('an inbox looks at', () => {
  test.each([
    ['list.csv', null, true],
    ['deep/er/list.csv', null, true],
    ['LIST.CSV', '*.csv', true],
    ['list.csv', 'l?st.*', true],
    ['list.csv', '*', true],
    ['list.csv', '**s*v', true],
    ['list.csv.gz', '*.csv', false],
    ['listxcsv', '*.csv', false],
    ['a+b(1).csv', 'a+b(1).csv', true],
    ['aab(1).csv', 'a+b(1).csv', false],
    ['deep/list.csv', 'list.csv', true],
    ['done/list.csv', null, false],
    ['failed/list.csv', null, false],
    ['deep/failed/list.csv', null, true],
    ['.list.csv', null, false],
    ['deep/.hidden/list.csv', null, false],
    ['~$list.xlsx', null, false],
    ['list.csv.part', null, false],
    ['list.csv.crdownload', null, false],
    ['list.tmp', null, false],
  ])('%s with the pattern %s: %s', (path, pattern, isSeen) => {
    expect(isArrival(path, pattern)).toBe(isSeen);
  });

  test('a long name with a hostile pattern in little time', () => {
    const began = performance.now();
    expect(isArrival(`${'a'.repeat(1000)}b`, `${'*a'.repeat(99)}c`)).toBe(false);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

describe('the new place of a file', () => {
  test('is below the folder, under its own path', () => {
    expect(createTakenNames().free('failed/', 'deep/list.csv', 'tag')).toBe('failed/deep/list.csv');
  });

  test('takes the place of no other file, nor of the reason of one', () => {
    const taken = createTakenNames();
    taken.add('failed/a.csv');
    expect(taken.free('failed/', 'a.csv', '1')).toBe('failed/a (1).csv');
    expect(taken.free('failed/', 'a.csv', '2')).toBe('failed/a (2).csv');
    expect(taken.free('failed/', 'b.csv.gz', '3')).toBe('failed/b.csv.gz');
    expect(taken.free('failed/', 'b.csv.gz', '4')).toBe('failed/b (4).csv.gz');
    taken.add('failed/c.csv.reason.txt');
    expect(taken.free('failed/', 'c.csv', '5')).toBe('failed/c (5).csv');
    expect(taken.free('done/', 'a.csv', '6')).toBe('done/a.csv');
    expect(taken.free('done/', 'README', '7')).toBe('done/README');
    expect(taken.free('done/', 'README', '8')).toBe('done/README (8)');
  });

  test('is unique to the file once there are more names than memory holds', () => {
    const taken = createTakenNames();
    for (let n = 0; n <= 200_000; n += 1) taken.add(`done/${n}.csv`);
    expect(taken.free('done/', 'new.csv', 'tag')).toBe('done/new (tag).csv');
  });
});
