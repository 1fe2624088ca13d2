import { isIPv6 } from 'node:net';
import { Misconfigured } from '../../core/errors.ts';

/** True when calls to a host and port may go to addresses that are not public. The host is written as in a URL, without brackets. */
export type IsAllowedHost = (hostname: string, port: number) => boolean;

/**
 * Parses the hosts that an operator lists: `name`, `name:port`, an address, or `[address]:port`. Without a port, every port is
 * allowed. All spellings of a name or an address are equal: `LOCALHOST.` is `localhost`, `0:0:0:0:0:0:0:1` is `::1`.
 *
 * @throws Misconfigured for an entry that is not a host, such as a range of addresses.
 */
export function readAllowedHosts(texts: readonly string[]): IsAllowedHost {
  const hosts = texts.map(readHost);
  return (hostname, port) => {
    const name = withoutDot(hostname);
    return hosts.some((host) => host.name === name && (host.port === null || host.port === port));
  };
}

interface AllowedHost {
  readonly name: string;
  /** Null: every port. */
  readonly port: number | null;
}

function readHost(text: string): AllowedHost {
  const [, before, digits] = /^([^:]+|\[.+\]):(\d{1,5})$/.exec(text) ?? [];
  const host = before ?? text;
  const url = parseHost(isIPv6(host) ? `[${host}]` : host);
  if (url === null) {
    throw new Misconfigured(`An allowed host must be a name, name:port or an address: "${text}" is not.`);
  }
  const name = withoutDot(url.hostname.replace(/^\[|\]$/g, ''));
  return { name, port: digits === undefined ? null : Number(digits) };
}

/** Null if the text is more than a host. */
function parseHost(host: string): URL | null {
  const isHost = !/[/?#@\\\s]/.test(host) && URL.canParse(`http://${host}/`);
  const url = isHost ? new URL(`http://${host}/`) : null;
  return url?.port === '' ? url : null;
}

function withoutDot(name: string): string {
  return name.replace(/\.$/, '');
}
