import { BlockList, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { ApiContext } from './api-env.ts';

/**
 * Address of the client. Behind a trusted proxy, the last address of `X-Forwarded-For`, which the proxy itself saw; anybody may have
 * written the ones before it.
 */
export function requestAddress(c: ApiContext, trustProxy: boolean): string {
  const own = getConnInfo(c).remote.address ?? 'unknown';
  if (!trustProxy) return own;
  const forwarded = c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim();
  return forwarded === undefined || forwarded === '' ? own : forwarded;
}

/**
 * The network that an address stands for where requests are counted: an IPv4 address itself, of an IPv6 address the /64 that one
 * subscriber has to themselves (RFC 6177). Text that is no address stands for itself.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/64`).toString()}/64`;
}

/** Addresses that nobody has on the public network: loopback, private and link-local ones (RFC 1918, 4193, 4291). */
const privateRanges = new BlockList();
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const)
  privateRanges.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  privateRanges.addSubnet(network, bits, 'ipv6');

/** True when a request comes from the machine itself or a private network. */
export function isPrivateAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  return privateRanges.check(mapped, isIPv6(mapped) ? 'ipv6' : 'ipv4');
}

/** Names that no public name server answers for: single labels, and those reserved or customary within networks (RFC 6761, 6762, 8375, 9476). */
const localName = /^(?:[^.]+|.+\.(?:localhost|local|internal|home\.arpa|lan|svc))$/;

/**
 * True when a request names this server by an address, a name of its own network, or the name of `baseUrl`. By any other a page may have
 * made its own name point here, to read in somebody's browser what only they may read (DNS rebinding).
 */
export function isOwnName(host: string, baseUrl: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  return (
    hostname === new URL(baseUrl).hostname ||
    ipaddr.isValid(hostname.replace(/^\[|\]$/g, '')) ||
    localName.test(hostname)
  );
}
