import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { expect, vi } from 'vitest';
import type { TestApiOptions, Call } from '../api/test-api.ts';
import { openTestConsole, type TestConsole } from './test-console.ts';
import { waitForState } from '../api/uploaded-batch.ts';
import { insertCandidates, makeCandidate } from '../companies/candidates.ts';
import { insertTargets } from '../events/insert-targets.ts';
import { dayAgo } from '../stand-in/rival-ads.ts';
import type { StandInAd } from '../stand-in/stand-in-ads.ts';

/** Installation with data for every page of the console, all in the account `default`. */
export interface ConsoleFixture {
  readonly site: TestConsole;
  /** Key of an admin of the account. */
  readonly key: string;
  /** Batch whose rows contain all texts. */
  readonly batch: string;
  /** Batch whose companies, with all texts, no source has identified. */
  readonly unidentified: string;
  /** Schedule with two scans. Every ad changed in between. */
  readonly schedule: string;
  /** Inbox and destination of an empty folder. */
  readonly inbox: string;
  readonly destination: string;
  /** Notification target with a delivery for every text. */
  readonly target: string;
  /** Ad with a version for every text. */
  readonly ad: string;
  readonly close: () => Promise<void>;
}

/** Options of the fixture. */
export interface ConsoleFixtureOptions extends Pick<TestApiOptions, 'queue'> {
  /** Texts for names, notes, addresses, ads, files and reasons. */
  readonly texts: readonly string[];
}

/** Opens the fixture. The caller closes it. */
export async function openConsoleFixture({
  texts,
  ...options
}: ConsoleFixtureOptions): Promise<ConsoleFixture> {
  let run = 1;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'nightshift-console-')));
  const site = await openTestConsole({
    ...options,
    settings: { NIGHTSHIFT_FOLDERS: folder },
    ads: (company) => (company.startsWith('unknown-') ? 'no_match' : adsOf(texts, company, run)),
  });
  const { app } = site;
  await app.credits.ledger.grant(app.accounts.defaultId, [
    { key: null, amountMicro: 1_000_000_000n, reason: 'test' },
  ]);
  const key = await site.createKey({ scopes: [...everything] });

  for (const login of loginsOf(texts))
    await app.accounts.users.add({ login, accountId: app.accounts.defaultId, role: 'viewer' }, byTest);

  const companies = texts.map((text, i) => [domainOf(i), text]);
  const leads = texts.map((text, i) => [domainOf(i), text, text, text]);
  const batch = await upload([['company_domain', 'company_name', 'email', 'note'], ...leads], texts[0] ?? '');
  const limit = pLimit(8);
  await limit.map(fileNamesOf(texts), (names, i) => uploadAs(names, [['company_domain'], [domainOf(i)]]));
  await waitForState(site, key, batch, 'finished');
  await insertCandidates(
    { DATABASE_URL: site.database.url },
    ...texts.map((name, i) =>
      makeCandidate(i + 1, { companyKey: `d:${domainOf(i)}`, name, confidence: 0.5 }),
    ),
  );

  const strangers = texts.map((text, i) => [`unknown-${i}.com`, text, text]);
  const unidentified = await upload(
    [['company_domain', 'company_name', 'note'], ...strangers],
    texts[0] ?? '',
  );
  await waitForState(site, key, unidentified, 'finished');
  await insertCandidates(
    { DATABASE_URL: site.database.url },
    ...texts.map((name, i) =>
      makeCandidate(i + 1, { companyKey: `d:unknown-${i}.com`, name, legalName: name, confidence: 0.4 }),
    ),
  );
  await app.sources.companies.map(
    app.accounts.defaultId,
    texts.map((note, i) => ({
      companyKey: `d:mapped-${i}.com`,
      advertiserId: `meta:${i}`,
      role: 'allow' as const,
      note,
    })),
    byTest,
  );

  const schedule = await post<{ readonly id: string }>(
    `/v1/schedules?${new URLSearchParams({
      name: scheduleName(texts[0] ?? ''),
      cron: '0 2 * * *',
      misses_to_end: '1',
      file_name: texts[1] ?? '',
    })}`,
    csvOf([['company_domain', 'company_name'], ...companies]),
  );
  await scan(schedule.id);
  run = 2;
  await scan(schedule.id);
  const reasons = texts.map((reason) => ({ key: null, amountMicro: 1_000_000n, reason }));
  await app.credits.ledger.grant(app.accounts.defaultId, reasons);
  const place = { name: scheduleName(texts[0] ?? ''), location: folder };
  const inbox = await post<{ readonly id: string }>('/v1/inboxes', { json: { ...place, settle: '0' } });
  const destination = await post<{ readonly id: string }>('/v1/destinations', { json: place });
  const target = await insertTargets(site, texts);
  // The newest entries of the audit log, which its page shows first.
  for (const name of texts.slice(0, 12))
    await app.accounts.keys.create(
      app.accounts.defaultId,
      { name, scopes: ['sql:read'], expiresAt: null },
      byTest,
    );
  const { ads } = await get<{ readonly ads: readonly { readonly id: string }[] }>(`/v1/ads?batch=${batch}`);
  return {
    ...{ site, key, batch, unidentified, schedule: schedule.id, ad: ads[0]?.id ?? '' },
    ...{ inbox: inbox.id, destination: destination.id, target },
    close: async () => {
      await site.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };

  /** Uploads a file and returns the id of its batch; null if the file name is invalid. */
  async function tryUpload(lines: readonly (readonly string[])[], name: string): Promise<string | null> {
    const query = new URLSearchParams({ file_name: name });
    const { headers, body } = csvOf(lines);
    const answer = await site.call('POST', `/v1/batches?${query}`, { key, headers, body });
    if (answer.status === 400) return null;
    expect(answer.status, answer.text).toBe(201);
    return (answer.json() as { readonly id: string }).id;
  }

  async function upload(lines: readonly (readonly string[])[], name: string): Promise<string> {
    const id = (await tryUpload(lines, name)) ?? (await tryUpload(lines, 'plain.csv'));
    return id ?? expect.unreachable('A file with a plain name is accepted.');
  }

  /** Uploads a file under all names at once, or under each of them if one is invalid. */
  async function uploadAs(names: readonly string[], lines: readonly (readonly string[])[]): Promise<void> {
    if ((await tryUpload(lines, names.join(' '))) !== null || names.length === 1) return;
    for (const name of names) await tryUpload(lines, name);
  }

  /** Runs the schedule once and waits until its changes are evaluated. */
  async function scan(id: string): Promise<void> {
    const before = (await scansOf(id)).filter(({ changes }) => changes !== null).length;
    await post(`/v1/schedules/${id}/run`);
    const isEvaluated = async () =>
      (await scansOf(id)).filter(({ changes }) => changes !== null).length > before;
    await vi.waitUntil(isEvaluated, { timeout: 60_000, interval: 100 });
  }

  async function scansOf(id: string): Promise<readonly { readonly changes: unknown }[]> {
    return (
      await get<{ readonly scans: readonly { readonly changes: unknown }[] }>(`/v1/schedules/${id}/scans`)
    ).scans;
  }

  async function post<Body>(path: string, call: Call = {}): Promise<Body> {
    const answer = await site.call('POST', path, { key, ...call });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.json() as Body;
  }

  async function get<Body>(path: string): Promise<Body> {
    const answer = await site.call('GET', path, { key });
    expect(answer.status, answer.text).toBe(200);
    return answer.json() as Body;
  }
}

