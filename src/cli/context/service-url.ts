import type { Config } from '../../config/config.ts';
import { Misconfigured } from '../../core/errors.ts';

/** Hosts that listen on every address, which no browser can open. */
const everyAddress: readonly string[] = ['0.0.0.0', '::'];

/**
 * Returns the URL at which browsers reach the service, without a trailing slash: `NIGHTSHIFT_BASE_URL`, else the address of `HOST` and
 * `PORT`.
 *
 * @throws Misconfigured when the port is chosen at each start.
 */
export function serviceUrl({ api: { baseUrl, host, port } }: Pick<Config, 'api'>): string {
  if (baseUrl !== null) return baseUrl;
  if (port === 0)
    throw new Misconfigured('The address of the service is unknown with PORT=0. Set NIGHTSHIFT_BASE_URL.');
  const name = everyAddress.includes(host) ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
