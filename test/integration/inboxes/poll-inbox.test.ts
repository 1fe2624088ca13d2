import { chmodSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Failpoint } from '../../../src/core/failpoint.ts';
import { listOf, openTestInboxes } from '../../support/inboxes/test-inboxes.ts';

/** A file without any company or address. */
const bad = 'colour,size\nred,1\nblue,2\n';

test('every new file of a folder becomes one batch, in the order of the paths', async () => {
  const api = await openTestInboxes();
  await api.add({ maxCreditsMicro: 5_000_000n });
  api.write('b.csv', listOf('b'));
  api.write('a.csv', listOf('a'));
  api.write('deep/c.csv', listOf('c'));
  const inbox = await api.look();
  expect(await api.states()).toEqual(['a.csv: loaded', 'b.csv: loaded', 'deep/c.csv: loaded']);
  expect(inbox.files).toMatchObject({ loaded: 3, failed: 0 });
  expect(inbox.lookedAt).not.toBeNull();
  const batches = await api.batches();
  expect(batches.map(({ fileName }) => fileName)).toEqual(['c.csv', 'b.csv', 'a.csv']);
  expect(batches.map(({ state }) => state)).toEqual(['running', 'running', 'running']);
  expect(batches[0]?.bounds.maxCreditsMicro).toBe(5_000_000n);
  await api.look();
  expect(await api.batches()).toHaveLength(3);
  expect(api.paths()).toEqual(['a.csv', 'b.csv', 'deep/c.csv']);
  expect(await api.findings()).toEqual([]);
});

describe('file that is still being written', () => {
  test('waits until it has not changed for the settle time, by the clock of the database', async () => {
    const api = await openTestInboxes();
    await api.add({ settleMs: 10_000 });
    api.write('a.csv', 'domain\nnike');
    const first = await api.look();
    expect(await api.states()).toEqual(['a.csv: waiting']);
    const untilNextMs = (first.nextAt?.getTime() ?? 0) - first.readAt.getTime();
    expect(untilNextMs).toBeGreaterThan(0);
    expect(untilNextMs).toBeLessThanOrEqual(10_000);

    await api.passTime(9);
    await api.look();
    expect(await api.states()).toEqual(['a.csv: waiting']);
    api.write('a.csv', listOf('a'));
    await api.passTime(9);
    await api.look();
    expect(await api.states()).toEqual(['a.csv: waiting']);
    await api.passTime(10);
    await api.look();
    expect(await api.states()).toEqual(['a.csv: loaded']);
    const batches = await api.batches();
    expect(batches.map(({ rows }) => rows.total)).toEqual([2]);
  });

  test('under a temporary name is not looked at until it is renamed', async () => {
    const api = await openTestInboxes();
    await api.add();
    for (const name of ['.a.csv', '~$a.csv', 'a.csv.part', 'a.csv.tmp', 'a.csv.filepart', 'a.crdownload'])
      api.write(name, listOf('a'));
    await api.look();
    expect(await api.states()).toEqual([]);
    renameSync(join(api.folder, 'a.csv.part'), join(api.folder, 'a.csv'));
    await api.look();
    expect(await api.states()).toEqual(['a.csv: loaded']);
  });

  test('that is gone before it was complete is ignored, and waits anew when it is back', async () => {
    const api = await openTestInboxes();
    await api.add({ settleMs: 10_000 });
    api.write('a.csv', listOf('a'));
    utimesSync(join(api.folder, 'a.csv'), 1000, 1000);
    await api.look();
    rmSync(join(api.folder, 'a.csv'));
    await api.look();
    expect(await api.files()).toMatchObject([
      { state: 'ignored', reason: 'It was gone before it was loaded.' },
    ]);
    api.write('a.csv', listOf('a'));
    utimesSync(join(api.folder, 'a.csv'), 1000, 1000);
    await api.look();
    expect(await api.states()).toEqual(['a.csv: waiting']);
    await api.passTime(10);
    await api.look();
    expect(await api.states()).toEqual(['a.csv: loaded']);
  });
});

