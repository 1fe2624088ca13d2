import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { codesOf, openTestApi, request, type Answer } from '../support/api/test-api.ts';
import { startNightshift, type NightshiftProcess } from '../support/cli/nightshift-process.ts';
import { takeSeed } from '../support/seed.ts';
import { openSourceStandIn, type StandInCall } from '../support/stand-in/source-stand-in.ts';
import { generateAds, numbersOf } from '../support/stand-in/stand-in-ads.ts';

const path = '/v1/ads/google-ads-search';
const cuts = 200;
/** Number of concurrent clients. */
const atOnce = 20;
const latencyMs = { min: 30, max: 150 };
const settings = {
  NIGHTSHIFT_KEY_REQUESTS_PER_MINUTE: '10000000',
  NIGHTSHIFT_ACCOUNT_REQUESTS_PER_MINUTE: '10000000',
  NIGHTSHIFT_BAD_KEYS_PER_MINUTE: '10000000',
  NIGHTSHIFT_SOURCES: 'upstream',
  NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '5000',
  NIGHTSHIFT_UPSTREAM_BURST: '1000',
  // The source is not idempotent: a second call would be a second effect.
  NIGHTSHIFT_UPSTREAM_IDEMPOTENT: 'false',
};

test('200 clients that disconnect during a search and repeat it get one call, one charge and one answer each', async () => {
  const random = numbersOf(takeSeed());
  const source = await openSourceStandIn({ latencyMs, idempotent: false });
  onTestFinished(source.close);
  const upstream = {
    ...settings,
    NIGHTSHIFT_UPSTREAM_URL: source.url,
    NIGHTSHIFT_UPSTREAM_KEY: source.key,
  };
  const api = await openTestApi({ settings: upstream });
  onTestFinished(api.close);
  const environment = { ...upstream, DATABASE_URL: api.database.url, PORT: '0' };
  const running = startNightshift(['serve'], environment);
  const url = await urlOf(running);
  const key = await api.createKey();
  // From before the complete request until after the response, at the speed of this machine under the same load.
  const cutMsMax = Math.ceil(0.5 * (await measureSearch(url, key)));
  const before = await api.balance();

  /** Cuts one search off, retries it like a client, and returns the response. */
  async function cutAndRetry(n: number) {
    const company = companyOf(n);
    const idempotencyKey = `cut-${n}`;
    const raw = requestOf(key, idempotencyKey, company);
    // One in eight does not send the complete request.
    const sent = random(8) === 0 ? raw.slice(0, 1 + random(raw.length - 1)) : raw;
    const wasAnswered = await sendAndCut(url, sent, random(cutMsMax), random(2) === 0);
    const wasAsked = source.log.some((call) => askedIn(call) === company);
    const first = await askUntilAnswered(url, key, company, idempotencyKey);
    const again = await askUntilAnswered(url, key, company, idempotencyKey);
    return { company, isWhole: sent === raw, wasAnswered, wasAsked, first, again };
  }

  const reported: Awaited<ReturnType<typeof cutAndRetry>>[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < cuts) reported.push(await cutAndRetry(next++));
    }),
  );

  const finds = reported.filter(({ company }) => generateAds(company, 1).length > 0);
  for (const { company, first, again } of reported) {
    const ads = generateAds(company, 1).length;
    expect([company, first.status, first.json()]).toEqual([
      company,
      200,
      expect.objectContaining({ ads_count: ads, credits_consumed: ads > 0 ? 0.2 : 0 }),
    ]);
    // A stored response has the same bytes.
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  }
  expect(source.log.map(askedIn).filter(isCutOff).sort()).toEqual(
    reported.map(({ company }) => company).sort(),
  );
  const after = await api.balance();
  expect([before.balanceMicro - after.balanceMicro, after.heldMicro]).toEqual([
    200_000n * BigInt(finds.length),
    0n,
  ]);
  const { pool } = api.database.owner;
  const lookups = await pool.query(
    `SELECT count(*)::integer AS lookups, count(DISTINCT subject_key)::integer AS companies,
        count(*) FILTER (WHERE outcome = 'found' AND charged_micro = 200000)::integer AS charged,
        count(*) FILTER (WHERE outcome = 'none' AND charged_micro = 0)::integer AS free
      FROM nightshift.all_lookups WHERE company_domain LIKE 'cut-off-%'`,
  );
  expect(lookups.rows).toEqual([
    { lookups: cuts, companies: cuts, charged: finds.length, free: cuts - finds.length },
  ]);
  expect(await api.findings()).toEqual([]);

  const cutWhole = reported.filter(({ isWhole, wasAnswered }) => isWhole && !wasAnswered);
  process.stderr.write(
    `\n${cuts} searches: ${reported.filter(({ isWhole }) => !isWhole).length} cut before they were sent whole, ` +
      `${cutWhole.length} before the answer (${cutWhole.filter(({ wasAsked }) => wasAsked).length} of them while or after the ` +
      `source was asked), ${reported.filter(({ wasAnswered }) => wasAnswered).length} after it had begun\n`,
  );
  expect(cutWhole.length).toBeGreaterThan(cuts / 10);
});

