import { describe, expect, test } from 'vitest';
import { readAllowedHosts } from '../../../../../src/adapters/http/allowed-hosts.ts';
import { Misconfigured } from '../../../../../src/core/errors.ts';

describe('allowed hosts', () => {
  test.each<[string, string, number, boolean]>([
    ['mirror.corp', 'mirror.corp', 443, true],
    ['mirror.corp', 'mirror.corp', 8080, true],
    ['mirror.corp:8080', 'mirror.corp', 8080, true],
    ['mirror.corp:8080', 'mirror.corp', 443, false],
    ['mirror.corp', 'evil.mirror.corp', 443, false],
    ['mirror.corp', 'corp', 443, false],
    ['MIRROR.corp.', 'mirror.corp', 443, true],
    ['mirror.corp', 'mirror.corp.', 443, true],
    ['127.0.0.1', '127.0.0.1', 80, true],
    ['127.0.0.1', '127.0.0.2', 80, false],
    ['127.0.0.1', 'localhost', 80, false],
    ['127.0.0.1:80', '127.0.0.1', 80, true],
    ['127.0.0.1:80', '127.0.0.1', 81, false],
    ['::1', '::1', 80, true],
    ['0:0:0:0:0:0:0:1', '::1', 80, true],
    ['[::1]:8080', '::1', 8080, true],
    ['[::1]:8080', '::1', 80, false],
  ])('with %s listed, %s at port %i is allowed: %s', (listed, hostname, port, isAllowed) => {
    expect(readAllowedHosts([listed])(hostname, port)).toBe(isAllowed);
  });

  test('allow no host by default, and each host of a list', () => {
    expect(readAllowedHosts([])('localhost', 80)).toBe(false);
    expect(readAllowedHosts(['a.corp', 'b.corp'])('b.corp', 80)).toBe(true);
  });

  test.each([
    '10.0.0.0/8',
    'http://mirror.corp',
    'jane@mirror.corp',
    'mirror.corp/list',
    'a b',
    '',
    '[::1',
    '1.2.3.999',
  ])('reject the invalid entry %j', (listed) => {
    expect(() => readAllowedHosts([listed])).toThrow(Misconfigured);
  });
});