describe('content', () => {
  test('that arrives twice is one batch, under another name or under the same one', async () => {
    const api = await openTestInboxes();
    await api.add();
    api.write('a.csv', listOf('same'));
    api.write('b.csv', listOf('same'));
    await api.look();
    utimesSync(join(api.folder, 'a.csv'), 1000, 1000);
    await api.look();
    expect(await api.states()).toEqual(['a.csv: joined', 'a.csv: loaded', 'b.csv: joined']);
    const [batch, ...others] = await api.batches();
    expect(others).toEqual([]);
    const files = await api.files();
    expect(files.map((file) => file.batch)).toEqual(Array(3).fill(batch?.publicId));
    expect(await api.findings()).toEqual([]);
  });

  test('that arrives twice is two batches with the option again', async () => {
    const api = await openTestInboxes();
    await api.add({ again: true });
    api.write('a.csv', listOf('same'));
    api.write('b.csv', listOf('same'));
    await api.look();
    expect(await api.states()).toEqual(['a.csv: loaded', 'b.csv: loaded']);
    expect(await api.batches()).toHaveLength(2);
  });

  test('that replaces a loaded file is a batch of its own', async () => {
    const api = await openTestInboxes();
    await api.add();
    api.write('a.csv', listOf('first'));
    await api.look();
    api.write('a.csv', listOf('second'));
    await api.look();
    expect(await api.states()).toEqual(['a.csv: loaded', 'a.csv: loaded']);
    expect(await api.batches()).toHaveLength(2);
  });
});

describe('file that cannot be loaded', () => {
  test('is moved to failed/ with its reason beside it and one event, and holds up no other', async () => {
    const api = await openTestInboxes();
    await api.add();
    api.write('bad.csv', bad);
    api.write('good.csv', listOf('good'));
    await api.look();
    await api.look();
    expect(await api.states()).toEqual(['bad.csv: failed', 'good.csv: loaded']);
    expect(api.paths()).toEqual(['failed/bad.csv', 'failed/bad.csv.reason.txt', 'good.csv']);
    expect(api.read('failed/bad.csv')).toBe(bad);
    const [file] = (await api.files()).filter(({ state }) => state === 'failed');
    expect(file).toMatchObject({ place: 'failed/bad.csv', batch: null });
    expect(file?.reason).toContain('bad.csv');
    expect(api.read('failed/bad.csv.reason.txt')).toBe(`bad.csv was not loaded.\n\n${file?.reason}\n`);
    const events = await api.events('inbox.file_failed');
    expect(events).toMatchObject([{ inbox: 'lists', file: 'bad.csv', reason: file?.reason }]);
    expect(await api.batches()).toHaveLength(1);
    expect(await api.findings()).toEqual([]);
  });

  test('takes the place of no earlier one in failed/', async () => {
    const api = await openTestInboxes();
    await api.add();
    api.write('failed/bad.csv', 'from elsewhere');
    api.write('bad.csv', bad);
    await api.look();
    api.write('bad.csv', `${bad}green,3\n`);
    await api.look();
    expect(api.read('failed/bad.csv')).toBe('from elsewhere');
    const places = (await api.files()).map(({ place }) => place);
    expect(new Set(places).size).toBe(2);
    expect(places).toEqual(Array(2).fill(expect.stringMatching(/^failed\/bad \([0-9a-f]{8}\)\.csv$/)));
    expect(api.paths()).toHaveLength(5);
  });

  test('stays in a folder that cannot be written', async ({ skip }) => {
    if (process.getuid?.() === 0) skip('root can write everywhere');
    const api = await openTestInboxes();
    await api.add();
    api.write('bad.csv', bad);
    chmodSync(api.folder, 0o500);
    const inbox = await api.look();
    chmodSync(api.folder, 0o700);
    expect(await api.states()).toEqual(['bad.csv: failed']);
    expect(inbox.lastError).toBeNull();
    expect(api.paths()).toEqual(['bad.csv']);
  });

  test('is loaded once more on request, from failed/ to done/', async () => {
    const api = await openTestInboxes();
    await api.add();
    api.write('bad.csv', 'colour,size\nnike.com,1\nadidas.com,2\n');
    await api.look();
    expect(await api.states()).toEqual(['bad.csv: failed']);
    await api.app.inboxes.store.retry(api.accountId, 'lists', 'bad.csv');
    await api.look();
    const again = await api.files();
    expect(again).toMatchObject([{ state: 'failed', place: 'failed/bad.csv' }]);
    expect(api.paths()).toEqual(['failed/bad.csv', 'failed/bad.csv.reason.txt']);
    expect(await api.events('inbox.file_failed')).toHaveLength(2);

    const fileOptions = { map: { company_domain: 'colour' } };
    await api.app.inboxes.store.edit(api.accountId, 'lists', { fileOptions });
    api.write('bad.csv', listOf('another'));
    await api.app.inboxes.store.retry(api.accountId, 'lists', again[0]?.publicId ?? '');
    await api.look();
    expect(await api.states()).toEqual(['bad.csv: failed', 'bad.csv: loaded']);
    expect(api.paths()).toEqual([
      'done/bad.csv',
      expect.stringMatching(/^failed\/bad/),
      expect.stringMatching(/^failed\/bad/),
    ]);
    expect(await api.findings()).toEqual([]);
  });

  test('that is gone from failed/ is ignored, and loaded when it arrives again', async () => {
    const api = await openTestInboxes();
    await api.add();
    const drop = () => {
      api.write('bad.csv', bad);
      utimesSync(join(api.folder, 'bad.csv'), 1000, 1000);
    };
    drop();
    await api.look();
    rmSync(join(api.folder, 'failed/bad.csv'));
    await api.app.inboxes.store.retry(api.accountId, 'lists', 'bad.csv');
    await api.look();
    expect(await api.files()).toMatchObject([
      { state: 'ignored', reason: 'It is no longer at failed/bad.csv.' },
    ]);
    const fileOptions = { map: { company_name: 'colour' } };
    await api.app.inboxes.store.edit(api.accountId, 'lists', { fileOptions });
    drop();
    await api.look();
    expect(await api.files()).toMatchObject([{ state: 'loaded', place: 'bad.csv' }]);
  });

  test('that killed its processes ten times fails with what to do', async () => {
    const api = await openTestInboxes();
    await api.add({ settleMs: 10_000 });
    api.write('a.csv', listOf('a'));
    await api.look();
    await api.passTime(10);
    await api.database.owner.sql.execute(sql`UPDATE nightshift.inbox_files SET attempts = 10`);
    await api.look();
    expect((await api.files())[0]?.reason).toContain('ended 10 times');
  });

  test('that is larger than a file may be is not copied', async () => {
    const api = await openTestInboxes();
    await api.add();
    api.write('large.csv', '');
    const { truncateSync } = await import('node:fs');
    truncateSync(join(api.folder, 'large.csv'), 201 * 1024 * 1024);
    await api.look();
    expect(await api.files()).toMatchObject([
      {
        state: 'failed',
        reason: 'It has more than 200 MiB, the maximum. Split it into smaller files.',
        contentSha256: null,
      },
    ]);
  });
});

