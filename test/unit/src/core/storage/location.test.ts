import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ValidationError } from '../../../../../src/core/errors.ts';
import {
  formatLocation,
  parseLocation,
  type Location,
  type LocationOptions,
} from '../../../../../src/core/storage/location.ts';

const letters = (text: string, max: number) =>
  fc.string({ unit: fc.constantFrom(...text), minLength: 1, maxLength: max });
const host = fc.oneof(
  fc
    .tuple(letters('abcxyz019', 10), fc.constantFrom('example', 'corp', 'com'))
    .map((parts) => parts.join('.')),
  fc.ipV4(),
  fc.constantFrom('::1', '2001:db8::1'),
);
/** Any character but those that a path has no part of. */
const part = fc
  .string({
    unit: fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
      fc.constantFrom(...'#?%&=+ @:;'),
    ),
    minLength: 1,
    maxLength: 12,
  })
  .filter((text) => !/[/\\\p{Cc}]|^\s|\s$/u.test(text) && text !== '.' && text !== '..');
const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const port = fc.integer({ min: 1, max: 65_535 });
const hostKey = fc.option(fc.constant(`SHA256:${'Ab1+/'.repeat(8)}xyz`), { nil: undefined });

const location: fc.Arbitrary<{ readonly location: Location; readonly options: LocationOptions }> = fc.oneof(
  path.map((names) => ({ location: { kind: 'folder', path: `/${names}` } as const, options: {} })),
  fc
    .record({ bucket: letters('abc019', 20), prefix: fc.option(path, { nil: null }) })
    .map(({ bucket, prefix }) => ({
      location: {
        kind: 's3',
        bucket: `b-${bucket}`,
        prefix: prefix === null ? '' : `${prefix}/`,
        endpoint: 'https://s3.example.com',
        region: 'eu-test-1',
      } as const,
      options: { endpoint: 'https://s3.example.com', region: 'eu-test-1' },
    })),
  fc
    .record({ host, port, user: part, path, isAbsolute: fc.boolean(), hostKey })
    .map(({ isAbsolute, hostKey: key, path: names, ...rest }) => ({
      location: {
        kind: 'sftp',
        ...rest,
        path: isAbsolute ? `/${names}` : names,
        hostKey: key ?? null,
      } as const,
      options: { hostKey: key },
    })),
  fc.record({ host, port, user: part, database: part }).map((rest) => ({
    location: { kind: 'postgres', ...rest, sslMode: 'verify-full' } as const,
    options: {},
  })),
  fc
    .record({ host: host.filter((name) => !name.includes(':')), path: letters('abc/-', 20) })
    .map(({ host: name, path: rest }) => ({
      location: { kind: 'https', url: new URL(`https://${name}/${rest}`).href } as const,
      options: {},
    })),
);

