import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../../support/api/test-api.ts';
import { validateList } from '../../support/api/uploaded-batch.ts';
import { openPoliteServer, type PoliteServer } from '../../support/dns-smtp/polite-server.ts';
import {
  openProbingFixture,
  type FixtureMailDomain,
  type ProbingFixture,
} from '../../support/dns-smtp/probing-fixture.ts';
import { numbersOf } from '../../support/stand-in/stand-in-ads.ts';

const domainsInList = 50;
const addressesPerDomain = 100;

/** Most have their own mail host; the last twenty share hosts in groups of five. */
const domains = Array.from({ length: domainsInList }, (_, i): Omit<FixtureMailDomain, 'port'> => {
  const domain = `company-${i}.com`;
  return i < 30 ? { domain } : { domain, host: `mx.mail-house-${i % 4}.net` };
});
/** Every tenth domain accepts all recipients; at the others every tenth address does not exist. */
const takesAll = (domain: string) => domain.endsWith('7.com');
const isMissing = (localPart: string) => localPart.endsWith('3');

const addresses = shuffled(
  domains.flatMap(({ domain }) =>
    Array.from({ length: addressesPerDomain }, (_, i) => `person-${i}@${domain}`),
  ),
);

function shuffled<T>(items: readonly T[]): readonly T[] {
  const random = numbersOf('shuffle');
  const left = [...items];
  for (let i = left.length - 1; i > 0; i -= 1) {
    const j = random(i + 1);
    [left[i], left[j]] = [left[j] as T, left[i] as T];
  }
  return left;
}

function partsOf(address: string) {
  const [localPart = '', domain = ''] = address.split('@');
  return { localPart, domain };
}

function replyTo(address: string): string | null {
  const { localPart, domain } = partsOf(address);
  const isTaken = takesAll(domain) || (localPart.startsWith('person-') && !isMissing(localPart));
  return isTaken ? null : '550 5.1.1 User unknown';
}

function truthAbout(address: string): string {
  const { localPart, domain } = partsOf(address);
  if (takesAll(domain)) return 'catch_all';
  return isMissing(localPart) ? 'invalid' : 'valid';
}

describe('validation of 5,000 addresses of 50 interleaved domains', () => {
  let server: PoliteServer;
  let fixture: ProbingFixture;
  let api: TestApi;

  beforeAll(async () => {
    server = await openPoliteServer({ recipient: replyTo });
    fixture = await openProbingFixture(domains.map((domain) => ({ ...domain, port: server.port })));
    // A query that is repeated because the machine is busy would count twice.
    const settings = { ...fixture.settings, NIGHTSHIFT_DNS_TIMEOUT_SECONDS: '20' };
    api = await openTestApi({ workers: true, zone: fixture.zone, settings });
  });
  afterAll(async () => {
    await api.close();
    await fixture.close();
    await server.close();
  });

  test('takes one DNS lookup and one control address per domain, and at most 1.3 round trips per address', async () => {
    const startMs = performance.now();
    const verdicts = await verdictsOf(api, addresses);
    const tookMs = Math.round(performance.now() - startMs);
    expect(verdicts).toEqual(addresses.map((address) => [address, truthAbout(address)]));
    expect(domains.map(({ domain }) => api.dns.count('MX', domain))).toEqual(domains.map(() => 1));
    const listed = new Set(addresses);
    const asked = server.recipients.map(({ address }) => address);
    const controls = asked.filter((address) => !listed.has(address));
    expect(new Set(controls.map((address) => partsOf(address).domain)).size).toBe(controls.length);
    expect(asked).toHaveLength(addresses.length + controls.length);
    const roundTrips = server.roundTrips() / addresses.length;
    const { rows } = await api.database.owner.pool.query<{ chunks: number; claims: number }>(
      'SELECT count(*)::integer AS chunks, sum(generation)::integer AS claims FROM nightshift.chunks',
    );
    console.info(
      `${roundTrips.toFixed(3)} round trips an address, ${server.sessions()} sessions, ${controls.length} controls, ` +
        `${rows[0]?.chunks} chunks claimed ${rows[0]?.claims} times, ${tookMs} ms`,
    );
    expect(roundTrips).toBeLessThanOrEqual(1.3);
    expect(await api.findings()).toEqual([]);
  }, 180_000);
});

async function verdictsOf(
  api: TestApi,
  addresses: readonly string[],
): Promise<readonly (readonly [unknown, unknown])[]> {
  const lines = await validateList(api, await api.createKey(), addresses);
  return lines.map((line) => [line['email'], line['email_status']] as const);
}