describe('file that became a batch', () => {
  test('is moved to done/ on request, also when it arrives once more', async () => {
    const api = await openTestInboxes();
    await api.add({ after: 'move' });
    const drop = () => {
      api.write('deep/a.csv', listOf('a'));
      utimesSync(join(api.folder, 'deep/a.csv'), 1000, 1000);
    };
    drop();
    await api.look();
    expect(api.paths()).toEqual(['done/deep/a.csv']);
    drop();
    await api.look();
    expect(api.paths()).toEqual(['done/deep/a.csv']);
    expect(await api.states()).toEqual(['deep/a.csv: loaded']);
    api.write('deep/a.csv', listOf('b'));
    await api.look();
    expect(api.paths()).toHaveLength(2);
    expect(api.read('done/deep/a.csv')).toBe(listOf('a'));
    expect(await api.batches()).toHaveLength(2);
  });

  test('is deleted on request, also when its content was known', async () => {
    const api = await openTestInboxes();
    await api.add({ after: 'delete' });
    api.write('a.csv', listOf('a'));
    api.write('b.csv', listOf('a'));
    await api.look();
    expect(api.paths()).toEqual([]);
    expect((await api.files()).map(({ place }) => place)).toEqual([null, null]);
  });
});

describe('content that arrives under the name of a file while that is loaded', () => {
  test.each(['move', 'delete'] as const)('becomes a batch as well: %s', async (after) => {
    const api = await openTestInboxes();
    await api.add({ after });
    api.write('a.csv', listOf('a'));
    atFailpoint('inbox:file-settled', () => api.write('a.csv', listOf('other')));
    await api.look();
    expect(api.paths()).toEqual(['a.csv']);
    expect(await api.batches()).toHaveLength(1);
    await api.look();
    expect(await api.batches()).toHaveLength(2);
    expect(api.paths()).toEqual(after === 'move' ? ['done/a.csv'] : []);
  });

  test('is loaded even if that has failed', async () => {
    const api = await openTestInboxes();
    await api.add();
    api.write('a.csv', bad);
    atFailpoint('inbox:file-failed', () => api.write('a.csv', listOf('a')));
    await api.look();
    await api.look();
    expect(await api.states()).toEqual(['a.csv: failed', 'a.csv: loaded']);
    expect(api.paths()).toEqual(['a.csv']);
  });
});

