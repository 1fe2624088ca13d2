import { expect, test } from 'vitest';
import { DatabaseUnavailable, Misconfigured } from '../../../../src/core/errors.ts';
import { readPassing, startFailure } from '../../../../src/postgres-server/start-errors.ts';

const place = { logPath: '/h/postgres-18.log', dataFolder: '/h/postgres-18' };

test('an occupied port and an earlier server that still stops are temporary errors', () => {
  expect(readPassing('FATAL:  could not create any TCP/IP sockets')).toBe('port_taken');
  expect(readPassing('FATAL:  pre-existing shared memory block (key 1, ID 2) is still in use')).toBe(
    'earlier_server',
  );
  expect(readPassing('FATAL:  lock file "postmaster.pid" already exists')).toBe('earlier_server');
  expect(readPassing('FATAL:  out of luck')).toBeUndefined();
});

test.each([
  ['FATAL:  invalid value for parameter "shared_buffers": "x"', Misconfigured, 'Fix the setting'],
  ['FATAL:  could not access directory: Permission denied', Misconfigured, 'Restore the owner'],
  ['FATAL:  database files are incompatible with server', Misconfigured, 'Install the version of Postgres'],
  ['FATAL:  could not write: No space left on device', DatabaseUnavailable, 'disk space'],
  ['FATAL:  something new', DatabaseUnavailable, 'DATABASE_URL'],
])('a start that logs %j fails with that message and a remedy', (log, kind, remedy) => {
  const error = startFailure({ ...place, log });
  expect(error).toBeInstanceOf(kind);
  expect(error.message).toContain(log);
  expect(error.message).toContain(remedy);
  expect(error.message).toContain('/h/postgres-18.log');
});

test('a failed start names no log that does not stay', () => {
  const { message } = startFailure({ ...place, logPath: null, log: 'FATAL:  something new' });
  expect(message).toContain('FATAL:  something new');
  expect(message).not.toContain('log:');
});
