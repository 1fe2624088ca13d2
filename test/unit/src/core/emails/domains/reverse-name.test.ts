import { expect, test } from 'vitest';
import { reverseName } from '../../../../../../src/core/emails/domains/reverse-name.ts';

test.each([
  // Examples of RFC 1035 §3.5 and RFC 3596 §2.5.
  ['10.2.0.52', '52.0.2.10.in-addr.arpa'],
  ['4321:0:1:2:3:4:567:89ab', 'b.a.9.8.7.6.5.0.4.0.0.0.3.0.0.0.2.0.0.0.1.0.0.0.0.0.0.0.1.2.3.4.ip6.arpa'],
])('the PTR record of %s is at %s', (address, name) => {
  expect(reverseName(address)).toBe(name);
});
