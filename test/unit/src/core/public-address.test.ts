import { expect, test } from 'vitest';
import fc from 'fast-check';
import { isPublicAddress } from '../../../../src/core/public-address.ts';

/** A block without hosts on the public internet. `source` is the RFC that reserves it. */
type Block = readonly [block: string, name: string, source: string];

/** IANA IPv4 Special-Purpose Address Registry, and multicast addresses. */
const blocks4: readonly Block[] = [
  ['0.0.0.0/8', 'this network', 'RFC 791'],
  ['10.0.0.0/8', 'private use', 'RFC 1918'],
  ['100.64.0.0/10', 'shared address space', 'RFC 6598'],
  ['127.0.0.0/8', 'loopback', 'RFC 1122'],
  ['169.254.0.0/16', 'link-local', 'RFC 3927'],
  ['172.16.0.0/12', 'private use', 'RFC 1918'],
  ['192.0.0.0/24', 'IETF protocol assignments', 'RFC 6890'],
  ['192.0.0.0/29', 'IPv4 service continuity', 'RFC 7335'],
  ['192.0.0.8/32', 'IPv4 dummy address', 'RFC 7600'],
  ['192.0.0.9/32', 'port control protocol anycast', 'RFC 7723'],
  ['192.0.0.10/32', 'TURN anycast', 'RFC 8155'],
  ['192.0.0.170/31', 'NAT64/DNS64 discovery', 'RFC 8880'],
  ['192.0.2.0/24', 'documentation 1', 'RFC 5737'],
  ['192.31.196.0/24', 'AS112', 'RFC 7535'],
  ['192.52.193.0/24', 'AMT', 'RFC 7450'],
  ['192.88.99.0/24', '6to4 relay anycast', 'RFC 7526'],
  ['192.168.0.0/16', 'private use', 'RFC 1918'],
  ['192.175.48.0/24', 'direct delegation AS112', 'RFC 7534'],
  ['198.18.0.0/15', 'benchmarking', 'RFC 2544'],
  ['198.51.100.0/24', 'documentation 2', 'RFC 5737'],
  ['203.0.113.0/24', 'documentation 3', 'RFC 5737'],
  ['224.0.0.0/4', 'multicast', 'RFC 5771'],
  ['240.0.0.0/4', 'reserved', 'RFC 1112'],
  ['255.255.255.255/32', 'limited broadcast', 'RFC 8190'],
];

/** IANA IPv6 Special-Purpose Address Registry without the forms that embed an IPv4 address, and addresses outside 2000::/3. */
const blocks6: readonly Block[] = [
  ['::1/128', 'loopback', 'RFC 4291'],
  ['::/128', 'unspecified', 'RFC 4291'],
  ['::ffff:0:0:0/96', 'IPv4-translated', 'RFC 2765'],
  ['64:ff9b:1::/48', 'IPv4-IPv6 translation', 'RFC 8215'],
  ['100::/64', 'discard only', 'RFC 6666'],
  ['100:0:0:1::/64', 'dummy prefix', 'RFC 9780'],
  ['2001:1::1/128', 'port control protocol anycast', 'RFC 7723'],
  ['2001:1::2/128', 'TURN anycast', 'RFC 8155'],
  ['2001:1::3/128', 'DNS-SD service registration anycast', 'RFC 9665'],
  ['2001:2::/48', 'benchmarking', 'RFC 5180'],
  ['2001:3::/32', 'AMT', 'RFC 7450'],
  ['2001:4:112::/48', 'AS112', 'RFC 7535'],
  ['2001:5::/32', 'EID space for LISP', 'RFC 7954'],
  ['2001:10::/28', 'ORCHID', 'RFC 4843'],
  ['2001:20::/28', 'ORCHIDv2', 'RFC 7343'],
  ['2001:30::/28', 'drone remote ID', 'RFC 9374'],
  ['2001:100::/24', 'IETF protocol assignments', 'RFC 2928'],
  ['2001:db8::/32', 'documentation', 'RFC 3849'],
  ['2620:4f:8000::/48', 'direct delegation AS112', 'RFC 7534'],
  ['3fff::/20', 'documentation', 'RFC 9637'],
  ['5f00::/16', 'segment routing', 'RFC 9602'],
  ['fc00::/7', 'unique local', 'RFC 4193'],
  ['fe80::/10', 'link-local', 'RFC 4291'],
  ['fec0::/10', 'site-local', 'RFC 3879'],
  ['ff00::/8', 'multicast', 'RFC 4291'],
  ['200::/7', 'not given out', 'RFC 4291'],
  ['400::/6', 'not given out', 'RFC 4291'],
  ['800::/5', 'not given out', 'RFC 4291'],
  ['1000::/4', 'not given out', 'RFC 4291'],
  ['4000::/2', 'not given out', 'RFC 4291'],
  ['8000::/2', 'not given out', 'RFC 4291'],
  ['c000::/3', 'not given out', 'RFC 4291'],
  ['e000::/4', 'not given out', 'RFC 4291'],
  ['f000::/5', 'not given out', 'RFC 4291'],
  ['f800::/6', 'not given out', 'RFC 4291'],
  ['fe00::/9', 'not given out', 'RFC 4291'],
];

