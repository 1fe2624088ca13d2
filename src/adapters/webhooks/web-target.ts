import { isIP } from 'node:net';
import { ValidationError } from '../../core/errors.ts';
import { isPublicAddress } from '../../core/public-address.ts';
import type { IsAllowedHost } from '../http/allowed-hosts.ts';

const charsMax = 2000;

/**
 * Validates a URL that events may be posted to: https, on a public host. A host that the operator allows may have any address,
 * and needs no encryption. Its name is resolved and checked again with each call.
 *
 * @throws ValidationError that states the problem, and nothing about the host.
 */
export function readWebTarget(text: string, isAllowedHost: IsAllowedHost): URL {
  const address = text.trim();
  if (address.length > charsMax || !URL.canParse(address)) throw wrong('it is not a URL such as https://…');
  const url = new URL(address);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isAllowed = isAllowedHost(host, portOf(url));
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isAllowed)) {
    throw wrong('it must begin with https://');
  }
  if (url.username + url.password !== '') throw wrong('it must not have a user name or password in it');
  if (!isAllowed && isIP(host) !== 0 && !isPublicAddress(host)) throw wrong('its host is not public');
  url.hash = '';
  return url;
}

function portOf({ protocol, port }: URL): number {
  const standardPort = protocol === 'https:' ? 443 : 80;
  return port === '' ? standardPort : Number(port);
}

function wrong(why: string): ValidationError {
  return new ValidationError(
    `Events cannot be sent to this address: ${why}. An operator allows other hosts with NIGHTSHIFT_ALLOWED_HOSTS.`,
  );
}
