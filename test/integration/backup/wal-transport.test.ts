import { expect, test } from 'vitest';
import { createArchiveStore } from '../../../db/stores/archive/archive-store.ts';
import { createWalTransport } from '../../../src/app/backups/wal-transport.ts';
import { archiveUnavailable } from '../../../src/core/work/retry-policies.ts';
import { openTestDatabase } from '../../support/db/database.ts';

const { signal } = new AbortController();

/** A transport to an archive that the test makes unreachable, on a clock of its own. */
async function openTransport() {
  const database = await openTestDatabase();
  const settings = createArchiveStore(database.app.sql);
  await settings.set({
    location: { kind: 'folder', path: '/archive' },
    credentials: null,
    everySeconds: null,
    keep: 7,
    hasBackups: true,
  });
  const state = { nowMs: 0, isReachable: true, shipped: 0 };
  const carry = createWalTransport({
    settings,
    nowMs: () => state.nowMs,
    ship: () => {
      state.shipped += 1;
      return state.isReachable ? Promise.resolve() : Promise.reject(new Error('no route to the archive'));
    },
  });
  const read = async () => {
    const archive = await settings.read();
    if (archive === null) throw new Error('There is no archive.');
    return archive;
  };
  return { settings, state, read, carry: async () => carry(await read(), signal) };
}

test('a failed transport of WAL is recorded beside the last backup, until it works again', async () => {
  const { settings, state, read, carry } = await openTransport();
  await settings.note(await read(), { failure: null });
  const { backedUpAt } = await read();
  expect(backedUpAt).not.toBeNull();
  state.isReachable = false;
  await expect(carry()).rejects.toThrow('no route to the archive');
  expect(await read()).toMatchObject({
    failure: 'WAL does not reach the archive: no route to the archive',
    backedUpAt,
  });
  state.isReachable = true;
  state.nowMs += archiveUnavailable.delayMs;
  expect(await carry()).toBe(true);
  expect(await read()).toMatchObject({ failure: null, backedUpAt });
});

test('a result for an archive that was replaced meanwhile is not recorded', async () => {
  const { settings, read } = await openTransport();
  const earlier = await read();
  const { everySeconds, keep, hasBackups, credentials } = earlier;
  const location = { kind: 'folder', path: '/other' } as const;
  await settings.set({ location, credentials, everySeconds, keep, hasBackups });
  await settings.note(earlier, { failure: null });
  await settings.noteTransport(earlier, 'no route to the archive');
  expect(await read()).toMatchObject({ location, backedUpAt: null, failure: null });
});

test('the transport of WAL pauses after a failure', async () => {
  const { state, carry } = await openTransport();
  state.isReachable = false;
  await expect(carry()).rejects.toThrow('no route');
  state.nowMs += archiveUnavailable.delayMs - 1;
  expect(await carry()).toBe(false);
  expect(state.shipped).toBe(1);
  state.nowMs += 1;
  await expect(carry()).rejects.toThrow('no route');
});

test('the failure of a backup stays while WAL reaches the archive, and while it does not', async () => {
  const { settings, state, read, carry } = await openTransport();
  await settings.note(await read(), { failure: 'the backup failed' });
  await carry();
  expect(await read()).toMatchObject({ failure: 'the backup failed' });
  state.isReachable = false;
  await expect(carry()).rejects.toThrow('no route');
  expect(await read()).toMatchObject({ failure: 'the backup failed' });
});
