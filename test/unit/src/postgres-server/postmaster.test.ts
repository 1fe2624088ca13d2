import { describe, expect, test } from 'vitest';
import { isPostmasterOf, parsePostmasterPid } from '../../../../src/postgres-server/postmaster.ts';

const ready = '4711\n/data/postgres-18\n1760000000\n20854\n\n127.0.0.1\n  1234 5\nready   \n';

describe('parsePostmasterPid', () => {
  test('reads pid, port and status of a running server', () => {
    expect(parsePostmasterPid(ready)).toEqual({ pid: 4711, port: 20854, ready: true });
  });

  test('reads a starting or stopping server as not ready', () => {
    expect(parsePostmasterPid(ready.replace('ready   ', 'starting'))?.ready).toBe(false);
    expect(parsePostmasterPid(ready.replace('ready   ', 'stopping'))?.ready).toBe(false);
  });

  test('reads a file without a port at the beginning of a start', () => {
    expect(parsePostmasterPid('4711\n/data\n1760000000\n')).toEqual({
      pid: 4711,
      port: undefined,
      ready: false,
    });
  });

  test.each(['', '\n', 'x\n', '0\n', '-1\n'])('returns undefined for %j, which has no pid', (text) => {
    expect(parsePostmasterPid(text)).toBeUndefined();
  });
});

describe('isPostmasterOf', () => {
  test('recognises the server by program and data folder', () => {
    expect(
      isPostmasterOf(['/usr/bin/postgres', '-D', '/data/postgres-18', '-c', 'a=b'], '/data/postgres-18'),
    ).toBe(true);
  });

  test('rejects a server on another folder, even one with the same prefix', () => {
    expect(isPostmasterOf(['postgres', '-D', '/data/postgres-180'], '/data/postgres-18')).toBe(false);
    expect(isPostmasterOf(['postgres', '-D', '/other'], '/data/postgres-18')).toBe(false);
  });

  test('accepts a server without a folder argument, so that no second one starts', () => {
    expect(isPostmasterOf(['postgres'], '/data/postgres-18')).toBe(true);
  });

  test('rejects a backend and other programs', () => {
    expect(isPostmasterOf(['postgres: walwriter '], '/data')).toBe(false);
    expect(isPostmasterOf(['sleep', '-D', '/data'], '/data')).toBe(false);
  });

  test('recognises a folder with spaces that `ps` has split', () => {
    expect(isPostmasterOf(['postgres', '-D', '/my', 'data', '-c', 'a=b'], '/my data')).toBe(true);
  });
});
