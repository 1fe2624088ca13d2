import { expect, test } from 'vitest';
import { listOf, openTestInboxes } from '../../support/inboxes/test-inboxes.ts';

test('every new file of a folder becomes one batch, in the order of the paths', async () => {
  const api = await openTestInboxes();
  await api.add();
  api.write('b.csv', listOf('b'));
  api.write('a.csv', listOf('a'));
  api.write('deep/c.csv', listOf('c'));
  const inbox = await api.look();
  expect(await api.states()).toEqual(['a.csv: loaded', 'b.csv: loaded', 'deep/c.csv: loaded']);
  expect(inbox.files).toMatchObject({ loaded: 3, failed: 0 });
  expect(inbox.lookedAt).not.toBeNull();
  const batches = await api.batches();
  expect(batches.map(({ fileName }) => fileName)).toEqual(['c.csv', 'b.csv', 'a.csv']);
  expect(batches.every(({ state }) => state === 'running')).toBe(true);
  await api.look();
  expect(await api.batches()).toHaveLength(3);
  expect(await api.findings()).toEqual([]);
});
