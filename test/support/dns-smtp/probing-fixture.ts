import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { DnsZone } from './dns-server.ts';
import type { Environment } from '../cli/nightshift-process.ts';

/** Names of the operator, and mail domains with local servers, for a Nightshift that probes their mailboxes. */
export interface ProbingFixture {
  readonly zone: DnsZone;
  readonly settings: Environment;
  readonly close: () => Promise<void>;
}

export interface FixtureMailDomain {
  readonly domain: string;
  /** Port of the domain's server on 127.0.0.1. Domains may share one. */
  readonly port: number;
  /** Name of the domain's mail host. Default: `mx.` and the domain. */
  readonly host?: string;
}

const operator = 'night-desk.net';

/**
 * Opens the fixture. The operator is set up correctly: its name resolves to 127.0.0.1 and back, and its own mail server responds.
 * Budgets are high, and deferred servers are retried after a short delay.
 */
export async function openProbingFixture(domains: readonly FixtureMailDomain[]): Promise<ProbingFixture> {
  const own = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write(`220 mx.${operator}\r\n`);
    socket.on('data', (chunk) =>
      socket.write(chunk.toString().startsWith('QUIT') ? '221 Bye\r\n' : '250 Ok\r\n'),
    );
  });
  own.listen(0, '127.0.0.1');
  await once(own, 'listening');
  const ownPort = (own.address() as AddressInfo).port;
  const hosts = new Map(domains.map(({ domain, port, host = `mx.${domain}` }) => [host, port]));
  return {
    zone: {
      [`probe.${operator}`]: { A: ['127.0.0.1'] },
      '1.0.0.127.in-addr.arpa': { PTR: [`probe.${operator}`] },
      [operator]: { MX: [[10, `mx.${operator}`]], TXT: ['v=spf1 a:probe.night-desk.net -all'] },
      [`mx.${operator}`]: { A: ['127.0.0.1'] },
      ...Object.fromEntries(
        domains.map(({ domain, host = `mx.${domain}` }) => [domain, { MX: [[10, host] as const] }]),
      ),
      ...Object.fromEntries([...hosts.keys()].map((host) => [host, { A: ['127.0.0.1'] }])),
    },
    settings: {
      NIGHTSHIFT_PROBE_HELLO_NAME: `probe.${operator}`,
      NIGHTSHIFT_PROBE_MAIL_FROM: `probe@${operator}`,
      NIGHTSHIFT_PROBE_CONTACT: `abuse@${operator}`,
      NIGHTSHIFT_PROBE_GROUP_PER_MINUTE: '100000',
      NIGHTSHIFT_PROBE_DOMAIN_PER_DAY: '1000000',
      NIGHTSHIFT_PROBE_EGRESS_PER_MINUTE: '100000',
      NIGHTSHIFT_PROBE_RETRY_MINUTES: '0.03,0.03,0.03',
      NIGHTSHIFT_ALLOWED_HOSTS: [
        `probe.${operator}`,
        `mx.${operator}:${ownPort}`,
        ...[...hosts].map(([host, port]) => `${host}:${port}`),
      ].join(','),
    },
    close: async () => {
      own.close();
      await once(own, 'close');
    },
  };
}
