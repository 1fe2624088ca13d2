import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createHttpClient } from '../../../../src/adapters/http/http.ts';
import { readConfig } from '../../../../src/config/config.ts';
import { createLiveSources, pacesOf } from '../../../../src/app/live-sources.ts';

test('a source whose file could not be read is there once the file has been mended', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'maps-')), 'map.json');
  const { access } = readConfig({ NIGHTSHIFT_MAPPED_FILE: file });
  const http = createHttpClient({ allowedHosts: [] });
  const sources = createLiveSources({ access, http, installation: 'this one' });
  await expect(sources.get('mapped')).rejects.toThrow(file);
  writeFileSync(file, '{}');
  // It is looked at anew: now something else is wrong with it.
  await expect(sources.get('mapped')).rejects.toThrow(/^(?!.*cannot be read)/s);
  await http.close();
});

test('every source that is on has a pace to be held, the public site too, whose pace is nobody’s to set', () => {
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
