import { createServer } from 'node:http';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { familiesQuery, refreshFamilies } from '../../../src/adapters/families/refresh-families.ts';
import {
  refreshedFamiliesFile,
  useRefreshedFamilies,
} from '../../../src/adapters/families/refreshed-families.ts';
import { createHttpClient } from '../../../src/adapters/http/http.ts';
import { evaluateAdvertiser } from '../../../src/core/companies/match/evaluate-advertiser.ts';
import { addFamilies } from '../../../src/core/companies/match/families/families.ts';
import { listenOnLoopback } from '../../support/stand-in/loopback.ts';

interface Binding {
  readonly name: string;
  readonly country: string;
  readonly website: string;
  readonly part?: string;
}

const now = new Date('2026-12-24T18:00:00Z');
const many = Array.from({ length: 120 }, (_, i) => ({
  name: `Synthetic ${i}`,
  country: 'NL',
  website: `https://www.synthetic${i}.example.com/`,
}));
const zalanda = { name: 'Zalanda', country: 'DE', website: 'https://corporate.zalanda.com/en' };

/** Answer of a query service: SPARQL 1.1 Query Results JSON. */
function jsonOf(rows: readonly Binding[]): string {
  const bindings = rows.map((row) =>
    Object.fromEntries(
      Object.entries<string>({ ...row }).map(([key, value]) => [key, { type: 'literal', value }]),
    ),
  );
  return JSON.stringify({ head: { vars: ['name', 'country', 'website', 'part'] }, results: { bindings } });
}

describe('a refresh of the families of companies', () => {
  let own: string;
  const client = createHttpClient({ allowedHosts: ['127.0.0.1'] });

  beforeEach(() => {
    own = mkdtempSync(join(tmpdir(), 'nightshift-families-'));
  });
  afterAll(() => client.close());
  afterEach(() => {
    addFamilies('');
    rmSync(own, { recursive: true, force: true });
  });

  async function refreshFrom(text: string, asked: string[] = []) {
    const server = await listenOnLoopback(
      createServer((request, response) => {
        asked.push(request.url ?? '');
        response.end(text);
      }),
    );
    onTestFinished(server.close);
    const { signal } = new AbortController();
    return refreshFamilies({ from: `${server.url}/sparql`, own, client, signal, now });
  }

  test('stores companies with their parts, and the evaluation uses them', async () => {
    const asked: string[] = [];
    const rows = [
      { ...zalanda, part: 'Kwelmora' },
      { ...zalanda, part: 'Brinjo' },
      { ...zalanda, part: 'Q123; broken | name' },
      ...many,
    ];
    const brand = () =>
      evaluateAdvertiser(
        { name: 'Zalanda', domain: 'zalanda.com' },
        { name: 'Kwelmora Retail GmbH', foundBy: 'name' },
      );
    expect(brand().relation).toBe('third_party');
    expect(await refreshFrom(jsonOf(rows), asked)).toMatchObject({ families: 122 - 1, parts: 2 });
    expect(new URL(asked[0] ?? '', 'http://x').searchParams.get('query')).toBe(familiesQuery);
    expect(readFileSync(refreshedFamiliesFile(own), 'utf8')).toContain(
      'DE Zalanda | Kwelmora; Brinjo | @zalanda.com\n',
    );
    useRefreshedFamilies(own);
    expect(brand()).toMatchObject({
      relation: 'own',
      reasons: expect.arrayContaining(['known_brand']) as unknown,
    });
  });

  test.each([
    ['too few companies', jsonOf([zalanda])],
    ['another answer', '{"error": "timeout"}'],
    ['no JSON', '<html>'],
  ])('changes nothing on %s', async (_case, text) => {
    await expect(refreshFrom(text)).rejects.toMatchObject({ name: 'SourceUnreadable' });
    expect(existsSync(refreshedFamiliesFile(own))).toBe(false);
  });

  test('an answer with less than half of the companies changes nothing', async () => {
    const more = [...many, ...many.map((row) => ({ ...row, name: `${row.name} b` }))];
    await refreshFrom(jsonOf(more));
    const before = readFileSync(refreshedFamiliesFile(own), 'utf8');
    await expect(refreshFrom(jsonOf(many.slice(0, 110)))).rejects.toThrow('before there were 240');
    expect(readFileSync(refreshedFamiliesFile(own), 'utf8')).toBe(before);
  });
});