const byTest = { actor: 'test', address: null };
const everything = [
  ...(['ads:search', 'email:validate', 'credits:read', 'batches:read', 'batches:write', 'sql:read'] as const),
  'admin',
] as const;

/** Creates the body of an upload. */
function csvOf(lines: readonly (readonly string[])[]) {
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const body = lines.map((cells) => cells.map(cell).join(',')).join('\n');
  return { headers: { 'Content-Type': 'text/csv' }, body };
}

/** Texts as logins, which are stored in lower case. */
function loginsOf(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.filter((text) => /^[\x20-\x7e]{1,254}$/.test(text)).map((text) => text.toLowerCase()));
}

/** Shortens and trims a text for the name of a schedule. */
function scheduleName(text: string): string {
  return text.slice(0, 60).trim();
}

const fileNameCharsMax = 200;

/** Groups the texts so that each group fits into a file name. */
function fileNamesOf(texts: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  for (const text of texts) {
    const group = groups.at(-1);
    if (group !== undefined && [...group, text].join(' ').length <= fileNameCharsMax) group.push(text);
    else groups.push([text]);
  }
  return groups;
}

function domainOf(i: number): string {
  return `company-${i}.com`;
}

/** Ads of a company: one shared by all companies, one of its own, and a new one from the second scan on. */
function adsOf(texts: readonly string[], company: string, run: number): readonly StandInAd[] {
  const i = Number(/^company-(\d+)\.com$/.exec(company)?.[1] ?? 0);
  const text = texts[i] ?? '';
  return [
    adOf('shared', text),
    adOf(`own-${i}`, run === 1 ? text : `${text} again`),
    ...(run === 1 ? [] : [adOf(`new-${i}`, text)]),
  ];
}

const picture = 'https://tpc.googlesyndication.com/archive/simgad/42';

function adOf(creativeId: string, text: string): StandInAd {
  return {
    advertiser_id: `AR-${creativeId}`,
    creative_id: creativeId,
    variants: [
      { content: text, height: 209, width: 348 },
      { content: `<img src="${picture}" height="209" width="348">`, height: 209, width: 348 },
    ],
    start: dayAgo(30),
    last_seen: dayAgo(0),
    ...{ advertiser_name: text, format: text, headline: text, description: text },
    ...{ original_url: text, display_url: text, final_url: text, ad_type: 'text' },
  };
}