/** Acts once, when the product passes a failpoint. */
function atFailpoint(point: Failpoint, act: () => void): void {
  onTestFinished(() => void (globalThis.nightshiftFailpoint = undefined));
  globalThis.nightshiftFailpoint = (name) => {
    if (name !== point) return;
    globalThis.nightshiftFailpoint = undefined;
    act();
  };
}

describe('inbox', () => {
  test('whose folder is missing shows the reason and emits one event per episode', async () => {
    const api = await openTestInboxes();
    await api.add({ location: { kind: 'folder', path: join(api.folder, 'missing') } });
    const failing = await api.look();
    expect(failing.lastError).toContain('missing');
    expect(failing.failingSince).not.toBeNull();
    // A person has to act: only the pattern repeats the look.
    expect((failing.nextAt?.getMinutes() ?? 1) % 5).toBe(0);
    await api.look();
    expect(await api.events('inbox.failing')).toMatchObject([{ inbox: 'lists', reason: failing.lastError }]);

    api.write('missing/a.csv', listOf('a'));
    expect(await api.look()).toMatchObject({ lastError: null, failingSince: null });
    expect(await api.states()).toEqual(['a.csv: loaded']);
    renameSync(join(api.folder, 'missing'), join(api.folder, 'away'));
    await api.look();
    expect(await api.events('inbox.failing')).toHaveLength(2);
  });

  test('leaves files ready while the account has no room, with the reason', async () => {
    const api = await openTestInboxes();
    await api.add();
    await api.database.owner.sql.execute(
      sql`INSERT INTO nightshift.account_limits (account_id, open_lookups) VALUES (${api.accountId}, 1)
        ON CONFLICT (account_id) DO UPDATE SET open_lookups = 1`,
    );
    api.write('a.csv', listOf('a'));
    const inbox = await api.look();
    expect(await api.files()).toMatchObject([{ state: 'ready', batch: null }]);
    expect((await api.files())[0]?.reason).toContain('unfinished companies');
    expect(inbox.lastError).toBeNull();
    expect(await api.batches()).toEqual([]);
    await api.database.owner.sql.execute(sql`UPDATE nightshift.account_limits SET open_lookups = 100`);
    await api.database.owner.sql.execute(sql`UPDATE nightshift.inbox_files SET next_at = now()`);
    await api.look();
    expect(await api.states()).toEqual(['a.csv: loaded']);
  });

  test('whose source is not set up says so, and keeps its files', async () => {
    const api = await openTestInboxes();
    await api.add({ sources: ['serpapi'] });
    api.write('a.csv', listOf('a'));
    const inbox = await api.look();
    expect(inbox.lastError).toBe('Not all of its sources (serpapi) are set up.');
    expect(await api.states()).toEqual(['a.csv: ready']);
    expect(api.paths()).toEqual(['a.csv']);
  });

  test('is looked into by one process at a time', async () => {
    const api = await openTestInboxes();
    const { publicId } = await api.add();
    for (const name of 'abcdef') api.write(`${name}.csv`, listOf(name));
    const signal = new AbortController().signal;
    await Promise.all([1, 2, 3].map(() => api.app.inboxes.poll(publicId, signal)));
    expect(await api.batches()).toHaveLength(6);
    expect(await api.findings()).toEqual([]);
  });

  test('loads nothing while it is paused, and nothing after it was removed', async () => {
    const api = await openTestInboxes();
    const { publicId } = await api.add();
    api.write('a.csv', listOf('a'));
    const signal = new AbortController().signal;
    await api.app.inboxes.store.pause(api.accountId, 'lists');
    await api.app.inboxes.poll(publicId, signal);
    expect(await api.batches()).toEqual([]);
    await expect(api.look()).rejects.toThrow('is paused');
    await api.app.inboxes.store.resume(api.accountId, 'lists');
    await api.app.inboxes.store.remove(api.accountId, 'lists');
    await api.app.inboxes.poll(publicId, signal);
    expect(await api.batches()).toEqual([]);
  });

  test('that stops in the middle continues at once with the next process', async () => {
    const api = await openTestInboxes();
    await api.add();
    api.write('a.csv', listOf('a'));
    const stop = new AbortController();
    stop.abort(new Error('stopping'));
    const stopped = await api.look('lists', stop.signal);
    expect(stopped.nextAt?.getTime()).toBeLessThanOrEqual(stopped.readAt.getTime());
    expect(await api.batches()).toEqual([]);
    await api.look();
    expect(await api.states()).toEqual(['a.csv: loaded']);
  });
});
