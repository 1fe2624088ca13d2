import { expect, test } from 'vitest';
import { isPrivateAddress, networkOf } from '../../../../../src/api/http/request-address.ts';

test.each([
  '127.0.0.1',
  '::1',
  '10.1.2.3',
  '172.31.0.1',
  '192.168.1.9',
  '::ffff:127.0.0.1',
  'fd00::1',
  'fe80::1',
])('%s is a private address', (address) => expect(isPrivateAddress(address)).toBe(true));

test.each(['8.8.8.8', '172.32.0.1', '2001:4860::8888', '::ffff:8.8.8.8', 'unknown', ''])(
  '%s is not a private address',
  (address) => expect(isPrivateAddress(address)).toBe(false),
);

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:aaaa::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:bbbb::2', '2001:db8:1:2::/64'],
  ['unknown', 'unknown'],
])('network of %s is %s', (address, network) => expect(networkOf(address)).toBe(network));
