import { expect, test } from 'vitest';
import type { OwnBackupInfo } from '../../../../db/info/own-backup-info.ts';
import { transportFailure } from '../../../../src/core/backup/archive-settings.ts';
import { evaluateBackups } from '../../../../src/doctor/checks/backups/evaluate-backups.ts';
import { evaluateOwnBackups } from '../../../../src/doctor/checks/backups/evaluate-own-backups.ts';

const archive = { hasBackups: true, everyS: 86_400, ageS: 3_600, failure: null };
type Info = Parameters<typeof evaluateBackups>[0];
const info: Info = { failingForS: null, archive, spool: null };
const spool = { bytes: 48e6, ageS: 1_200 };

test.each<[string, Partial<Info>, string, RegExp]>([
  ['a young backup', {}, 'ok', /1 hours old/],
  ['no archive', { archive: null }, 'ok', /this machine only.*nightshift backup/],
  ['an archive of calls only', { archive: { ...archive, hasBackups: false } }, 'ok', /this machine only/],
  ['a failed backup', { archive: { ...archive, failure: 'disk full' } }, 'warning', /disk full/],
  ['no complete backup', { archive: { ...archive, ageS: null } }, 'warning', /none is complete/],
  ['an old backup', { archive: { ...archive, ageS: 3 * 86_400 } }, 'warning', /3 days old.*every 24 hours/],
  ['an old backup on command only', { archive: { ...archive, everyS: null, ageS: 9e6 } }, 'ok', /104 days/],
  ['WAL that is not archived', { failingForS: 1_200 }, 'warning', /20 minutes/],
  [
    'WAL that waits for the archive',
    { spool },
    'warning',
    /does not reach the archive \(48 MB on the disk of the database, the oldest for 20 minutes\)/,
  ],
  ['WAL that does not wait for long', { spool: { ...spool, ageS: 60 } }, 'ok', /1 hours old/],
  [
    'WAL that the archive rejects',
    { archive: { ...archive, failure: `${transportFailure}disk full` }, spool: { ...spool, ageS: 60 } },
    'warning',
    /^WAL does not reach the archive: disk full \(48 MB/,
  ],
  ['WAL that was not archived just now', { failingForS: 60 }, 'ok', /1 hours old/],
])('backups: %s', (_, changes, status, found) => {
  const finding = evaluateBackups({ ...info, ...changes });
  expect([finding.status, finding.found]).toEqual([status, expect.stringMatching(found)]);
});

const own: OwnBackupInfo = {
  archives: true,
  archiver: 'pgbackrest --stanza=main archive-push %p',
  archivedAgoS: 120,
  failingForS: null,
  receivers: [],
  unseen: 0,
  idleSlots: [],
  callArchive: null,
};
const streams: Partial<OwnBackupInfo> = { archives: false, archiver: '(disabled)', archivedAgoS: null };

test.each<[string, Partial<OwnBackupInfo>, string, RegExp]>([
  ['that archives', {}, 'ok', /archived by the server, the last file 2 minutes ago$/],
  ['that has archived nothing yet', { archivedAgoS: null }, 'ok', /no file yet/],
  ['whose command is not visible', { archiver: null }, 'ok', /how, this login may not see/],
  ['that fails to archive', { failingForS: 1_200 }, 'warning', /20 minutes/],
  ['without a command', { archiver: '' }, 'warning', /are empty: WAL is not archived/],
  [
    'whose command stores nothing',
    { archiver: '/bin/true' },
    'warning',
    /"\/bin\/true", which stores nothing/,
  ],
  ['without archiving', streams, 'warning', /does not archive its WAL:/],
  [
    'whose receiver is away',
    { ...streams, idleSlots: ['barman'] },
    'warning',
    /no program receives the WAL of the slot barman/,
  ],
  ['whose WAL is received', { ...streams, receivers: ['barman_receive_wal'] }, 'ok', /by barman_receive_wal/],
  ['whose receivers are not visible', { ...streams, unseen: 1 }, 'warning', /^unknown: programs receive WAL/],
])('backups of a server of your own: one %s', (_, changes, status, found) => {
  const [finding] = evaluateOwnBackups({ ...own, ...changes });
  expect(finding).toMatchObject({ name: 'backups', status, found: expect.stringMatching(found) as string });
});

test('the archive of calls is named', () => {
  const callArchive = { kind: 'folder', path: '/mnt/calls' } as const;
  expect([own, { ...own, callArchive }].map((info) => evaluateOwnBackups(info)[1]?.found)).toEqual([
    expect.stringContaining('nightshift backup LOCATION'),
    'calls are recorded in /mnt/calls',
  ]);
});
