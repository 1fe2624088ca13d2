import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** All that IANA has assigned as global unicast so far (IPv6 address space registry). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** IPv6 addresses that embed an IPv4 address, and the position of its four bytes. */
const wrappings = [
  // IPv4-mapped (RFC 4291 §2.5.5.2) and the deprecated IPv4-compatible (§2.5.5.1).
  { block: ipaddr.IPv6.parseCIDR('::ffff:0:0/96'), bytesAt: 12 },
  { block: ipaddr.IPv6.parseCIDR('::/96'), bytesAt: 12 },
  // NAT64 (RFC 6052 §2.1).
  { block: ipaddr.IPv6.parseCIDR('64:ff9b::/96'), bytesAt: 12 },
  // 6to4 (RFC 3056 §2).
  { block: ipaddr.IPv6.parseCIDR('2002::/16'), bytesAt: 2 },
  // Teredo: the client behind the NAT, with inverted bits (RFC 4380 §4).
  { block: ipaddr.IPv6.parseCIDR('2001::/32'), bytesAt: 12, mask: 0xff },
];

/**
 * True when an address, v4 or v6 as text, belongs to a host on the public internet. Targets that come from users or from other
 * servers are connected to only if this is true; otherwise a user could reach our own network or the metadata service of a
 * cloud.
 *
 * True only for global unicast. False for everything in IANA's special-purpose registries (RFC 6890) and for unassigned space:
 * loopback, private, link-local, shared, multicast, documentation, benchmarking, reserved and relays. An IPv6 address that
 * embeds an IPv4 address is treated like that address. False for text that is not an address, and for an address with a zone.
 */
export function isPublicAddress(address: string): boolean {
  // Only the canonical form of an IPv4 address: some parsers read 010.0.0.1 as 8.0.0.1, and 2130706433 is loopback.
  if (isIP(address) === 0 || address.includes('%')) return false;
  return isPublic(ipaddr.parse(address));
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.kind() === 'ipv4') return address.range() === 'unicast';
  const inner = unwrap(address);
  if (inner !== null) return isPublic(inner);
  return address.match(globalUnicast) && address.range() === 'unicast';
}

function unwrap(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | null {
  const wrapping = wrappings.find(({ block }) => address.match(block));
  if (wrapping === undefined) return null;
  const { bytesAt, mask = 0 } = wrapping;
  const bytes = address.toByteArray().slice(bytesAt, bytesAt + 4);
  return new ipaddr.IPv4(bytes.map((byte) => byte ^ mask));
}
