import { describe, expect, test } from 'vitest';
import {
  archivePaths,
  parseBackupPath,
  parseCallsPath,
  parseWalPath,
} from '../../../../../src/core/backup/archive-paths.ts';
import { isBackupDue, type ArchiveSettings } from '../../../../../src/core/backup/archive-settings.ts';
import type { FoundBackups } from '../../../../../src/core/backup/backup.ts';
import { compactTime } from '../../../../../src/core/time/compact-time.ts';
import { chooseBackup } from '../../../../../src/core/backup/choose-backup.ts';
import { listExpired } from '../../../../../src/core/backup/expire.ts';
import { parseBackup } from '../../../../../src/core/backup/parse-backup.ts';
import { findGap, findMissingSegment, segmentBefore } from '../../../../../src/core/backup/wal-files.ts';
import { databaseOwner, ownershipOf } from '../../../../../src/core/backup/archive-owner.ts';

const first = {
  id: '20261120T020000Z',
  startedAt: '2026-11-20T02:00:00.000Z',
  finishedAt: '2026-11-20T02:05:00.000Z',
  walFirst: '0000000100000000000000FE',
};
const second = {
  id: '20261121T020000Z',
  startedAt: '2026-11-21T02:00:00.000Z',
  finishedAt: '2026-11-21T02:05:00.000Z',
  walFirst: '000000010000000100000004',
};

test('paths name what they were made for', () => {
  expect(compactTime(new Date('2026-11-20T02:00:00.123Z'))).toBe(first.id);
  expect(parseBackupPath(archivePaths.manifest(first.id))).toEqual({ id: first.id, isManifest: true });
  expect(parseBackupPath(archivePaths.part(first.id, 'part-00001'))).toEqual({
    id: first.id,
    isManifest: false,
  });
  expect(parseWalPath(archivePaths.wal(first.walFirst, null))).toEqual({
    name: first.walFirst,
    system: null,
  });
  expect(parseWalPath(archivePaths.wal('00000002.history', null))).toEqual({
    name: '00000002.history',
    system: null,
  });
  expect(parseWalPath(archivePaths.wal(first.walFirst, '7400000000000000001'))).toEqual({
    name: first.walFirst,
    system: '7400000000000000001',
  });
  expect(parseCallsPath('calls/2026-11-20/x.ndjson')).toBe('2026-11-20');
  for (const other of ['archive.json', 'wal/notes.txt', 'calls/x.ndjson', 'backups/x/manifest.json'])
    expect([parseBackupPath(other), parseWalPath(other), parseCallsPath(other)]).toEqual([null, null, null]);
});

describe('the backup for a moment', () => {
  test.each([
    [null, second.id],
    ['2026-11-22T00:00:00Z', second.id],
    ['2026-11-21T02:04:59Z', first.id],
    ['2026-11-21T02:05:00Z', second.id],
  ])('%s is %s', (moment, id) => {
    const until = moment === null ? null : new Date(moment);
    expect(choose(of(second, first), until)).toEqual({ backup: id, passedOver: [] });
  });

  test('does not exist before the oldest one was complete, or in an empty archive', () => {
    expect(() => choose(of(first, second), new Date('2026-11-20T02:04:59Z'))).toThrow(
      `The oldest backup of the archive was complete at ${first.finishedAt}`,
    );
    expect(() => choose(of(), null)).toThrow('no complete backup');
  });

  test('is the named one, unless that was not complete by then', () => {
    const found = of(first, second);
    expect(choose(found, null, first.id)).toEqual({ backup: first.id, passedOver: [] });
    expect(() => choose(found, new Date('2026-11-21T02:04:59Z'), second.id)).toThrow(
      `The backup ${second.id} was complete at ${second.finishedAt}. Choose that moment or a later one, or leave out --backup`,
    );
    expect(() => choose(found, null, unreadable.id)).toThrow('no complete backup 20261122T020000Z');
  });

  test('is an older one in place of one that cannot be read', () => {
    const found = { ...of(first, second), unreadable: [unreadable] };
    expect(choose(found, null)).toEqual({ backup: second.id, passedOver: [unreadable.id] });
    expect(choose(found, new Date('2026-11-22T01:59:59Z'))).toEqual({ backup: second.id, passedOver: [] });
    expect(choose(found, null, first.id)).toEqual({ backup: first.id, passedOver: [] });
    expect(() => choose(found, null, unreadable.id)).toThrow(unreadable.reason);
    expect(() => choose({ ...of(), unreadable: [unreadable] }, null)).toThrow(unreadable.reason);
  });

  const unreadable = { id: '20261122T020000Z', reason: 'm.json is not the manifest of a backup' };

  function of(...backups: readonly (typeof first)[]) {
    return { backups, unreadable: [] };
  }

  function choose(found: FoundBackups<typeof first>, until: Date | null, backupId: string | null = null) {
    const { backup, passedOver } = chooseBackup(found, { until, backupId });
    return { backup: backup.id, passedOver: passedOver.map(({ id }) => id) };
  }
});

