import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { onTestFinished } from 'vitest';
import { createCompanyMappingStore } from '../../../db/stores/ads/company-mapping.ts';
import { createSnapshotStore } from '../../../db/stores/ads/snapshots.ts';
import { importSnapshot, type SnapshotImport } from '../../../src/sources/snapshot/import.ts';
import { importSample } from '../../../src/sources/snapshot/import-sample.ts';
import { snapshotColumns } from '../../../src/sources/snapshot/columns.ts';
import { createSnapshotSource } from '../../../src/sources/snapshot/source.ts';
import type { AdsAnswer } from '../../../src/core/ads/ads-answer.ts';
import type { SnapshotStore } from '../../../src/core/sources/snapshot-store.ts';
import { parseCompany } from '../../../src/core/companies/company.ts';
import type { CompanyQuery } from '../../../src/core/companies/company.ts';
import type { TestDatabase } from '../db/database.ts';
import { questionAbout } from './plain-exchange.ts';

/** Properties of a creative that a test sets; the rest is synthetic. Ids by number. */
export interface Creative {
  readonly advertiser: number;
  readonly creative: number;
  readonly name?: string | null;
  readonly legal?: string | null;
  readonly format?: string;
  readonly location?: string;
  readonly start?: string | null;
  readonly lastSeen?: string | null;
}

export const advertiserId = (number: number) => `AR${String(number).padStart(20, '0')}`;
export const creativeId = (number: number) => `CR${String(number).padStart(20, '0')}`;

/** A row of the nested form, with its dates on two regions. */
export function nestedLine(creative: Creative): string {
  const { start = '2024-01-01', lastSeen = '2024-06-30' } = creative;
  return JSON.stringify({
    advertiser_id: advertiserId(creative.advertiser),
    creative_id: creativeId(creative.creative),
    ad_format_type: creative.format ?? 'TEXT',
    advertiser_disclosed_name:
      creative.name === undefined ? `Advertiser ${creative.advertiser}` : creative.name,
    ...(creative.legal === undefined ? {} : { advertiser_legal_name: creative.legal }),
    advertiser_location: creative.location ?? 'US',
    region_stats: [
      { region_code: 'EEA', first_shown: start, last_shown: lastSeen, times_shown_lower_bound: '1000' },
      { region_code: 'DE', first_shown: start, last_shown: lastSeen, times_shown_lower_bound: 1000 },
    ],
  }).replaceAll('&', '\\u0026');
}

export function nestedFile(creatives: readonly Creative[]): string {
  return creatives.map((creative) => `${nestedLine(creative)}\n`).join('');
}

/** Formats the same rows in the flat format. */
export function flatFile(creatives: readonly Creative[]): string {
  const lines = creatives.map((creative) => {
    const { start = '2024-01-01', lastSeen = '2024-06-30' } = creative;
    const name = creative.name === undefined ? `Advertiser ${creative.advertiser}` : creative.name;
    return [
      advertiserId(creative.advertiser),
      creativeId(creative.creative),
      creative.format ?? 'TEXT',
      name,
      creative.legal ?? null,
      creative.location ?? 'US',
      start,
      lastSeen,
    ].map((cell) => (cell === null ? '' : `"${cell.replaceAll('"', '""')}"`));
  });
  return [snapshotColumns, ...lines].map((cells) => `${cells.join(',')}\r\n`).join('');
}

/** Writes files into a folder that the end of the test removes. Returns their paths. */
export async function writeFiles(
  contents: Readonly<Record<string, string | Uint8Array>>,
): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'nightshift-snapshot-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const paths = Object.keys(contents).map((name) => join(folder, name));
  await Promise.all(Object.values(contents).map((content, i) => writeFile(paths[i] ?? '', content)));
  return paths;
}

/** Loads contents as the files of one load. */
export async function loadContents(
  database: TestDatabase,
  contents: Readonly<Record<string, string | Uint8Array>>,
): Promise<SnapshotImport> {
  const files = await writeFiles(contents);
  return importSnapshot({ store: createSnapshotStore(database.app), name: 'snapshot', files });
}

/** Loads the sample of today, like `nightshift snapshot load --sample`. */
export async function loadSample(store: SnapshotStore): Promise<void> {
  await importSample({ store, day: await store.today() });
}

export async function loadCreatives(
  database: TestDatabase,
  creatives: readonly Creative[],
): Promise<SnapshotImport> {
  return loadContents(database, { 'export.ndjson': nestedFile(creatives) });
}

