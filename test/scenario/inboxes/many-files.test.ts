import { expect, test } from 'vitest';
import { growFiles, manyFiles, writeManyFiles } from '../../support/inboxes/many-files.ts';
import { openTestInboxes } from '../../support/inboxes/test-inboxes.ts';

// test/faults/inboxes/killed-inboxes.test.ts has all 500 files, and kills the processes that load them.
test('a folder with good, bad, growing and repeated files becomes one batch for each content', async () => {
  const files = manyFiles(1 / 5);
  const api = await openTestInboxes();
  await api.add({ settleMs: 5_000 });
  writeManyFiles(api, files);
  await api.look();
  await api.passTime(5);
  growFiles(api, files, 1);
  const inbox = await api.look();

  expect(inbox.files).toMatchObject({
    ...{ failed: files.bad, waiting: files.growing, ready: 0, loading: 0, ignored: 0 },
    loaded: files.good,
    joined: files.copies,
  });
  expect(await api.batches()).toHaveLength(files.good);
  const failed = (await api.files()).filter(({ state }) => state === 'failed');
  expect(failed.every(({ reason }) => reason !== null && reason !== '')).toBe(true);
  expect(api.paths().filter((path) => path.startsWith('failed/'))).toHaveLength(files.bad * 2);
  expect(await api.events('inbox.file_failed')).toHaveLength(files.bad);

  await api.passTime(5);
  expect(await api.look()).toMatchObject({
    files: { loaded: files.good + files.growing, joined: files.copies, failed: files.bad, waiting: 0 },
  });
  const grown = (await api.batches()).filter(({ fileName }) => fileName.startsWith('growing'));
  expect(grown.map(({ rows }) => rows.total)).toEqual(Array(files.growing).fill(3));
  expect(await api.findings()).toEqual([]);
});
