import pLimit from 'p-limit';
import { expect, vi } from 'vitest';
import type { TestApiOptions, Call } from '../api/test-api.ts';
import { openTestConsole, type TestConsole } from './test-console.ts';
import { reaches } from '../api/uploaded-batch.ts';
import { dayAgo } from '../stand-in/rival-ads.ts';
import type { StandInAd } from '../stand-in/stand-in-ads.ts';

/** An installation that was in use: something of everything that the console can show, all of it in the account `default`. */
export interface ConsoleFixture {
  readonly site: TestConsole;
  /** Key of an admin of the account. */
  readonly key: string;
  /** A list whose rows have all the texts in them. */
  readonly batch: string;
  /** Scanned twice; in between every ad has changed. */
  readonly schedule: string;
  /** An ad that has a version for every text. */
  readonly ad: string;
  readonly close: () => Promise<void>;
}

export interface ConsoleFixtureOptions extends Pick<TestApiOptions, 'queue'> {
  /** Foreign texts of names, notes, addresses, ads, files and reasons. */
  readonly texts: readonly string[];
}

/** Opens it; whoever opens it closes it. */
export async function openConsoleFixture({
  texts,
  ...options
}: ConsoleFixtureOptions): Promise<ConsoleFixture> {
  let run = 1;
  const site = await openTestConsole({ ...options, ads: (company) => adsOf(texts, company, run) });
  const { app } = site;
  await app.credits.ledger.grant(app.accounts.defaultId, [
    { key: null, amountMicro: 1_000_000_000n, reason: 'test' },
  ]);
  const key = await site.createKey({ scopes: [...everything] });
  for (const name of texts.slice(0, 12))
    await app.accounts.keys.create(
      app.accounts.defaultId,
      { name, scopes: ['sql:read'], expiresAt: null },
      byTest,
    );

  const companies = texts.map((text, i) => [domainOf(i), text]);
  const leads = texts.map((text, i) => [domainOf(i), text, text, text]);
  const batch = await handIn([['company_domain', 'company_name', 'email', 'note'], ...leads], texts[0] ?? '');
  const limit = pLimit(8);
  await limit.map(fileNamesOf(texts), (names, i) => handInAs(names, [['company_domain'], [domainOf(i)]]));
  await reaches(site, key, batch, 'finished');

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
  const { ads } = await get<{ readonly ads: readonly { readonly id: string }[] }>(`/v1/ads?batch=${batch}`);
  return {
    ...{ site, key, batch, schedule: schedule.id, ad: ads[0]?.id ?? '' },
    close: () => site.close(),
  };

  /** Answers the id of the batch; null where a file cannot be called that. */
  async function tryHandIn(lines: readonly (readonly string[])[], name: string): Promise<string | null> {
    const query = new URLSearchParams({ file_name: name });
    const { headers, body } = csvOf(lines);
    const answer = await site.call('POST', `/v1/batches?${query}`, { key, headers, body });
    if (answer.status === 400) return null;
    expect(answer.status, answer.text).toBe(201);
    return (answer.json() as { readonly id: string }).id;
  }

  async function handIn(lines: readonly (readonly string[])[], name: string): Promise<string> {
    const id = (await tryHandIn(lines, name)) ?? (await tryHandIn(lines, 'plain.csv'));
    return id ?? expect.unreachable('A list with a plain name is taken.');
  }

  /** Under all the names at once; where one of them cannot be the name of a file, under each of them. */
  async function handInAs(names: readonly string[], lines: readonly (readonly string[])[]): Promise<void> {
    if ((await tryHandIn(lines, names.join(' '))) !== null || names.length === 1) return;
    for (const name of names) await tryHandIn(lines, name);
  }

  /** Runs the schedule once, and waits until what it has found is compared. */
  async function scan(id: string): Promise<void> {
    const before = (await scansOf(id)).filter(({ changes }) => changes !== null).length;
    await post(`/v1/schedules/${id}/run`);
    const isCompared = async () =>
      (await scansOf(id)).filter(({ changes }) => changes !== null).length > before;
    await vi.waitUntil(isCompared, { timeout: 60_000, interval: 100 });
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

/** As the body of a request. */
function csvOf(lines: readonly (readonly string[])[]) {
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const body = lines.map((cells) => cells.map(cell).join(',')).join('\n');
  return { headers: { 'Content-Type': 'text/csv' }, body };
}

/** Names of schedules are short, and have no blanks around them. */
function scheduleName(text: string): string {
  return text.slice(0, 60).trim();
}

const fileNameCharsMax = 200;

/** The texts, in groups that fit into a name together. */
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

/** One that all companies share, with a version of each; one of each company's own; and from the second night on another one. */
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
