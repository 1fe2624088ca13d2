import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../../src/package-root.ts';
import { useTestCli } from '../../support/cli/test-cli.ts';
import { key as metaKey, openMeta } from '../../support/sources/platforms/meta.ts';
import { key as tiktokKey, openTikTok } from '../../support/sources/platforms/tiktok.ts';
import { vendorFixture } from '../../support/sources/vendor-fixture.ts';

const cli = useTestCli({ inProcess: true });

/** Two platforms with their maps, as an operator configures them, and a map that does not exist. */
async function openPlatforms() {
  const [meta, tiktok] = [await openMeta(vendorFixture), await openTikTok(vendorFixture)];
  onTestFinished(meta.close);
  onTestFinished(tiktok.close);
  write('meta', meta.url);
  write('tiktok', tiktok.url);
  const environment = {
    NIGHTSHIFT_SOURCE_MAPS: 'meta.json, tt=tiktok.json, lost=nowhere.json',
    NIGHTSHIFT_META_KEY: metaKey,
    NIGHTSHIFT_TT_KEY: tiktokKey,
    NIGHTSHIFT_META_REQUESTS_PER_SECOND: '100',
    NIGHTSHIFT_TT_REQUESTS_PER_SECOND: '100',
  };
  return { environment, meta, tiktok };
}

/** Copies a shipped map, with the address of the stand-in. */
function write(name: string, url: string): void {
  const shipped = readFileSync(join(packageRoot, 'examples/sources', `${name}.json`), 'utf8');
  cli().write(`${name}.json`, shipped.replace(/"base_url": "[^"]*"/, `"base_url": "${url}"`));
}

const gadgets = ['--domain', 'gadgetworks.com', '--name', 'Gadget Works'];

describe('several source maps', () => {
  test('are listed beside the built-in sources, and a broken one leaves the others alone', async () => {
    const { environment } = await openPlatforms();
    const { sources } = (await cli().ask(['sources'], { environment })) as {
      sources: readonly { name: string; configured: boolean; lacks: string | null }[];
    };
    expect(sources.slice(-3)).toMatchObject([
      { name: 'meta', configured: true, lacks: null },
      { name: 'tt', configured: true, lacks: null },
      {
        name: 'lost',
        configured: false,
        lacks: expect.stringMatching(/nowhere\.json.*ENOENT.*NIGHTSHIFT_SOURCE_MAPS/) as string,
      },
    ]);
    const { sources: without } = (await cli().ask(['sources'], {
      environment: { ...environment, NIGHTSHIFT_TT_KEY: '' },
    })) as { sources: readonly { name: string; lacks: string | null }[] };
    expect(without.find(({ name }) => name === 'tt')?.lacks).toContain('set NIGHTSHIFT_TT_KEY');
  });

  test('can be tested, priced and searched by their names', async () => {
    const { environment, meta, tiktok } = await openPlatforms();
    for (const [name, unit] of [
      ['meta', 'call'],
      ['tt', 'call'],
    ] as const) {
      const smoke = await cli().run(['sources', 'smoke', name, ...gadgets], { environment });
      expect([smoke.exitCode, smoke.stdout]).toEqual([0, expect.stringContaining(`${name} answered`)]);
      const priced = await cli().run(['prices', 'source', name, '0', '--currency', 'USD'], { environment });
      expect(priced.stdout).toContain(`${name} now costs 0 USD per ${unit}.`);
    }
    expect([meta.calls.length, tiktok.calls.length]).toEqual([2, 2]);
    const searched = await cli().run(['search', ...gadgets, '--source', 'tt', '--max-ads', '3', '--json'], {
      environment,
    });
    expect([searched.exitCode, searched.stderr]).toEqual([0, '']);
    expect(meta.calls).toHaveLength(2);
  });

  test('answer a batch each, which SQL joins', async () => {
    const { environment } = await openPlatforms();
    cli().write('list.csv', 'domain,company\ngadgetworks.com,Gadget Works\n');
    for (const name of ['meta', 'tt'])
      expect(
        (await cli().run(['enrich', 'list.csv', '--source', name, '--again'], { environment })).exitCode,
        name,
      ).toBe(0);
    const sql = 'SELECT source, reported FROM lookup_sources ORDER BY source';
    const { stdout } = await cli().run(['sql', sql, '--json'], { environment });
    expect(stdout).toMatch(/"meta".*"found".*"tt".*"found"/s);
  });

  test('that collide are rejected before anything is sent', async () => {
    const { exitCode, stderr } = await cli().run(['sources'], {
      environment: { NIGHTSHIFT_SOURCE_MAPS: 'serpapi.json,a/meta.json,b/meta.json' },
    });
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringMatching(/serpapi is a built-in source.*two maps have the name meta/s),
    ]);
  });
});
