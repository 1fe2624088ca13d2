import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MailboxEvidence } from '../../../src/core/emails/probing/mailbox.ts';
import { batchOf, findingOf, longWaits, probe, probedOf } from '../../support/dns-smtp/probe.ts';
import { openPoliteServer, type PoliteServer } from '../../support/dns-smtp/polite-server.ts';

/** Fifty domains with their mail at ten providers, in a realistic distribution: large ones, small ones, and single domains. */
const domainsOf: readonly number[] = [9, 8, 7, 7, 6, 5, 4, 2, 1, 1];
const addressesOfDomain = 100;
/** Every eighth address does not exist. */
const isGone = (local: string) => Number(local.slice('person-'.length)) % 8 === 7;
/** One provider accepts all recipients. */
const catchAllHoster = 4;

const isControl = (address: string) => /^[a-z0-9]{20}@/.test(address);

interface Hoster {
  readonly server: PoliteServer;
  readonly addresses: readonly string[];
}

describe('five thousand addresses of fifty domains', () => {
  let hosters: readonly Hoster[];
  const evidence = new Map<string, MailboxEvidence>();
  let tookMs = 0;

  beforeAll(async () => {
    hosters = await Promise.all(domainsOf.map(openHoster));
    const startMs = performance.now();
    const probed = await Promise.all(
      hosters.map(({ server, addresses }) => probe(batchOf(addresses), { ...longWaits, port: server.port })),
    );
    tookMs = performance.now() - startMs;
    for (const found of probed) for (const [address, one] of found.evidence) evidence.set(address, one);
    for (const { server } of hosters) await server.close();
  });

  test('all get the verdict of their server', () => {
    expect(evidence.size).toBe(5_000);
    const wrong = hosters.flatMap(({ addresses }, n) =>
      addresses.filter((address) => {
        const local = address.slice(0, address.indexOf('@'));
        const isThere = n === catchAllHoster || !isGone(local);
        return findingOf(evidence.get(address)) !== (isThere ? 'mailbox_accepts' : 'mailbox_not_found');
      }),
    );
    expect(wrong).toEqual([]);
  });

  test('need one control address per domain', () => {
    const asked = hosters.flatMap(({ server }) => server.recipients.map(({ address }) => address));
    const controls = asked.filter(isControl);
    expect(asked).toHaveLength(5_000 + controls.length);
    expect(new Set(controls.map((address) => address.slice(21))).size).toBe(controls.length);
    expect(controls).toHaveLength(50);
    hosters.forEach(({ addresses }, n) => {
      const known = addresses.map((address) => probedOf({ evidence }, address).catchAll);
      expect(new Set(known)).toEqual(new Set([n === catchAllHoster ? 'accepted' : 'refused']));
    });
  });

  test('take at most 1.3 round trips per address, with connections and control addresses', () => {
    // A server does not see the round trip of the TCP handshake.
    const roundTrips = sumOf(hosters, ({ server }) => server.roundTrips() + server.sessions());
    const sessions = sumOf(hosters, ({ server }) => server.sessions());
    const figure = roundTrips / 5_000;
    console.info(
      `${figure.toFixed(3)} round trips an address, ${sessions} sessions, ${Math.round(tookMs)} ms for 5,000`,
    );
    expect(figure).toBeLessThanOrEqual(1.3);
  });

  afterAll(() => evidence.clear());
});

async function openHoster(count: number, n: number): Promise<Hoster> {
  const addresses = Array.from({ length: count }, (_, d) =>
    Array.from({ length: addressesOfDomain }, (__, i) => `person-${i}@domain-${d}.hoster-${n}.net`),
  ).flat();
  const known = new Set(addresses.filter((address) => !isGone(address.slice(0, address.indexOf('@')))));
  const server = await openPoliteServer({
    recipient: (address) => (n === catchAllHoster || known.has(address) ? null : '550 5.1.1 User unknown'),
  });
  return { server, addresses };
}

function sumOf<Item>(items: readonly Item[], numberOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + numberOf(item), 0);
}
