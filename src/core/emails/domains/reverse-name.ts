import ipaddr from 'ipaddr.js';

/** The name under which DNS keeps what an address, v4 or v6 as text, points back to (RFC 1035 §3.5, RFC 3596 §2.5). */
export function reverseName(address: string): string {
  const parsed = ipaddr.parse(address);
  const bytes = parsed.toByteArray().reverse();
  if (parsed.kind() === 'ipv4') return `${bytes.join('.')}.in-addr.arpa`;
  return `${bytes.flatMap((byte) => [byte & 15, byte >> 4].map((nibble) => nibble.toString(16))).join('.')}.ip6.arpa`;
}
