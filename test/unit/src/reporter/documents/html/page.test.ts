import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { batchPage } from '../../../../../../src/reporter/documents/html/batch-page.ts';
import { schedulePage } from '../../../../../../src/reporter/documents/html/schedule-page.ts';
import { batchFixture, scheduleFixture } from '../../../../../support/reports/report-fixture.ts';

const texts = { texts: ['Nike', 'https://nike.com/'] };
const schedule = scheduleFixture(texts);
const batch = batchFixture(texts);

describe('report page', () => {
  test.each([false, true])(
    'allows only its own style and script by their hashes; with pictures: %s',
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
        withPictures
          ? 'img-src data: https://tpc.googlesyndication.com https://s0.2mdn.net'
          : 'img-src data:',
        "base-uri 'none'",
        "form-action 'none'",
      ]);
      expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.indexOf('<style>'));
      expect(page).toContain('<meta name="referrer" content="no-referrer" />');
      expect(page).not.toMatch(/ (?:on[a-z]+|style)="/);
    },
  );

  test('is byte-identical for the same data', () => {
    expect(schedulePage(scheduleFixture(texts), { withPictures: true })).toBe(
      schedulePage(schedule, { withPictures: true }),
    );
    expect(batchPage(batchFixture(texts), { withPictures: false })).toBe(
      batchPage(batch, { withPictures: false }),
    );
  });

  test('shows the number of omitted rows and where to find them', () => {
    const many = { ...schedule, changes: { ...schedule.changes, total: 12_345 } };
    const page = schedulePage(many, { withPictures: false }).replace(/\s+/g, ' ');
    expect(page).toContain(
      'Showing 2 of 12,345 changes. See all in the view <code>reports.ads_changes</code>.',
    );
    const long = batchPage({ ...batch, ads: { ...batch.ads, total: 9000 } }, { withPictures: false });
    expect(long).toContain(`nightshift export ${batch.summary.publicId} --shape ads -o batch.csv`);
  });
});

describe('first page', () => {
  test.each([
    ['schedule', schedulePage(schedule, { withPictures: false })],
    ['batch', batchPage(batch, { withPictures: false })],
  ])('of a %s names account and period, and links to every section', (_kind, page) => {
    const text = page.replace(/\s+/g, ' ');
    expect(text).toMatch(
      /<b>.* Mar 2026<\/b> · Made by the account <bdi>Nike<\/bdi> · As of 2026-03-02 01:05 UTC/,
    );
    expect(text).toContain('<h2 id="new-title">What is new this week</h2>');
    const linked = [...text.matchAll(/<a href="#([a-z]+)"/g)].map((match) => match[1]);
    const sections = [...text.matchAll(/<section id="([a-z]+)"/g)].map((match) => match[1]);
    expect(sections).toEqual(['new', ...linked]);
    expect(linked.length).toBeGreaterThan(3);
  });

  test('shows the picture of an ad where pictures are enabled, else its text', () => {
    const markup = () => '<img src="https://tpc.googlesyndication.com/simgad/1" height="209" width="348">';
    const shown = batchFixture({ ...texts, markup });
    const frontOf = (page: string) => /<section id="new"[^]*?<\/section>/.exec(page)?.[0] ?? '';
    expect(frontOf(batchPage(shown, { withPictures: true }))).toContain('<img');
    const without = frontOf(batchPage(shown, { withPictures: false }));
    expect(without).not.toContain('<img');
    expect(without).toContain('<b><bdi>Nike</bdi></b>');
  });
});

describe('the empty state', () => {
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

  test('of a schedule without scans', () => {
    const page = schedulePage({ ...schedule, ...nothing }, { withPictures: false });
    for (const text of [
      'No finished scan yet.',
      'No scans yet.',
      'No ads started or ended in this period.',
      'No ads yet.',
    ]) {
      expect(page).toContain(text);
    }
    expect(page).not.toContain('Failures');
    expect(page).not.toContain('<form');
  });

  test('of days without changes', () => {
    const page = schedulePage({ ...schedule, changes: none }, { withPictures: false });
    expect(page).toContain('No changes in this period.');
  });

  test('of a batch without companies and ads', () => {
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
    for (const text of ['This batch has no companies.', 'No ads found.', 'No ads yet.'])
      expect(page).toContain(text);
    expect(page).not.toContain('Rejected rows');
  });
});

test('report contains no e-mail addresses', () => {
  const page = batchPage(batch, { withPictures: false });
  expect(page).toContain('Reports contain no e-mail addresses.');
});