/** Dumps everything that a load writes, including internal keys, so that two dumps are equal only if nothing changed. */
export async function dumpStore({ owner }: TestDatabase): Promise<Record<string, unknown>> {
  const tables = [
    'ads',
    'ad_versions',
    'ad_variants',
    'advertisers',
    'advertiser_names',
    'advertiser_words',
    'snapshot_ads',
  ];
  const dump: Record<string, unknown> = {};
  for (const table of tables) {
    const result = await owner.pool.query(
      `SELECT to_jsonb(t) AS row FROM nightshift.${table} t ORDER BY t::text`,
    );
    dump[table] = result.rows;
  }
  return dump;
}

/** Content of a snapshot without internal keys: the ads in the form of a lookup, and the names of the advertisers. */
export async function readSnapshot({ owner }: TestDatabase, name = 'snapshot') {
  const ads = await owner.sql.execute(
    sql`SELECT v.advertiser_id, v.creative_id, v.advertiser_name, v.format, v.original_url, s.start::text, s.last_seen::text
      FROM nightshift.snapshots n
      JOIN nightshift.advertisers a ON a.snapshot_id = n.id
      JOIN nightshift.snapshot_ads s ON s.advertiser_key = a.id
      JOIN nightshift.ad_contents v ON v.id = s.version_id AND v.ad_id = s.ad_id AND v.advertiser_id = a.advertiser_id
      WHERE n.name = ${name} ORDER BY 1, 2`,
  );
  const advertisers = await owner.sql.execute(
    sql`SELECT a.advertiser_id, a.disclosed_name, a.legal_name, a.location,
        ARRAY(SELECT k.name_key FROM nightshift.advertiser_names k WHERE k.advertiser_key = a.id ORDER BY 1) AS keys
      FROM nightshift.advertisers a JOIN nightshift.snapshots n ON n.id = a.snapshot_id
      WHERE n.name = ${name} ORDER BY 1`,
  );
  return { ads: ads.rows, advertisers: advertisers.rows };
}

/** A company as the producer parses it. */
export function company(input: { domain?: string; name?: string }): CompanyQuery {
  const parsed = parseCompany(input);
  if (parsed.kind !== 'company') throw new Error(parsed.reason);
  return parsed.company;
}

/** Account that exists from the start. */
export const defaultAccountId = 1;

/** Queries a snapshot; replaces advertiser keys by advertiser numbers, so that tests can name them. */
export async function ask(
  database: TestDatabase,
  snapshotId: number,
  companies: readonly CompanyQuery[],
  signal = new AbortController().signal,
) {
  const answers = await answersFor(database, snapshotId, companies, signal);
  const rows = await database.owner.pool.query<{ id: string; number: number }>(
    'SELECT id, substr(advertiser_id, 3)::numeric::integer AS number FROM nightshift.advertisers',
  );
  const numbers = new Map(rows.rows.map((row) => [row.id, row.number]));
  return answers.map((answer) => shorten(answer, numbers));
}

/** Queries a snapshot with the mapping of the default account. */
export async function answersFor(
  database: TestDatabase,
  snapshotId: number,
  companies: readonly CompanyQuery[],
  signal = new AbortController().signal,
): Promise<readonly (AdsAnswer | null)[]> {
  const source = createSnapshotSource({
    store: createSnapshotStore(database.app),
    name: 'snapshot',
    snapshotId,
  });
  const mappings = await createCompanyMappingStore(database.app.sql).find(
    defaultAccountId,
    companies.map(({ key }) => key),
  );
  const questions = companies.map((asked) =>
    questionAbout(asked, { mapping: mappings.get(asked.key) ?? [] }),
  );
  return source.findAds(questions, signal);
}

/** Formats `mapping 1 2`, `none`, `no_match`. */
function shorten(answer: AdsAnswer | null, numbers: ReadonlyMap<string, number>): string {
  if (answer?.kind !== 'stored') return answer?.kind ?? 'nothing to say';
  return [answer.matchedBy, ...answer.advertisers.map(({ key }) => numbers.get(String(key)))].join(' ');
}

export async function mapCompany(
  { app }: TestDatabase,
  mapping: { key: string; advertiser: number | string; role: 'allow' | 'deny' | 'agency' },
): Promise<void> {
  const { advertiser } = mapping;
  const id = typeof advertiser === 'number' ? `google:${advertiserId(advertiser)}` : advertiser;
  await app.sql.execute(
    sql`INSERT INTO nightshift.company_advertisers (account_id, company_key, advertiser_id, role)
      VALUES (${defaultAccountId}, ${mapping.key}, ${id}, ${mapping.role})`,
  );
}
