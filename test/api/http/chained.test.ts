import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { codesOf, openTestApi, type Answer, type TestApi } from '../../support/api/test-api.ts';
import { openRelay, type Relay } from '../../support/api/relay.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

const path = '/v1/ads/google-ads-search';
const price = 200_000n;

interface Body {
  readonly ads: readonly unknown[];
  readonly credits_consumed: number;
  readonly source?: string;
}

/** Closed in reverse order. */
const opened: { readonly close: () => Promise<void> }[] = [];

async function open<T extends { readonly close: () => Promise<void> }>(opening: Promise<T>): Promise<T> {
  const one = await opening;
  opened.push(one);
  return one;
}

async function closeAll(): Promise<void> {
  for (const one of opened.splice(0).reverse()) await one.close();
}

/** A Nightshift whose only source is behind the relay. */
function openBehind(relay: Relay, { workers = false } = {}): Promise<TestApi> {
  const settings = {
    NIGHTSHIFT_SOURCES: 'upstream',
    NIGHTSHIFT_UPSTREAM_URL: relay.url,
    NIGHTSHIFT_UPSTREAM_KEY: 'whatever',
    NIGHTSHIFT_UPSTREAM_IDEMPOTENT: 'true',
  };
  return open(openTestApi({ settings, workers }));
}

async function pointTo(relay: Relay, { url, createKey }: TestApi): Promise<void> {
  relay.pointTo({ url, key: await createKey() });
}

async function search({ call, createKey }: TestApi, domain: string): Promise<Answer> {
  return call('POST', path, { key: await createKey(), json: { company_domain: domain } });
}

async function available(api: TestApi): Promise<bigint> {
  const { balanceMicro, heldMicro } = await api.balance();
  expect(heldMicro).toBe(0n);
  return balanceMicro;
}

/** Charge of each source call, as an operator reads it. */
async function sourceCharges({ database }: TestApi): Promise<readonly unknown[]> {
  const found = await database.owner.pool.query<Record<string, unknown>>(
    `SELECT c.source, l.company_domain, c.unit, c.units::float, c.expected::float, c.charged::float, c.currency, c.is_in_doubt
      FROM reports.source_charges c JOIN reports.lookups l USING (lookup_id) ORDER BY c.call_id`,
  );
  return found.rows;
}

const chargeFor = (domain: string) => ({
  source: 'upstream',
  company_domain: domain,
  unit: 'search that found ads',
  units: 1,
  expected: 0.2,
  charged: 0.2,
  currency: 'credits',
  is_in_doubt: false,
});

describe('Nightshift as the upstream source of another installation', () => {
  let first: TestApi;
  let second: TestApi;
  let relay: Relay;

  beforeAll(async () => {
    second = await open(openTestApi());
    relay = await open(openRelay());
    first = await openBehind(relay, { workers: true });
    await pointTo(relay, second);
  });
  afterAll(closeAll);

  test('returns the same ads, and each charges 0.2 credits once', async () => {
    const direct = (await search(second, 'nike.com')).json() as Body;
    const before = [await available(first), await available(second)];
    const answer = await search(first, 'nike.com');
    expect(answer.status, answer.text).toBe(200);
    const body = answer.json() as Body;
    expect(direct.ads.length).toBeGreaterThan(0);
    expect(body.ads).toEqual(direct.ads);
    expect([body.credits_consumed, body.source]).toEqual([0.2, 'upstream']);
    expect(before).toEqual([(await available(first)) + price, (await available(second)) + price]);
    expect(relay.calls.at(-1)).toMatchObject({ status: 200, via: first.app.sources.installation });
    expect(await sourceCharges(first)).toEqual([chargeFor('nike.com')]);
    expect([await first.findings(), await second.findings()]).toEqual([[], []]);
  });

  test('returns no ads for free on both sides', async () => {
    const before = [await available(first), await available(second)];
    const answer = await search(first, 'nobody-advertises-here.com');
    expect(answer.json()).toMatchObject({ ads: [], credits_consumed: 0 });
    expect([await available(first), await available(second)]).toEqual(before);
  });

  test('recognises the repeat of an interrupted call, and charges it once', async () => {
    const before = [await available(first), await available(second)];
    const passed = relay.calls.length;
    relay.cutNext(1);
    const key = await first.createKey();
    const json = { rows: [{ company_domain: 'nike.com' }] };
    const { id } = (await first.call('POST', '/v1/batches', { key, json })).json() as { id: string };
    await vi.waitFor(
      async () => {
        const batch = await first.call('GET', `/v1/batches/${id}`, { key });
        expect(batch.json()).toMatchObject({ state: 'finished', lookups: { found: 1 } });
      },
      { timeout: waitMsMax, interval: 100 },
    );
    const calls = relay.calls.slice(passed);
    expect(calls.map(({ status, replayed }) => [status, replayed])).toEqual([
      [200, false],
      [200, true],
    ]);
    expect(calls[0]?.requestKey).not.toBeNull();
    expect(calls[1]?.requestKey).toBe(calls[0]?.requestKey);
    expect(before).toEqual([(await available(first)) + price, (await available(second)) + price]);
    expect((await sourceCharges(first)).at(-1)).toEqual(chargeFor('nike.com'));
    expect([await first.findings(), await second.findings()]).toEqual([[], []]);
  });
});

describe('loop of upstream calls', () => {
  afterEach(closeAll);

  async function expectRefused(answer: Answer, apis: readonly TestApi[]): Promise<void> {
    expect([answer.status, codesOf(answer)]).toEqual([500, ['not_configured']]);
    for (const api of apis) {
      expect(await available(api)).toBe(10_000_000_000n);
      expect(await sourceCharges(api)).toEqual([]);
      expect(await api.findings()).toEqual([]);
    }
  }

  test('to itself is rejected with 508, free, and the caller gets 500', async () => {
    const relay = await open(openRelay());
    const api = await openBehind(relay);
    await pointTo(relay, api);
    await expectRefused(await search(api, 'nike.com'), [api]);
    expect(relay.calls.map(({ status }) => status)).toEqual([508]);
  });

  test('through another installation is rejected with 508 by each, free, and the caller gets 500', async () => {
    const [there, back] = [await open(openRelay()), await open(openRelay())];
    const api = await openBehind(there);
    const other = await openBehind(back);
    await pointTo(there, other);
    await pointTo(back, api);
    await expectRefused(await search(api, 'nike.com'), [api, other]);
    expect(back.calls).toMatchObject([
      { status: 508, via: `${api.app.sources.installation}, ${other.app.sources.installation}` },
    ]);
    expect(there.calls).toMatchObject([{ status: 508, via: api.app.sources.installation }]);
  });
});
