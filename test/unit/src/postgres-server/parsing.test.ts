import { describe, expect, test } from 'vitest';
import { parsePostgresVersion } from '../../../../src/postgres-server/binaries/binaries.ts';
import { parseLinks } from '../../../../src/postgres-server/binaries/embedded-package.ts';
import { localeAttempts, saysLocaleIsMissing } from '../../../../src/postgres-server/system/locale.ts';
import { parsePasswd } from '../../../../src/postgres-server/system/server-user.ts';
import { serverArguments } from '../../../../src/postgres-server/settings.ts';
import { parseTemporaryName } from '../../../../src/postgres-server/system/temporary-name.ts';

describe('output of other programs', () => {
  test('has a Postgres version with or without the suffix of a distribution', () => {
    expect(parsePostgresVersion('postgres (PostgreSQL) 18.4\n')).toEqual({ version: '18.4', major: 18 });
    expect(parsePostgresVersion('postgres (PostgreSQL) 15.14 (Debian 15.14-0)')?.major).toBe(15);
  });

  test('has no version for a pre-release or an error', () => {
    expect(parsePostgresVersion('postgres (PostgreSQL) 19beta1')).toBeUndefined();
    expect(parsePostgresVersion('postgres: error while loading shared libraries')).toBeUndefined();
  });

  test('has users of /etc/passwd, including negative ids of macOS', () => {
    const text = '# comment\nroot:x:0:0::/root:/bin/sh\nbroken\nnobody:*:-2:-2:x:/:/usr/bin/false\n';
    expect(parsePasswd(text)).toEqual([
      { name: 'root', uid: 0, gid: 0 },
      { name: 'nobody', uid: 4294967294, gid: 4294967294 },
    ]);
  });

  test('leads to the next locale only for an error of initdb about the locale', () => {
    expect(saysLocaleIsMissing('initdb: error: invalid locale name "C.UTF-8"')).toBe(true);
    expect(saysLocaleIsMissing('initdb: error: invalid locale settings; check LANG and LC_*')).toBe(true);
    expect(saysLocaleIsMissing('initdb: error: could not create directory: No space left')).toBe(false);
  });

  test('leads to the built-in locale only in versions of Postgres that have it', () => {
    expect(localeAttempts(16)).toHaveLength(2);
    expect(localeAttempts(17).at(-1)).toContain('--locale-provider=builtin');
  });
});

describe('the list of symbolic links', () => {
  test('is parsed', () => {
    const link = { source: 'native/lib/a.so.1', target: 'native/lib/a.so' };
    expect(parseLinks(JSON.stringify([link]))).toEqual([link]);
  });

  test.each([
    '{}',
    '[7]',
    '[{"source":"native/a"}]',
    '[{"source":"native/a","target":"native/../../x"}]',
    '[{"source":"/etc/passwd","target":"native/a"}]',
  ])('is rejected as %s', (text) => {
    expect(() => parseLinks(text)).toThrow('pg-symlinks.json');
  });
});

describe('names of temporary files', () => {
  test('contain the process id of their owner', () => {
    const parsed = { target: 'postgres-18', pid: 4711 };
    expect(parseTemporaryName('postgres-18.tmp-4711-0a1b2c3d')).toEqual(parsed);
    expect(parseTemporaryName('postgres-18.tmp-4711-0a1b2c3d.password')).toEqual(parsed);
    // New data of an upgrade, as `initdb` makes it.
    const nested = 'postgres-18.tmp-12-ffffffff.tmp-4711-0a1b2c3d';
    expect([nested, `${nested}.password`].map(parseTemporaryName)).toEqual([parsed, parsed]);
  });

  test.each(['postgres-18', 'postgres-18.log', 'postgres-18.tmp-x', 'postgres-18.tmp-1-0a1b2c3'])(
    'do not match %s',
    (name) => {
      expect(parseTemporaryName(name)).toBeUndefined();
    },
  );
});

test('no setting moves the server off the loopback address', () => {
  const args = serverArguments('/d', 20854, { listen_addresses: '*', port: '1', max_connections: '10' });
  expect(args).toContain('listen_addresses=127.0.0.1');
  expect(args).not.toContain('listen_addresses=*');
  expect(args).toContain('port=20854');
  expect(args).toContain('max_connections=10');
  expect(args.slice(0, 2)).toEqual(['-D', '/d']);
});