describe('the WAL of a backup', () => {
  const names = ['FE', 'FF'].map((low) => `0000000100000000000000${low}`).concat('000000010000000100000000');
  const backup = { walFirst: '0000000100000000000000FE', walLast: '000000010000000100000000' };

  test('is complete with every segment, also across a log file', () => {
    expect(findMissingSegment(new Set(names), backup)).toBeNull();
  });

  test.each(names)('misses %s', (name) => {
    expect(findMissingSegment(new Set(names.filter((each) => each !== name)), backup)).toBe(name);
  });
});

describe('a gap in the WAL after a backup', () => {
  const backup = { walLast: '0000000100000000000000FE' };
  const [last, next, third] = [
    '0000000100000000000000FE',
    '0000000100000000000000FF',
    '000000010000000100000000',
  ];

  test.each([
    [[last], null],
    [[third, next, last], null],
    [[last, third], next],
    [[last, next, third, '000000010000000100000002'], '000000010000000100000001'],
    // Another timeline, and a history.
    [[last, '000000020000000100000005', '00000002.history'], null],
  ])('%j: %s', (names, gap) => {
    expect(findGap(names, backup)).toBe(gap);
  });

  test('comes after the last segment that is there', () => {
    expect(segmentBefore(third ?? '')).toBe(next);
  });
});

test('an archive is that of a server also under its earlier ids, and that of its original only by name', () => {
  const owner = { ids: ['3', '2'], restoredFrom: ['1'], mayHaveMoved: false } as const;
  expect(['3', '2', '1', '4', undefined].map((id) => ownershipOf(id, owner))).toEqual([
    'own',
    'own',
    'original',
    'foreign',
    'foreign',
  ]);
});

test('an archive of another database may be that of this one before a move', () => {
  expect(['3-5', '4-5'].map((id) => ownershipOf(id, databaseOwner('3-5')))).toEqual(['own', 'unclear']);
});

describe('expired files', () => {
  const found = { backups: [first, second], unreadable: [] };
  const paths = [
    'archive.json',
    archivePaths.manifest(first.id),
    archivePaths.part(first.id, 'part-00001'),
    archivePaths.manifest(second.id),
    archivePaths.part('20261119T020000Z', 'part-00001'),
    archivePaths.part('20261122T020000Z', 'part-00001'),
    archivePaths.wal('0000000100000000000000FD', null),
    archivePaths.wal('0000000100000000000000FE', null),
    archivePaths.wal('000000010000000100000003', null),
    archivePaths.wal('000000020000000100000004', null),
    archivePaths.wal('00000002.history', null),
    'calls/2026-11-19/a.ndjson',
    'calls/2026-11-20/a.ndjson',
    'calls/2026-11-21/a.ndjson',
  ];

  test('are those that the newest backups do not need, and never those of a backup that is running', () => {
    expect(listExpired(found, paths, 1)).toEqual([
      archivePaths.manifest(first.id),
      archivePaths.part(first.id, 'part-00001'),
      archivePaths.part('20261119T020000Z', 'part-00001'),
      archivePaths.wal('0000000100000000000000FD', null),
      archivePaths.wal('0000000100000000000000FE', null),
      archivePaths.wal('000000010000000100000003', null),
      'calls/2026-11-19/a.ndjson',
      'calls/2026-11-20/a.ndjson',
    ]);
    expect(listExpired(found, paths, 2)).toEqual([
      archivePaths.part('20261119T020000Z', 'part-00001'),
      archivePaths.wal('0000000100000000000000FD', null),
      'calls/2026-11-19/a.ndjson',
    ]);
  });

  test('are of each server by its own positions, after an upgrade', () => {
    const upgraded = { ...second, walSystem: '7', walFirst: '000000010000000000000005' };
    const low = ['000000010000000000000004', '000000010000000000000005'] as const;
    const wal = [...low.map((name) => archivePaths.wal(name, '7')), archivePaths.wal(first.walFirst, null)];
    const both = { backups: [first, upgraded], unreadable: [] };
    expect(listExpired(both, wal, 2)).toEqual([archivePaths.wal(low[0], '7')]);
    expect(listExpired(both, wal, 1)).toEqual([
      archivePaths.wal(low[0], '7'),
      archivePaths.wal(first.walFirst, null),
    ]);
    // Its first backup is running.
    expect(listExpired({ backups: [first], unreadable: [] }, wal, 1)).toEqual([]);
  });

  test('are not those that a backup needs which was taken after the clock was set back', () => {
    const later = { ...second, walFirst: first.walFirst, startedAt: first.startedAt };
    const earlier = { ...first, walFirst: second.walFirst, startedAt: second.startedAt };
    const setBack = { backups: [earlier, later], unreadable: [] };
    expect(listExpired(setBack, paths, 2)).toEqual([
      archivePaths.part('20261119T020000Z', 'part-00001'),
      archivePaths.wal('0000000100000000000000FD', null),
      'calls/2026-11-19/a.ndjson',
    ]);
  });

  test('are not those of a backup that cannot be read, until it is older than the kept ones', () => {
    const unreadable = { id: '20261120T140000Z', reason: 'damaged' };
    const path = archivePaths.manifest(unreadable.id);
    expect(listExpired({ ...found, unreadable: [unreadable] }, [path], 2)).toEqual([]);
    expect(listExpired({ ...found, unreadable: [unreadable] }, [path], 1)).toEqual([path]);
  });

  test('do not exist without a complete backup', () => {
    expect(listExpired({ backups: [], unreadable: [] }, paths, 1)).toEqual([]);
  });
});

