import { expect, test } from 'vitest';
import type { components } from '../../../../../../examples/typescript-client/schema.ts';
import { countsText, groupChanges } from '../../../../../../src/console/pages/changes/group-changes.ts';

type Change = components['schemas']['Change'];

function changeOf(company: string, kind: Change['kind'], scans: readonly string[]): Change {
  return {
    ...{
      schedule: 'rivals',
      schedule_id: 'sch_1',
      scan: 'scn_1',
      company_domain: company,
      company_name: null,
    },
    ...{ kind, reason: null, ad: {}, before: null, ran_from: null, ran_to: null, rests_on: [], ad_id: null },
    ...{ observed_at: '2026-11-20T12:00:00Z', created_at: '2026-11-20T12:00:00Z', rests_on_at: [...scans] },
  };
}

test('changes are grouped by the day of their newest scan and by company, in their order', () => {
  const [monday, tuesday] = ['2026-11-23T12:00:00Z', '2026-11-24T12:00:00Z'];
  const changes = [
    changeOf('b.com', 'new', [tuesday]),
    changeOf('b.com', 'ended', [monday, tuesday]),
    changeOf('a.com', 'new', [tuesday]),
    changeOf('b.com', 'new', [monday]),
    changeOf('b.com', 'changed', [tuesday]),
    changeOf('c.com', 'new', []),
  ];
  const days = groupChanges(changes, {
    day: (at) => at.slice(0, 10),
    company: (change) => change.company_domain ?? '',
  });
  expect(
    days.map(({ day, companies }) => [
      day,
      companies.map((each) => [each.company, countsText(each.changes)]),
    ]),
  ).toEqual([
    [
      '2026-11-24',
      [
        ['b.com', '1 new, 1 changed, 1 ended'],
        ['a.com', '1 new'],
      ],
    ],
    ['2026-11-23', [['b.com', '1 new']]],
    ['2026-11-20', [['c.com', '1 new']]],
  ]);
});
