import { expect, test } from 'vitest';
import { reportFragment } from '../../../../../../src/console/pages/changes/report-fragment.ts';

const all = { kinds: [], company: '', format: '', since: '' };

test('the fragment of a report has the filters that the report has', () => {
  expect(reportFragment(all)).toBe('');
  expect(reportFragment({ ...all, kinds: ['baseline'], company: ' ', since: '30d' })).toBe('');
  const fragment = reportFragment({
    kinds: ['new', 'baseline'],
    company: ' acme.com ',
    format: 'Video',
    since: '7d',
  });
  expect([...new URLSearchParams(fragment.slice(1))]).toEqual([
    ['kind', 'new'],
    ['company', 'acme.com'],
    ['format', 'Video'],
    ['period', 'This week'],
  ]);
});
