import ipaddr from 'ipaddr.js';

/** Name of the PTR record of an IPv4 or IPv6 address (RFC 1035 §3.5, RFC 3596 §2.5). */
export function reverseName(address: string): string {
  const parsed = ipaddr.parse(address);
  const bytes = parsed.toByteArray().reverse();
  if (parsed.kind() === 'ipv4') return `${bytes.join('.')}.in-addr.arpa`;
  return `${bytes.flatMap((byte) => [byte & 15, byte >> 4].map((nibble) => nibble.toString(16))).join('.')}.ip6.arpa`;
}
