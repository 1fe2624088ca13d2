import { describe, expect, onTestFinished, test } from 'vitest';
import { createAdyntelSource } from '../../../src/sources/adyntel/source.ts';
import { differenceFromRecorded } from '../../../src/sources/replies/compare-recorded.ts';
import { createDataForSeoSource } from '../../../src/sources/dataforseo/source.ts';
import { recordedShapes } from '../../../src/sources/recorded-shapes.ts';
import { createSerpapiSource } from '../../../src/sources/serpapi/source.ts';
import { createTransparencySource } from '../../../src/sources/transparency/source.ts';
import { transparencyLimits } from '../../../src/sources/transparency/terms.ts';
import { createUpstreamSource } from '../../../src/sources/upstream/source.ts';
import { createHttpClient } from '../../../src/adapters/http/http.ts';
import type { LiveAdSource } from '../../../src/core/sources/ad-source.ts';
import type { SourceCallExecutor, SourceCall } from '../../../src/core/sources/source-call.ts';
import { openSourceStandIn } from '../../support/stand-in/source-stand-in.ts';
import { openAdyntelStandIn } from '../../support/sources/adyntel.ts';
import { login, openDataForSeo, password } from '../../support/sources/dataforseo.ts';
import { questionAbout } from '../../support/sources/plain-exchange.ts';
import { openSerpapiStandIn } from '../../support/sources/serpapi.ts';
import { openTransparencyStandIn } from '../../support/sources/transparency.ts';
import { vendorFixture } from '../../support/sources/vendor-fixture.ts';
import { keyPaths, renameKey } from '../../support/sources/wire-changes.ts';
import { generateAds, type WireShape } from '../../support/stand-in/stand-in-ads.ts';
import { noLimits } from '../../support/api/no-limits.ts';

const http = createHttpClient({ allowedHosts: ['127.0.0.1'] });
const limits = { ...noLimits, deadlineMs: 5_000 };
const key = 'secret';

/** The stand-in goes when the test ends. */
function until<T extends { readonly close: () => Promise<void> }>(standIn: T): T {
  onTestFinished(standIn.close);
  return standIn;
}

async function openUpstream(shape: WireShape): Promise<LiveAdSource> {
  const { url } = until(await openSourceStandIn({ key, shape, ads: () => generateAds('acme.com', 2) }));
  return createUpstreamSource({ http, url, key, limits, idempotent: false, installation: 'test' });
}

/** Each source before its stand-in, by the name of the source and of the form. */
const stages: readonly (readonly [string, string, () => Promise<LiveAdSource>])[] = [
  ['upstream', 'shape A', () => openUpstream('A')],
  ['upstream', 'shape B', () => openUpstream('B')],
  ['upstream', 'both', () => openUpstream('union')],
  [
    'serpapi',
    'first page',
    async () => {
      const { url } = until(await openSerpapiStandIn({ key, rowsPerPage: 25, isSpent: false }));
      return createSerpapiSource({ http, url, key, limits });
    },
  ],
  [
    'dataforseo',
    'only page',
    async () => {
      const { url } = until(await openDataForSeo({ ads: vendorFixture.ads, candidates: () => null }));
      return createDataForSeoSource({ http, url, credentials: { login, password }, limits });
    },
  ],
  [
    'adyntel',
    'first page',
    async () => {
      const options = { key, email: 'ada@acme.example', rowsPerPage: 25, saysNone: 'list', givesTotal: true };
      const { url } = until(await openAdyntelStandIn({ ...options, saysNone: 'list' }));
      return createAdyntelSource({ http, url, key, email: options.email, limits });
    },
  ],
  [
    'transparency',
    'first page',
    async () => {
      const { url } = until(await openTransparencyStandIn());
      return createTransparencySource({
        http,
        url,
        asker: { version: '1.0.0', contact: 'https://acme.example' },
        limits: { ...transparencyLimits, deadlineMs: 5_000 },
        waitForGap: () => Promise.resolve(0),
      });
    },
  ],
];

/** Reply of the source to its first call about a company with ads. */
async function firstReply(source: LiveAdSource): Promise<string> {
  const replies: string[] = [];
  async function send<T>(call: SourceCall<T>): Promise<T> {
    const { text } = await call.send(new AbortController().signal);
    replies.push(text);
    return call.read(text).value;
  }
  const exchange: SourceCallExecutor = Object.assign(send, { comesBack: false });
  const company = { key: 'd:acme.com', domain: 'acme.com', name: null };
  expect(await source.findAds(questionAbout(company), exchange)).toMatchObject({ kind: 'found' });
  const [first] = replies;
  if (first === undefined) throw new Error('No call was made.');
  return first;
}

describe.each(stages)('a reply of %s (%s)', (name, _form, open) => {
  test('has every key of the recorded shape and no other, and any that is renamed is told', async () => {
    const reply = await firstReply(await open());
    expect(differenceFromRecorded(name, reply)).toEqual({ missing: [], added: [] });
    for (const path of keyPaths(JSON.parse(reply))) {
      const renamed = JSON.stringify(renameKey(JSON.parse(reply), path));
      expect(differenceFromRecorded(name, renamed)?.added, path).toContain(`${path}_renamed`);
    }
  });
});

test('every source that is asked over the network has a recorded shape, save those that say themselves what they read', () => {
  expect(Object.keys(recordedShapes).sort()).toEqual([...new Set(stages.map(([name]) => name))].sort());
});

test('a reply that is no JSON, or of a source without a recorded shape, is not compared', () => {
  expect(differenceFromRecorded('serpapi', '<html>')).toBeNull();
  expect(differenceFromRecorded('adyntel', '')).toBeNull();
  expect(differenceFromRecorded('mapped', '{}')).toBeNull();
  const guarded = differenceFromRecorded('transparency', `)]}'\n{"1":[],"4":"0","5":"0","9":1}`);
  expect(guarded?.added).toEqual(['9']);
});