describe('a manifest', () => {
  const manifest = {
    ...first,
    format: 1,
    systemId: '7',
    postgresMajor: 18,
    walLast: first.walFirst,
    label: 'x',
    folders: ['base'],
    parts: [
      {
        name: 'part-00001',
        bytes: 9,
        sha256: 'ab',
        pieces: [{ path: 'base/1', at: 0, bytes: 5, stored: 9 }],
      },
    ],
  };
  const [part] = manifest.parts;

  test('is parsed as it was written', () => {
    expect(parseBackup(JSON.stringify(manifest), 'm')).toEqual(manifest);
  });

  test.each([
    ['not JSON', '{'],
    ['a list', '[]'],
    ['no format', JSON.stringify({ ...manifest, format: undefined })],
    ['no WAL', JSON.stringify({ ...manifest, walFirst: 'x' })],
    ['no label', JSON.stringify({ ...manifest, label: undefined })],
    ['a folder outside', JSON.stringify({ ...manifest, folders: ['../etc'] })],
    [
      'a file outside',
      JSON.stringify({
        ...manifest,
        parts: [{ ...part, pieces: [{ path: '/etc/passwd', at: 0, bytes: 1, stored: 1 }] }],
      }),
    ],
    ['a part outside', JSON.stringify({ ...manifest, parts: [{ ...part, name: '../part-00001' }] })],
    [
      'a negative position',
      JSON.stringify({
        ...manifest,
        parts: [{ ...part, pieces: [{ path: 'a', at: -1, bytes: 1, stored: 1 }] }],
      }),
    ],
  ])('with %s is rejected', (_, text) => {
    expect(() => parseBackup(text, 'm.json')).toThrow(/^m\.json is not the manifest of a backup/);
  });

  test('of a later release names the remedy', () => {
    expect(() => parseBackup(JSON.stringify({ ...manifest, format: 2 }), 'm')).toThrow('later release');
  });
});

describe('a backup', () => {
  const settings: ArchiveSettings = {
    location: { kind: 'folder', path: '/a' },
    credentials: null,
    everySeconds: 86_400,
    keep: 7,
    hasBackups: true,
    version: 1,
    backedUpAt: new Date('2026-11-20T02:00:00Z'),
    triedAt: new Date('2026-11-20T02:00:00Z'),
    failure: null,
  };
  test.each([
    ['before the interval has passed', {}, '2026-11-21T01:59:59Z', false],
    ['after it', {}, '2026-11-21T02:00:00Z', true],
    ['that was never taken', { backedUpAt: null, triedAt: null }, '2026-11-20T02:00:01Z', true],
    [
      'that the command which sets the archive is taking',
      { backedUpAt: null },
      '2026-11-20T02:10:00Z',
      false,
    ],
    ['without an interval', { everySeconds: null }, '2027-01-01T00:00:00Z', false],
    ['of a server of the user', { hasBackups: false }, '2027-01-01T00:00:00Z', false],
    [
      'that failed just now',
      { failure: 'x', triedAt: new Date('2026-11-22T02:00:00Z') },
      '2026-11-22T02:59:59Z',
      false,
    ],
    [
      'that failed an hour ago',
      { failure: 'x', triedAt: new Date('2026-11-22T02:00:00Z') },
      '2026-11-22T03:00:00Z',
      true,
    ],
  ])('%s is due: %s', (_, changes, now, isDue) => {
    expect(isBackupDue({ ...settings, ...changes }, new Date(now))).toBe(isDue);
  });
});