describe('location', () => {
  test('that is formatted is parsed to the same location', () => {
    fc.assert(
      fc.property(location, ({ location: expected, options }) => {
        expect(parseLocation(formatLocation(expected), options)).toEqual(expected);
      }),
    );
  });

  test('error contains no password, user or key of the address', () => {
    const secret = letters('kq7', 30).map((text) => `zz${text}zz`);
    const scheme = fc.constantFrom('s3', 'sftp', 'https', 'http', 'postgres', 'postgresql', 'ftp', 'file');
    const form = fc.constantFrom(
      (name: string, text: string) => `${name}://user:${text}@host.example/path`,
      (name: string, text: string) => `${name}://${text}@`,
      (name: string, text: string) => `${name}://:${text}@host.example/path/..%2f/%zz`,
      (name: string, text: string) => `${name}://user:${text}@ho st/`,
      (name: string, text: string) => `${name}:${text}`,
      (_: string, text: string) => `/folder/${text}/../..\0`,
      (_: string, text: string) => text,
    );
    fc.assert(
      fc.property(secret, scheme, form, (text, name, write) => {
        try {
          parseLocation(write(name, text));
        } catch (error) {
          expect(error).toBeInstanceOf(ValidationError);
          expect((error as Error).message).not.toContain(text);
        }
      }),
    );
  });

  test.each([
    ['a password', 'sftp://jane:geheim@host.example/lists', 'contains a password'],
    ['a password of a database', 'postgres://jane:geheim@host.example/db', 'contains a password'],
    ['a user of a web address', 'https://jane@host.example/a.csv', 'contains a user name'],
    ['a user of a bucket', 's3://jane@bucket/lists', 'no user name'],
    ['no bucket', 's3://', 'names no bucket'],
    ['a prefix that leads out', 's3://bucket/a/%2e%2e/b', ''],
    ['a folder that leads out', '/lists/../etc', '".."'],
    ['a folder of SFTP that leads out', 'sftp://jane@host.example/a%2f..%2fb', '".."'],
    ['no user of SFTP', 'sftp://host.example/lists', 'must name user and host'],
    ['no database', 'postgres://jane@host.example', 'must name user, host and database'],
    ['an unknown mode of TLS', 'postgres://jane@host.example/db?sslmode=prefer', 'sslmode is one of'],
    [
      'an option of Postgres',
      'postgres://jane@host.example/db?options=-c',
      'an option that is not supported: options',
    ],
    ['an unknown protocol', 'ftp://host.example/lists', 'ftp:// is not supported'],
    ['a relative folder', 'lists', 'neither an absolute folder nor a URL'],
    ['a query', 's3://bucket/what?now', 'Write them as %3F'],
    ['a fragment of a bucket', 's3://bucket/list#1', 'Write them as %3F and %23'],
    ['a fragment of SFTP', 'sftp://jane@host.example/list#1', 'Write them as %3F and %23'],
    ['a fragment of a database', 'postgres://jane@host.example/db#1', 'Write it as %23'],
    ['a broken escape', 'sftp://jane@host.example/%zz', 'a % that is not part of an escape'],
    ['a very long text', `/${'x'.repeat(2000)}`, 'too long'],
  ])('with %s is rejected', (_, text, message) => {
    try {
      const parsed = parseLocation(text);
      expect(message).toBe('');
      expect(JSON.stringify(parsed)).not.toContain('..');
    } catch (error) {
      expect(error).toBeInstanceOf(ValidationError);
      expect((error as Error).message).toContain(message);
    }
  });

  test.each([
    [{ endpoint: 'https://user:geheim@s3.example.com' }, 'endpoint must be'],
    [{ endpoint: 'https://s3.example.com/path' }, 'endpoint must be'],
    [{ endpoint: 'ftp://s3.example.com' }, 'endpoint must be'],
    [{ endpoint: 's3.example.com' }, 'endpoint is not a URL'],
    [{ region: 'eu central' }, 'region is not a name'],
  ])('of a bucket with the options %j is rejected', (options, message) => {
    expect(() => parseLocation('s3://bucket', options)).toThrow(message);
  });

  test('keeps the sheet of a link to Google Sheets, and no other fragment', () => {
    const sheet = 'https://docs.google.com/spreadsheets/d/abc/edit#gid=7';
    expect(parseLocation(sheet)).toEqual({ kind: 'https', url: sheet });
    expect(parseLocation('https://example.com/a.csv#gid=7')).toEqual({
      kind: 'https',
      url: 'https://example.com/a.csv',
    });
  });

  test('of a web address is shown without its query, which can contain a key', () => {
    const parsed = parseLocation('https://example.com/a.csv?key=geheim');
    expect(formatLocation(parsed)).toBe('https://example.com/a.csv?…');
  });

  test('of SFTP below /~/ is relative to the folder that the server opens', () => {
    expect(parseLocation('sftp://jane@host.example/~/in/lists')).toMatchObject({ path: 'in/lists' });
    expect(parseLocation('sftp://jane@host.example/in')).toMatchObject({ path: '/in', port: 22 });
    expect(parseLocation('sftp://jane@host.example')).toMatchObject({ path: '.' });
  });
});
