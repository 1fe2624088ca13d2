import { expect, test } from 'vitest';
import { transportFailure } from '../../../../src/core/backup/archive-settings.ts';
import { evaluateBackups } from '../../../../src/doctor/checks/evaluate-backups.ts';

const archive = { hasBackups: true, everyS: 86_400, ageS: 3_600, failure: null };
const info = { keepsWal: true, failingForS: null, archive, spool: null };
const spool = { bytes: 48e6, ageS: 1_200 };

type Info = Parameters<typeof evaluateBackups>[0];

test.each<[string, Partial<Info>, 'private' | 'given', string, RegExp]>([
  ['a young backup', {}, 'private', 'ok', /1 hours old/],
  ['no archive', { archive: null }, 'private', 'ok', /this machine only.*nightshift backup/],
  [
    'an archive of calls only',
    { archive: { ...archive, hasBackups: false } },
    'private',
    'ok',
    /this machine only/,
  ],
  ['a failed backup', { archive: { ...archive, failure: 'disk full' } }, 'private', 'warning', /disk full/],
  ['no complete backup', { archive: { ...archive, ageS: null } }, 'private', 'warning', /none is complete/],
  [
    'an old backup',
    { archive: { ...archive, ageS: 3 * 86_400 } },
    'private',
    'warning',
    /3 days old.*every 24 hours/,
  ],
  [
    'an old backup on command only',
    { archive: { ...archive, everyS: null, ageS: 9e6 } },
    'private',
    'ok',
    /104 days/,
  ],
  ['WAL that is not archived', { failingForS: 1_200 }, 'private', 'warning', /20 minutes/],
  [
    'WAL that waits for the archive',
    { spool },
    'private',
    'warning',
    /does not reach the archive \(48 MB on the disk of the database, the oldest for 20 minutes\)/,
  ],
  ['WAL that does not wait for long', { spool: { ...spool, ageS: 60 } }, 'private', 'ok', /1 hours old/],
  [
    'WAL that the archive rejects',
    { archive: { ...archive, failure: `${transportFailure}disk full` }, spool: { ...spool, ageS: 60 } },
    'private',
    'warning',
    /^WAL does not reach the archive: disk full \(48 MB/,
  ],
  ['WAL that was not archived just now', { failingForS: 60 }, 'private', 'ok', /1 hours old/],
  ['a server that archives', { archive: null }, 'given', 'ok', /archived by the server/],
  [
    'a server that does not',
    { archive: null, keepsWal: false },
    'given',
    'warning',
    /does not archive its WAL/,
  ],
])('%s', (_, changes, kind, status, found) => {
  const finding = evaluateBackups({ ...info, ...changes }, kind);
  expect([finding.status, finding.found]).toEqual([status, expect.stringMatching(found)]);
});
