import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpClient } from '../../../../src/adapters/http/http.ts';
import { readConfig } from '../../../../src/config/config.ts';
import {
  createLiveSources,
  pacesOf,
  readBaseUrl,
  readNamedHosts,
} from '../../../../src/app/sources/live-sources.ts';
import { packageRoot } from '../../../../src/package-root.ts';
import { mapped } from '../../../../src/sources/mapped/definition.ts';
import { builtInSources, liveSources } from '../../../../src/sources/registry.ts';

test('the sources open a source again after its file was repaired', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'maps-')), 'map.json');
  const { access } = readConfig({ NIGHTSHIFT_MAPPED_FILE: file });
  const http = createHttpClient({ allowedHosts: [] });
  const sources = createLiveSources({ access, http, installation: 'this one' });
  await expect(sources.get(mapped)).rejects.toThrow(file);
  writeFileSync(file, '{}');
  // The file is read again: now it has another error.
  await expect(sources.get(mapped)).rejects.toThrow(/^(?!.*cannot be read)/s);
  await http.close();
});

test('every enabled source has a rate limit; the limit of the public site is fixed', () => {
  const { access } = readConfig({
    NIGHTSHIFT_SERPAPI_KEY: 'key-of-serpapi',
    NIGHTSHIFT_SERPAPI_REQUESTS_PER_SECOND: '7',
    NIGHTSHIFT_TRANSPARENCY_ACCEPT_TERMS: 'true',
    NIGHTSHIFT_TRANSPARENCY_CONTACT: 'https://example.com/contact',
  });
  expect([...pacesOf(access)].sort()).toMatchObject([
    ['serpapi', { requestsPerSecond: 7 }],
    ['transparency', { requestsPerSecond: 1 / 4, burst: 1 }],
  ]);
  expect(pacesOf(readConfig({}).access).size).toBe(0);
});

const vendors = {
  NIGHTSHIFT_SERPAPI_KEY: 'key',
  NIGHTSHIFT_DATAFORSEO_LOGIN: 'login',
  NIGHTSHIFT_DATAFORSEO_PASSWORD: 'password',
  NIGHTSHIFT_ADYNTEL_KEY: 'key',
  NIGHTSHIFT_ADYNTEL_EMAIL: 'ada@acme.example',
  NIGHTSHIFT_TRANSPARENCY_ACCEPT_TERMS: 'true',
  NIGHTSHIFT_TRANSPARENCY_CONTACT: 'https://acme.example',
  NIGHTSHIFT_BIGQUERY_PROJECT: 'acme-project',
};

test('a vendor has its public address by default, or the allowed address that the operator sets', async () => {
  const { access } = readConfig(vendors);
  const urls = await Promise.all(liveSources.map((source) => readBaseUrl(source, access)));
  expect(urls.filter((url) => url !== null)).toEqual([
    'https://serpapi.com',
    'https://api.dataforseo.com',
    'https://api.adyntel.com',
    'https://adstransparency.google.com',
    'https://bigquery.googleapis.com/bigquery/v2',
  ]);
  expect(await readNamedHosts(access)).toEqual([]);
  const named = readConfig({ ...vendors, NIGHTSHIFT_SERPAPI_URL: 'http://mirror.corp:8080/serp' }).access;
  expect(await readNamedHosts(named)).toEqual(['mirror.corp:8080']);
});

test('a configured source opens with its own name and limits', async () => {
  const { access } = readConfig({
    ...vendors,
    NIGHTSHIFT_BIGQUERY_URL: 'http://127.0.0.1:1',
    NIGHTSHIFT_UPSTREAM_URL: 'http://127.0.0.1:1',
    NIGHTSHIFT_UPSTREAM_KEY: 'key',
    NIGHTSHIFT_MAPPED_FILE: join(packageRoot, 'examples/sources/searchapi.json'),
    NIGHTSHIFT_MAPPED_KEY: 'key-of-searchapi',
  });
  const http = createHttpClient({ allowedHosts: [] });
  onTestFinished(() => http.close());
  const opener = createLiveSources({ access, http, installation: 'this one' });
  const opened = await Promise.all([...access.keys()].map((id) => opener.get(definitionOf(id))));
  expect(opened.map(({ name }) => name)).toEqual([...access.keys()]);
  expect(opened.map(({ limits }) => limits)).toEqual([...access.values()].map(({ limits }) => limits));
});

function definitionOf(id: string) {
  const definition = builtInSources.findLive(id);
  if (definition === undefined) throw new Error(`There is no live source ${id}.`);
  return definition;
}
