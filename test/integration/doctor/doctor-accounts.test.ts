import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { examineSources } from '../../../src/doctor/checks/collect-sources.ts';
import type { Finding } from '../../../src/doctor/checks/check-result.ts';
import { liveSources } from '../../../src/sources/registry.ts';
import type { Environment } from '../../support/cli/nightshift-process.ts';
import { openAdyntelStandIn } from '../../support/sources/adyntel.ts';
import { login, openDataForSeo, password } from '../../support/sources/dataforseo.ts';
import { openSerpapiStandIn } from '../../support/sources/serpapi.ts';
import { openStandInServer } from '../../support/sources/stand-in-server.ts';

const key = 'secret-of-serpapi';

/** Closes a stand-in at the end of the test. */
function until<T extends { readonly close: () => Promise<void> }>(standIn: T): T {
  onTestFinished(standIn.close);
  return standIn;
}

async function openSerpapi(isSpent = false) {
  return until(await openSerpapiStandIn({ key, rowsPerPage: 25, isSpent }));
}

const serpapiAt = (url: string, given = key): Environment => ({
  NIGHTSHIFT_SERPAPI_KEY: given,
  NIGHTSHIFT_SERPAPI_URL: url,
});
const dataForSeoAt = (url: string, given = password): Environment => ({
  NIGHTSHIFT_DATAFORSEO_LOGIN: login,
  NIGHTSHIFT_DATAFORSEO_PASSWORD: given,
  NIGHTSHIFT_DATAFORSEO_URL: url,
});

/** Findings about accounts of configured sources; no secret is in them. */
async function accounts(settings: Environment): Promise<readonly Finding[]> {
  const findings = await examineSources(readConfig(settings), { database: null, isMigrated: false });
  expect(JSON.stringify(findings)).not.toMatch(/secret|wrong-key|operator@acme/);
  return findings.filter(({ name }) => name.startsWith('account at '));
}

describe('the check of an account', () => {
  test('reports the plan and the searches left of SerpApi, with one free call', async () => {
    const standIn = await openSerpapi();
    expect(await accounts(serpapiAt(standIn.url))).toEqual([
      {
        name: 'account at serpapi',
        status: 'ok',
        found: 'plan Big Data Plan, 4,900 searches left; the credentials are valid',
        remedy: null,
      },
    ]);
    expect(standIn.calls.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /account.json']);
  });

  test('reports the balance of DataForSEO, with one free call', async () => {
    const standIn = until(await openDataForSeo({ ads: () => [], candidates: () => null }));
    expect(await accounts(dataForSeoAt(standIn.url))).toMatchObject([
      {
        name: 'account at dataforseo',
        status: 'ok',
        found: 'balance 12.5 USD; the credentials are valid',
      },
    ]);
    expect(standIn.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /v3/appendix/user_data',
    ]);
  });

  test('reports a wrong key as a problem, with the setting to check', async () => {
    const serpapi = await openSerpapi();
    const dataforseo = until(await openDataForSeo({ ads: () => [], candidates: () => null }));
    const settings = { ...serpapiAt(serpapi.url, 'wrong-key'), ...dataForSeoAt(dataforseo.url, 'wrong-key') };
    expect(await accounts(settings)).toMatchObject([
      {
        name: 'account at serpapi',
        status: 'problem',
        remedy: 'Check NIGHTSHIFT_SERPAPI_KEY against the account at SerpApi.',
      },
      {
        name: 'account at dataforseo',
        status: 'problem',
        remedy:
          'Check NIGHTSHIFT_DATAFORSEO_LOGIN and NIGHTSHIFT_DATAFORSEO_PASSWORD against the account at DataForSEO.',
      },
    ]);
  });

  test('warns of an account without searches', async () => {
    const standIn = await openSerpapi(true);
    expect(await accounts(serpapiAt(standIn.url))).toMatchObject([
      { status: 'warning', found: expect.stringContaining('0 searches left') as string },
    ]);
  });

  test.each([
    ['a failing server', { kind: 'status', status: 503 }],
    ['a throttled call', { kind: 'status', status: 429 }],
    ['a wrong path', { kind: 'status', status: 404 }],
    ['a redirect', { kind: 'redirect', to: 'https://acme.example' }],
  ] as const)('never takes %s for a wrong key', async (_, failure) => {
    const standIn = await openSerpapi();
    standIn.failWith(failure);
    expect(await accounts(serpapiAt(standIn.url))).toMatchObject([
      {
        status: 'warning',
        found: expect.stringMatching(/^not checked: /) as string,
        remedy: expect.stringContaining('This says nothing about the credentials.') as string,
      },
    ]);
  });

  test('never takes a reply in another form for a wrong key', async () => {
    const standIn = until(await openStandInServer(() => ({ status: 200, json: { hello: 'you' } })));
    const settings = { ...serpapiAt(standIn.url), ...dataForSeoAt(standIn.url) };
    for (const finding of await accounts(settings))
      expect(finding).toMatchObject({
        status: 'warning',
        found: expect.stringContaining('in an unknown form') as string,
      });
  });

  test('is left out if the host cannot be reached, and for a source that is not configured', async () => {
    expect(await accounts(serpapiAt('http://127.0.0.1:1'))).toEqual([]);
    expect(await accounts({})).toEqual([]);
  });

  test('is not made where it would cost a call, which the doctor states', async () => {
    const standIn = until(
      await openAdyntelStandIn({ key: 'secret-key', email: 'ada@acme.example' } as never),
    );
    const findings = await examineSources(
      readConfig({
        NIGHTSHIFT_ADYNTEL_KEY: 'secret-key',
        NIGHTSHIFT_ADYNTEL_EMAIL: 'ada@acme.example',
        NIGHTSHIFT_ADYNTEL_URL: standIn.url,
      }),
      { database: null, isMigrated: false },
    );
    expect(findings).toMatchObject([
      {
        name: 'reaching adyntel',
        found: expect.stringContaining('were not checked, because that costs a call') as string,
      },
    ]);
    expect(standIn.calls).toEqual([]);
    expect(liveSources.filter(({ checkAccount }) => checkAccount !== undefined).map(({ id }) => id)).toEqual([
      'serpapi',
      'dataforseo',
    ]);
  });
});
