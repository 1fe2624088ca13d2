import { expect, test } from 'vitest';
import { readFilter, reportFragment, toQuery } from '../../../../../../src/console/pages/changes/filter.ts';

const filterOf = (text: string) => readFilter({ get: (name) => new URLSearchParams(text).get(name) ?? '' });

test('filters of changes go from the address to the API, without unknown ones', () => {
  const text = 'schedule=sch_1&company=acme.com&kind=new,ended,other&ad_format=Video&since=7d';
  expect(toQuery(filterOf(text))).toEqual({
    schedule: 'sch_1',
    company_domain: 'acme.com',
    kind: 'new,ended',
    ad_format: 'Video',
    since: '7d',
  });
  expect(toQuery(filterOf('since=yesterday&day=today&kind=other'))).toEqual({});
});

test('a report opens with the filters that it has', () => {
  expect(reportFragment(filterOf(''))).toBe('');
  expect(reportFragment(filterOf('kind=baseline&day=2026-11-28&since=30d'))).toBe('');
  const fragment = reportFragment(filterOf('company=acme.com&kind=new,baseline&ad_format=Video&since=7d'));
  expect([...new URLSearchParams(fragment.slice(1))]).toEqual([
    ['kind', 'new'],
    ['company', 'acme.com'],
    ['format', 'Video'],
    ['period', 'This week'],
  ]);
});
