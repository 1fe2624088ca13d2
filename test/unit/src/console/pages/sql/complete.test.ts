import { describe, expect, test } from 'vitest';
import { complete } from '../../../../../../src/console/pages/sql/completion/complete.ts';

const views = [
  view('ads', { company_key: 'text', company_name: 'text', headline: 'text', last_seen: 'date' }),
  view('ads_daily', { day: 'date', company_key: 'text', ads_active: 'integer' }),
  view('lookups', { lookup_id: 'bigint', outcome: 'text', company_name: 'text' }),
  { ...view('ads_as_of', { company_key: 'text' }), parameters: 'day date' },
];

function view(name: string, columns: Readonly<Record<string, string>>) {
  return {
    name,
    parameters: null,
    columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })),
  };
}

/** Suggestions at the mark `|`. */
function at(marked: string, isForced = false): readonly string[] | null {
  const completion = complete(marked.replace('|', ''), marked.indexOf('|'), views, isForced);
  return completion?.suggestions.map(({ text }) => text) ?? null;
}

describe('suggestions', () => {
  test.each([
    ['select * from a|', ['ads', 'ads_daily', 'ads_as_of(']],
    ['select * from ads join l|', ['lookups']],
    ['select * from ads, lo|', ['lookups']],
    ['select * from daily|', ['ads_daily']],
    ['with recent as (select 1) select * from rec|', ['recent']],
    ['select * from reports.lookups l where l.out|', ['outcome']],
    ['select * from ads as a join lookups b on a.company_name = b.c|', ['company_name']],
    ['select a.| from ads_daily a', ['day', 'company_key', 'ads_active']],
    ['select ADS.head| from ads', ['headline']],
    ['select c| from ads_daily', ['company_key', 'case', 'cross join', 'current_date', 'count(']],
    ['select name| from ads', ['company_name']],
    ['selec|', ['select']],
    ['SELEC|', ['SELECT']],
    ['select cou| from ads', ['count(']],
    ['select last_|', ['last_seen']],
    ['select * from ads where exists (select from lookups where out|)', ['outcome']],
    ['select a, hea| from ads', ['headline']],
    ['select * from ads_as_of(current_date) o where o.|', ['company_key']],
    ["select 'it''s', hea| from ads", ['headline']],
    ['select * from lookups whe|', ['where', 'when']],
    ['select count(*) as adverts from lookups order by adv|', ['adverts']],
    ['select 1 -- from x\nfrom look|', ['lookups']],
  ])('in %s are the names and keywords that fit', (query, expected) => {
    expect(at(query)?.slice(0, 5)).toEqual(expected);
  });

  test.each([
    "select 'comp|",
    "select 'comp|' from ads",
    'select "comp|"',
    'select 1 -- comp|',
    'select /* comp| */ 1',
    'select $$comp|$$',
    'select $x$ $$ comp|',
    'select 12|',
    'select |',
    'select outcome as comp| from lookups',
    'select * from lookups l|',
    'select * from ads a join lookups lo|',
    'select count(*) as ads from ads_daily order by ads|',
    'select nothing.|',
    'select zzz|',
    '',
  ])('are none in %s', (query) => {
    expect(at(query === '' ? '|' : query)).toBeNull();
  });

  test('end with the word that is complete, unless the user asks for them', () => {
    expect(at('select * from ads|')).toBeNull();
    expect(at('select * from ads|', true)).toEqual(['ads', 'ads_daily', 'ads_as_of(']);
    expect(at('select coun|t from ads')).toEqual(['count(']);
  });

  test('without a word are all that fit, if the user asks for them', () => {
    expect(at('select * from |', true)).toEqual(['ads', 'ads_daily', 'lookups', 'ads_as_of(']);
    expect(at('select | from lookups', true)?.slice(0, 3)).toEqual(['lookup_id', 'outcome', 'company_name']);
    expect(at('|', true)).toContain('select');
  });

  test('replace the part of the word before the caret, and have the type of a column', () => {
    expect(complete('select l.out from lookups l', 12, views)).toEqual({
      from: 9,
      to: 12,
      suggestions: [{ text: 'outcome', kind: 'column', detail: 'text' }],
    });
  });

  test('have a limit, and never fail', () => {
    const many = Array.from({ length: 200 }, (_, i) => view(`ads_${i}`, { a: 'text' }));
    expect(complete('select * from ads_', 18, many)?.suggestions).toHaveLength(50);
    const query = `with a as (select ')', "x from lookups l, lateral (select 1) y where l.`;
    for (let caret = 0; caret <= query.length; caret += 1)
      expect(() => complete(query, caret, views, true)).not.toThrow();
  });
});
