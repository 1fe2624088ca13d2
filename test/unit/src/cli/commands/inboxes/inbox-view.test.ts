import { expect, test } from 'vitest';
import { filesText } from '../../../../../../src/cli/commands/inboxes/inbox-view.ts';
import type { InboxFile } from '../../../../../../src/core/inboxes/inbox.ts';

const at = new Date('2026-07-01T02:00:00Z');
const file: InboxFile = {
  publicId: 'inf_1',
  path: 'leads.csv',
  bytes: 100,
  modifiedAt: at,
  state: 'loaded',
  reason: null,
  place: 'done/leads.csv',
  contentSha256: null,
  batch: 'bat_9f8e7d6c5b4a3f2e',
  firstSeenAt: at,
  settledAt: at,
};
const failed: InboxFile = {
  ...file,
  path: 'colours.csv',
  state: 'failed',
  batch: null,
  reason: 'colours.csv: there is no company column among colour, size. Choose one with --map.',
};

function words(text: string): string {
  return text.replace(/[│┌┐└┘├┤┬┴┼─\s]+/g, ' ');
}

test.each([60, 80, Infinity])('files at %d columns have their batch or their reason', (columns) => {
  const text = filesText([file, failed], 'UTC', columns);
  expect(text).toContain(file.batch);
  for (const word of failed.reason?.split(' ') ?? []) expect(text).toContain(word);
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
});

test('a failed file with a long path has its reason', () => {
  const long = { ...failed, path: `in/${'every-region-'.repeat(8)}.csv` };
  expect(words(filesText([file, long], 'UTC', 80))).toContain(failed.reason);
});

test('a narrow terminal hides the time', () => {
  expect(filesText([file, failed], 'UTC', 60)).toContain('1 column is hidden.');
  expect(filesText([file, failed], 'UTC', 200)).toContain('2026-07-01 02:00');
});
