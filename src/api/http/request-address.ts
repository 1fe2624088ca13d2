import { BlockList, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { ApiContext } from './api-env.ts';

/**
 * Address of the client. Behind a trusted proxy, the last address of `X-Forwarded-For`, which the proxy itself added; a client can forge
 * the ones before it.
 */
export function requestAddress(c: ApiContext, trustProxy: boolean): string {
  const own = getConnInfo(c).remote.address ?? 'unknown';
  if (!trustProxy) return own;
  const forwarded = c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim();
  return forwarded === undefined || forwarded === '' ? own : forwarded;
}

/**
 * Network of an address, for counting requests: an IPv4 address itself, or the /64 of an IPv6 address, which one subscriber has
 * alone (RFC 6177). Text that is not an address is returned unchanged.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/64`).toString()}/64`;
}

/** Addresses that are not on the public network: loopback, private and link-local ones (RFC 1918, 4193, 4291). */
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

/** True when an address belongs to this machine or a private network. */
export function isPrivateAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  return privateRanges.check(mapped, isIPv6(mapped) ? 'ipv6' : 'ipv4');
}

/**
 * Names that are not in the public DNS: single labels, and names that are reserved or customary within networks (RFC 6761, 6762, 8375,
 * 9476).
 */
const localName = /^(?:[^.]+|.+\.(?:localhost|local|internal|home\.arpa|lan|svc))$/;

/**
 * True when the Host of a request is an address, a name of the local network, or the name of `baseUrl`. Any other name may belong to a
 * page that points its own name to this server to read data through a user's browser (DNS rebinding).
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
