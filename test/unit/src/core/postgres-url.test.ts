import { describe, expect, test } from 'vitest';
import {
  atServers,
  changePostgresUrl,
  findUrlMistake,
  findWriterMistake,
  parsePostgresUrl,
} from '../../../../src/core/postgres-url.ts';

const two =
  'postgres://user:p%40ss@h1:5432,h2:5433/nightshift?target_session_attrs=read-write&connect_timeout=3';

describe('a URL of Postgres', () => {
  test('names several servers in order, with one login, database and attributes', () => {
    expect(parsePostgresUrl(two)).toEqual({
      user: 'user',
      password: 'p@ss',
      place: 'h1:5432,h2:5433/nightshift',
      servers: ['h1:5432', 'h2:5433'],
      addresses: ['h1:5432', 'h2:5433'].map((server) => two.replace('h1:5432,h2:5433', server)),
      attributes: 'read-write',
      connectMsMax: 3000,
    });
  });

  test.each([
    ['one server', 'postgres://db/x', ['db']],
    ['servers without ports', 'postgresql://a,b/x', ['a', 'b']],
    ['IPv6 addresses', 'postgres://u@[::1]:5432,[::2]/x', ['[::1]:5432', '[::2]']],
    ['a socket', 'postgres:///x?host=/var/run/postgresql', ['']],
    ['a password with commas and an @', 'postgres://u:a,b@c@h1,h2/x', ['h1', 'h2']],
  ])('can have %s', (_, url, servers) => {
    expect(parsePostgresUrl(url)).toMatchObject({ servers, attributes: 'any', connectMsMax: null });
  });

  test.each([
    ['a server without a host', 'postgres://u:hunter2@h1,/x', /without a host/],
    ['a port without a host', 'postgres://u:hunter2@h1,:5432/x', /without a host/],
    ['a port that is no number', 'postgres://u:hunter2@h1:5432,h2:http/x', /not a valid URL/],
    ['a port beyond the last', 'postgres://u:hunter2@h1:99999/x', /not a valid URL/],
    ['servers as a parameter', 'postgres://u:hunter2@h0/x?host=h1,h2', /before the database/],
    [
      'unknown attributes',
      'postgres://u:hunter2@h1/x?target_session_attrs=hunter2',
      /One of: any, read-write/,
    ],
    ['a timeout that is no number', 'postgres://u:hunter2@h1/x?connect_timeout=soon', /connect_timeout/],
    ['an encoding that is none', 'postgres://u:hunter2%zz@h1/x', /not a valid URL/],
    ['another protocol', 'mysql://u:hunter2@h1/x', /not a valid URL/],
  ])('must not have %s, and its mistake reveals nothing', (_, url, mistake) => {
    expect(findUrlMistake(url)).toMatch(mistake);
    expect(findUrlMistake(url)).not.toContain('hunter2');
  });

  test('keeps all its servers when its login and parameters change', () => {
    const changed = changePostgresUrl(two, (url) => {
      url.username = 'other';
      url.password = 'a@b';
      url.searchParams.delete('connect_timeout');
    });
    expect(changed).toBe('postgres://other:a%40b@h1:5432,h2:5433/nightshift?target_session_attrs=read-write');
  });
});

describe('the URL of a login that writes', () => {
  test.each(['postgres://h1/x', 'postgres://h1/x?target_session_attrs=primary', two])('is %s', (url) => {
    expect(findWriterMistake(url)).toBeNull();
  });

  test.each([
    'postgres://h1,h2/x',
    'postgres://h1,h2/x?target_session_attrs=any',
    'postgres://h1/x?target_session_attrs=standby',
    'postgres://h1,h2/x?target_session_attrs=prefer-standby',
  ])('is not %s', (url) => {
    expect(findWriterMistake(url)).toContain('target_session_attrs=read-write');
  });
});

test('a login keeps its name, password and database at other servers, with their parameters', () => {
  const login =
    'postgres://app:p%40s%2525@h1:5432,h2/night?target_session_attrs=read-write&options=-c%20role%3Dx';
  const servers = 'postgres://reader:secret@r1:6000,r2/other?sslmode=require&options=-c%20role%3Dy';
  const url = atServers(login, servers);
  expect(url).toBe('postgres://app:p%40s%2525@r1:6000,r2/night?sslmode=require');
  expect(parsePostgresUrl(url)).toMatchObject({
    user: 'app',
    password: 'p@s%25',
    servers: ['r1:6000', 'r2'],
  });
});
