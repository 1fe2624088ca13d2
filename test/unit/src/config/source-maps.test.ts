import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../../src/config/config.ts';
import { settingsWith } from '../../../../src/config/settings.ts';
import { readEnvironment } from '../../../../src/cli/process/environment.ts';
import { Misconfigured } from '../../../../src/core/errors.ts';
import { sourceIds } from '../../../../src/sources/registry.ts';

const maps = 'NIGHTSHIFT_SOURCE_MAPS';

describe('source maps', () => {
  test('are sources with the names of their files, or the given ones', () => {
    const { catalog, access } = readConfig({ [maps]: '/etc/maps/meta.json, tt=maps/TikTok (EU).json' });
    expect(catalog.sources.map(({ id }) => id)).toEqual([...sourceIds, 'meta', 'tt']);
    expect([...access.keys()]).toEqual(['meta', 'tt']);
    expect(catalog.findLive('tt')?.about).toBe('the API that maps/TikTok (EU).json describes');
    expect(catalog.suggestion('mta')).toMatch(/^Did you mean meta\?/);
  });

  test('have keys and limits of their own', () => {
    const config = readConfig({
      [maps]: 'meta.json,tiktok.json',
      NIGHTSHIFT_META_KEY: 'key-of-meta',
      NIGHTSHIFT_META_CALLS_PER_DAY: '50',
      NIGHTSHIFT_TIKTOK_REQUESTS_PER_SECOND: '0.5',
      NIGHTSHIFT_SOURCES: 'meta',
    });
    expect(config.sources).toEqual(['meta']);
    expect(config.access.get('meta')).toMatchObject({
      settings: { key: 'key-of-meta' },
      limits: { callsPerDay: 50, pace: { requestsPerSecond: 1 } },
    });
    expect(config.access.get('tiktok')).toMatchObject({
      settings: { key: null },
      limits: { callsPerDay: null, pace: { requestsPerSecond: 0.5 } },
    });
    const listed = settingsWith(config.catalog.liveSources);
    expect(listed.find(({ name }) => name === 'NIGHTSHIFT_META_KEY')?.secret).toBe(true);
  });

  test('have settings only if they are listed', () => {
    expect(() => readConfig({ NIGHTSHIFT_META_KEY: 'x' })).toThrow(/NIGHTSHIFT_META_KEY: unknown setting/);
    expect(() => readConfig({ NIGHTSHIFT_SOURCES: 'meta' })).toThrow(/Unknown source "meta"/);
  });

  test('may have their keys in files', () => {
    const environment = { [maps]: 'meta.json', NIGHTSHIFT_META_KEY_FILE: '/not/there' };
    expect(() => readEnvironment(environment)).toThrow(/NIGHTSHIFT_META_KEY_FILE.*cannot be read/s);
  });

  test.each([
    ['the name of a built-in source', 'serpapi.json', /serpapi is a built-in source/],
    ['the name of the source without a name', '/etc/mapped.json', /mapped is a built-in source/],
    ['a name twice', 'a/meta.json,meta=b.json', /two maps have the name meta/],
    ['a file name that is no name', '/etc/my-map.json', /"my-map" cannot name a source/],
    ['a name without a file', 'meta=', /"meta" has no file/],
    ['an empty name', '=meta.json', /"" cannot name a source/],
  ])('are rejected with %s', (_, text, message) => {
    expect(() => readConfig({ [maps]: text })).toThrow(message);
    expect(() => readConfig({ [maps]: text })).toThrow(Misconfigured);
  });
});
