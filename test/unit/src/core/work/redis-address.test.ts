import { describe, expect, test } from 'vitest';
import { parseRedisAddress } from '../../../../../src/core/work/redis-address.ts';

const plain = { login: null, isEncrypted: false };

test.each([
  ['redis://cache', { ...plain, kind: 'server', server: { host: 'cache', port: 6379 }, database: 0 }],
  [
    'rediss://worker:p%40ss%2C@[2001:db8::1]:6380/2',
    {
      kind: 'server',
      server: { host: '2001:db8::1', port: 6380 },
      database: 2,
      login: { user: 'worker', password: 'p@ss,' },
      isEncrypted: true,
    },
  ],
  [
    'rediss://:secret@one:7000, two:7001,rediss://three',
    {
      kind: 'cluster',
      nodes: [
        { host: 'one', port: 7000 },
        { host: 'two', port: 7001 },
        { host: 'three', port: 6379 },
      ],
      login: { user: null, password: 'secret' },
      isEncrypted: true,
    },
  ],
  [
    'sentinel://a,b:26380/main',
    {
      ...plain,
      kind: 'sentinel',
      sentinels: [
        { host: 'a', port: 26_379 },
        { host: 'b', port: 26_380 },
      ],
      sentinelLogin: null,
      master: 'main',
      database: 0,
    },
  ],
  [
    'sentinel://worker:secret@a/my.master-1/3?sentinelUsername=watcher&sentinelPassword=p%26w&tls=true',
    {
      kind: 'sentinel',
      sentinels: [{ host: 'a', port: 26_379 }],
      sentinelLogin: { user: 'watcher', password: 'p&w' },
      master: 'my.master-1',
      database: 3,
      login: { user: 'worker', password: 'secret' },
      isEncrypted: true,
    },
  ],
])('%s is understood', (text, address) => {
  expect(parseRedisAddress(text)).toEqual(address);
});

describe('a mistake is named, and the value is not quoted', () => {
  test.each([
    ['http://hunter2', 'must begin with redis://, rediss:// or sentinel://'],
    ['hunter2:6379', 'must begin with'],
    ['redis://', 'is not a valid URL. The form is redis://USER:PASSWORD@HOST:PORT/DATABASE'],
    ['redis://user:hunter2#x@host', 'in a password, encode #'],
    ['redis://user:hunter2/x@host', 'in a password, encode #'],
    ['redis://user:hunter2@x@host', 'in a password, encode #'],
    ['redis://user:hunter2?x@host', 'has an unknown parameter'],
    ['redis://user:hunter2%zz@host', 'in a password, encode #'],
    ['redis://:hunter2,x@host', 'in a password, encode #'],
    ['redis://hunter2@host', 'write a password without a user as :PASSWORD@'],
    ['redis://host:0', 'is not a valid URL'],
    ['redis://host:65536', 'is not a valid URL'],
    ['redis://host:six', 'is not a valid URL'],
    ['redis://host/hunter2', 'must have a number as its database'],
    ['redis://host?hunter2=1', 'has an unknown parameter after the question mark; none are known'],
    ['redis://one/1,redis://two/1', 'a cluster has only database 0'],
    ['redis://one,rediss://two', 'must have the same scheme and the same login'],
    ['redis://:a@one,redis://:hunter2@two', 'must have the same scheme and the same login'],
    ['redis://one,redis://:hunter2@two', 'must have the same scheme and the same login'],
    ['redis://one,', 'is not a valid URL'],
    ['sentinel://one:26379', 'must name the master after the sentinels'],
    ['sentinel://one/', 'must name the master after the sentinels'],
    ['sentinel://one/the master', 'must name the master after the sentinels'],
    ['sentinel://one/main/0/1', 'must name the master after the sentinels'],
    ['sentinel://one/main/first', 'must have a number as its database'],
    ['sentinel://one,/main', 'is not a valid URL. The form is sentinel://'],
    ['sentinel://one/main?password=hunter2', 'known are sentinelUsername, sentinelPassword, tls'],
    ['sentinel://one/main?sentinelUsername=hunter2', 'must have a sentinelPassword'],
    ['sentinel://one/main?tls=yes', 'must have true or false as its tls'],
  ])('%s', (text, mistake) => {
    const parse = () => parseRedisAddress(text);
    expect(parse).toThrow(mistake);
    expect(parse).not.toThrow('hunter2');
  });
});