test('an incomplete request is not a server error in the log or in the metrics', async () => {
  const api = await openTestApi();
  onTestFinished(api.close);
  const running = startNightshift(['serve'], {
    DATABASE_URL: api.database.url,
    NIGHTSHIFT_SOURCES: 'sample',
    PORT: '0',
  });
  const url = await urlOf(running);
  const raw = requestOf(await api.createKey(), 'broken-off', 'broken-off.com');
  const inTheBody = raw.length - 5;
  for (let n = 0; n < 8; n += 1) {
    await sendAndCut(url, raw.slice(0, n < 4 ? inTheBody : 40 * (n - 3)), 200, n % 2 === 0);
  }
  const { text } = await request(`${url}/metrics`, 'GET');
  expect(text.split('\n').filter((line) => /http_requests_total.*status="5/.test(line))).toEqual([]);
  expect(running.stderr()).not.toMatch(/"level":"error"/);
  expect(await api.countRows()).toMatchObject({ lookups: 0, idempotency_keys: 0 });
});

/** Sends bytes and cuts the connection after some time, by a reset or by closing its side. Returns whether a response had started. */
function sendAndCut(url: string, bytes: string, afterMs: number, isHard: boolean): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let wasAnswered = false;
    const socket = connect(Number(port), hostname, () => {
      socket.write(bytes);
      setTimeout(() => {
        if (isHard) socket.resetAndDestroy();
        else socket.destroy();
      }, afterMs);
    });
    socket.on('data', () => (wasAnswered = true));
    socket.on('close', () => resolve(wasAnswered));
    socket.on('error', reject);
  });
}

/** Sends the search with its Idempotency-Key, and repeats it after each 409: the first one is still running. */
async function askUntilAnswered(
  url: string,
  key: string,
  company: string,
  idempotencyKey: string,
): Promise<Answer> {
  for (const giveUpAt = performance.now() + 20_000; ;) {
    const answer = await request(`${url}${path}`, 'POST', {
      key,
      json: { company_domain: company },
      headers: { 'Idempotency-Key': idempotencyKey },
    });
    if (answer.status !== 409 || performance.now() > giveUpAt) return answer;
    expect(codesOf(answer)).toEqual(['idempotency_conflict']);
    expect(answer.headers.get('retry-after')).toBe('1');
    // Earlier than the server's Retry-After, to hit more moments.
    await sleep(50);
  }
}

function requestOf(key: string, idempotencyKey: string, company: string): string {
  const body = JSON.stringify({ company_domain: company });
  return (
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\nIdempotency-Key: ${idempotencyKey}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  );
}

/** Median duration of a search with as many others running; milliseconds. */
async function measureSearch(url: string, key: string): Promise<number> {
  const measured = await Promise.all(
    Array.from({ length: 2 * atOnce }, async (_, n) => {
      if (n >= atOnce) await sleep(2 * latencyMs.max);
      const startedAt = performance.now();
      const json = { company_domain: `measured-${n}.com` };
      expect((await request(`${url}${path}`, 'POST', { key, json })).status).toBe(200);
      return performance.now() - startedAt;
    }),
  );
  // The first requests include connecting and cold code.
  return measured.slice(atOnce).sort((a, b) => a - b)[atOnce >> 1] ?? 0;
}

async function urlOf(running: NightshiftProcess): Promise<string> {
  await running.waitForOutput('Press Ctrl-C to stop');
  const url = /Console +(\S+)/.exec(running.stderr())?.[1];
  if (url === undefined) throw new Error(`It does not say where it listens:\n${running.stderr()}`);
  return url;
}

function isCutOff(company: string): boolean {
  return company.startsWith('cut-off-');
}

function companyOf(n: number): string {
  return `cut-off-${n}.com`;
}

function askedIn({ body }: StandInCall): string {
  return (body as { company_domain: string }).company_domain;
}