/** Real hosts, and addresses next to reserved blocks. */
const public4: readonly string[] = [
  '1.0.0.0',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '191.255.255.255',
  '192.0.1.0',
  '192.0.3.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '203.0.112.255',
  '203.0.114.0',
  '223.255.255.255',
];
const public6: readonly string[] = [
  '2000::',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff',
  '2001:db9::',
  '2003::1',
  '2606:4700:4700::1111',
  '2620:4f:8001::',
  '2a00:1450:4001:81b::200e',
  '3ffe::1',
  '3fff:1000::',
];

test.each([...blocks4, ...blocks6])('block %s is not public: %s (%s)', (block) => {
  expect(sampleOf(block).filter(isPublicAddress)).toEqual([]);
});

test.each([...public4, ...public6])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

/** Every form in which an IPv6 address can embed an IPv4 address. */
const forms: readonly (readonly [name: string, wrap: (bytes: readonly number[]) => string])[] = [
  ['IPv4-mapped', (bytes) => `::ffff:${bytes.join('.')}`],
  ['IPv4-mapped in hexadecimal', (bytes) => `0:0:0:0:0:FFFF:${hexOf(bytes)}`],
  ['IPv4-compatible', (bytes) => `::${bytes.join('.')}`],
  ['NAT64', (bytes) => `64:ff9b::${hexOf(bytes)}`],
  ['6to4', (bytes) => `2002:${hexOf(bytes)}::1`],
  ['Teredo', (bytes) => `2001:0:4136:e378:8000:63bf:${hexOf(bytes.map((byte) => byte ^ 0xff))}`],
];

test.each(forms)('an IPv4 address in %s form is public if and only if the IPv4 address is', (_, wrap) => {
  for (const [block] of blocks4)
    expect(
      sampleOf(block)
        .map((address) => wrap(bytesOf(address)))
        .filter(isPublicAddress),
    ).toEqual([]);
  expect(public4.map((address) => wrap(bytesOf(address))).filter((form) => !isPublicAddress(form))).toEqual(
    [],
  );
});

test.each([
  '',
  'localhost',
  'example.com',
  '8.8.8',
  '8.8.8.8.8',
  '134744072',
  '0x08.8.8.8',
  '010.8.8.8',
  '8.8.8.8 ',
  ' 8.8.8.8',
  '8.8.8.8/32',
  '8.8.8.8:25',
  '256.8.8.8',
  '[2606:4700:4700::1111]',
  '2606:4700:4700::1111%eth0',
  'fe80::1%eth0',
  '2606:4700:4700::1111/128',
  '::ffff:8.8.8.8:25',
  '8.8.8.8\0',
])('the text %j is not a public address', (text) => {
  expect(isPublicAddress(text)).toBe(false);
});

test('checking a text of any kind never throws', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.ipV4Extended(), fc.ipV6()), (text) => {
      expect(typeof isPublicAddress(text)).toBe('boolean');
    }),
    { numRuns: 1_000 },
  );
});

test('no address outside of 2000::/3 is public unless it contains an IPv4 address', () => {
  const outside = fc
    .array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 })
    .map(([first = 0, ...rest]) => [first & 0x2000 && !(first & 0xc000) ? first ^ 0x2000 : first, ...rest])
    .filter(([a, b]) => a !== 0 && !(a === 0x64 && b === 0xff9b));
  fc.assert(
    fc.property(outside, (parts) => {
      expect(isPublicAddress(parts.map((part) => part.toString(16)).join(':'))).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

/** First, last and one middle address of a block. */
function sampleOf(block: string): readonly string[] {
  const [first = '', length = ''] = block.split('/');
  const isV6 = first.includes(':');
  const bits = isV6 ? 128n : 32n;
  const free = (1n << (bits - BigInt(length))) - 1n;
  const start = isV6 ? numberOf6(first) : bytesOf(first).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  expect(start & free).toBe(0n);
  return [start, start + free / 2n, start + free].map(isV6 ? textOf6 : textOf4);
}

function numberOf6(text: string): bigint {
  const [head = '', tail = ''] = text
    .split('::')
    .map((half) => half.split(':').filter((part) => part !== ''))
    .map((parts) => parts.map((part) => part.padStart(4, '0')).join(''));
  return BigInt(`0x${text.includes('::') ? head.padEnd(32 - tail.length, '0') + tail : head}`);
}

function textOf6(value: bigint): string {
  return (value.toString(16).padStart(32, '0').match(/.{4}/g) ?? []).join(':');
}

function textOf4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
}

function bytesOf(address: string): readonly number[] {
  return address.split('.').map(Number);
}

function hexOf([a = 0, b = 0, c = 0, d = 0]: readonly number[]): string {
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}
