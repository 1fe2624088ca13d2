import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { batchPage } from '../../../../../../src/reporter/documents/html/batch-page.ts';
import { schedulePage } from '../../../../../../src/reporter/documents/html/schedule-page.ts';
import { batchFixture, scheduleFixture } from '../../../../../support/reports/report-fixture.ts';

const reported = { texts: ['Nike', 'https://nike.com/'] };
const schedule = scheduleFixture(reported);
const batch = batchFixture(reported);

describe('a page', () => {
  test.each([false, true])(
    'allows its own style and script by their hashes, and nothing else; with pictures: %s',
    (withPictures) => {
      const page = schedulePage(schedule, { withPictures });
      const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
      const hash = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
      const [, style = ''] = /<style>([^]*?)<\/style>/.exec(page) ?? [];
      const [, script = ''] = /<script>([^]*?)<\/script>/.exec(page) ?? [];
      expect(policy.replaceAll('&#39;', "'").split('; ')).toEqual([
        "default-src 'none'",
        `style-src '${hash(style)}'`,
        `script-src '${hash(script)}'`,
        withPictures ? 'img-src https://tpc.googlesyndication.com https://s0.2mdn.net' : "img-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
      ]);
      expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.indexOf('<style>'));
      expect(page).toContain('<meta name="referrer" content="no-referrer" />');
      expect(page).not.toMatch(/ (?:on[a-z]+|style)="/);
    },
  );

  test('is the same, to the byte, for the same facts', () => {
    expect(schedulePage(scheduleFixture(reported), { withPictures: true })).toBe(
      schedulePage(schedule, { withPictures: true }),
    );
    expect(batchPage(batchFixture(reported), { withPictures: false })).toBe(
      batchPage(batch, { withPictures: false }),
    );
  });

  test('says how many rows it leaves out, and where they are', () => {
    const many = { ...schedule, changes: { ...schedule.changes, total: 12_345 } };
    const page = schedulePage(many, { withPictures: false }).replace(/\s+/g, ' ');
    expect(page).toContain(
      'The table has 2 of 12,345 changes. The view <code>reports.ads_changes</code> has them all.',
    );
    const long = batchPage({ ...batch, ads: { ...batch.ads, total: 9000 } }, { withPictures: false });
    expect(long).toContain(`nightshift export ${batch.summary.publicId} --shape ads -o list.csv`);
  });
});

describe('what is empty says so', () => {
  const none = { rows: [], total: 0 };
  const nothing = {
    scans: none,
    companies: none,
    changes: none,
    activity: [],
    days: [],
    formats: [],
    longest: [],
    failures: null,
    window: null,
    baseline: 0,
  };

  test('of a schedule without a scan', () => {
    const page = schedulePage({ ...schedule, ...nothing }, { withPictures: false });
    for (const words of [
      'No scan has ended yet.',
      'No scan has begun yet.',
      'No ad began or ended in these days.',
      'There is no ad yet.',
    ]) {
      expect(page).toContain(words);
    }
    expect(page).not.toContain('What failed');
    expect(page).not.toContain('<form');
  });

  test('of days without changes', () => {
    const page = schedulePage({ ...schedule, changes: none }, { withPictures: false });
    expect(page).toContain('Nothing changed in these days.');
  });

  test('of a list that names nobody, and of one without ads', () => {
    const empty = {
      ...batch,
      companies: none,
      ads: none,
      rejected: none,
      mostAds: [],
      formats: [],
      longest: [],
      outcomes: new Map(),
    };
    const page = batchPage(empty, { withPictures: false });
    for (const words of ['The list names no company.', 'No ad has been found.', 'There is no ad yet.'])
      expect(page).toContain(words);
    expect(page).not.toContain('Rejected rows');
  });
});

test('addresses of persons stand in no report', () => {
  const page = batchPage(batch, { withPictures: false });
  expect(page).toContain('A report shows no addresses.');
});
