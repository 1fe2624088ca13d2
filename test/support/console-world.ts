import { expect } from 'vitest';
import type { ApiDeskOptions } from './api-desk.ts';
import { openConsoleDesk, type ConsoleDesk } from './console-desk.ts';
import { reaches } from './handed-list.ts';
import { dayAgo } from './rival-ads.ts';
import { openSourceStandIn } from './source-stand-in.ts';
import type { StandInAd } from './stand-in-ads.ts';

/** An installation that was in use: something of everything that the console can show, all of it in the account `default`. */
export interface ConsoleWorld {
  readonly desk: ConsoleDesk;
  /** Of an admin of the account. */
  readonly key: string;
  /** A list whose rows have all the texts in them. */
  readonly batch: string;
  /** Scanned twice; in between every ad has changed. */
  readonly schedule: string;
  /** An ad that has a version for every text. */
  readonly ad: string;
  readonly close: () => Promise<void>;
}

export interface ConsoleWorldOptions extends Pick<ApiDeskOptions, 'queue'> {
  /** What names, notes, addresses, ads, files and reasons say. */
  readonly texts: readonly string[];
}

/** Opens it; whoever opens it closes it. */
export async function openConsoleWorld({ texts, ...options }: ConsoleWorldOptions): Promise<ConsoleWorld> {
  let night = 1;
  const source = await openSourceStandIn({
    shape: 'union',
    ads: (company) => adsOf(texts, company, night),
  });
  const desk = await openConsoleDesk({
    ...options,
    settings: {
      NIGHTSHIFT_SOURCES: 'upstream',
      NIGHTSHIFT_UPSTREAM_URL: source.url,
      NIGHTSHIFT_UPSTREAM_KEY: source.key,
    },
  });
  const { app } = desk;
  const reasons = texts.map((reason) => ({ key: null, amountMicro: 1_000_000n, reason }));
  await app.ledger.grant(app.accountId, [
    { key: null, amountMicro: 1_000_000_000n, reason: 'test' },
    ...reasons,
  ]);
  const key = await desk.createKey({ scopes: [...everything] });
  for (const name of texts.slice(0, 12))
    await app.keys.create(app.accountId, { name, scopes: ['sql:read'], expiresAt: null }, byTest);

  const rows = texts.map((text, i) => ({
    company_domain: domainOf(i),
    company_name: text,
    email: text,
    note: text,
  }));
  const batch = await handIn(rows, texts[0] ?? 'leads.csv');
  for (const [i, name] of texts.entries()) await handIn([{ company_domain: domainOf(i) }], name);
  await reaches(desk, key, batch, 'finished');

  const schedule = await post<{ readonly id: string }>('/v1/schedules', {
    name: texts[0],
    cron: '0 2 * * *',
    misses_to_end: 1,
    rows: rows.map(({ company_domain: domain, company_name: name }) => ({
      company_domain: domain,
      company_name: name,
    })),
    file_name: texts[1],
  });
  await scan(schedule.id);
  night = 2;
  await scan(schedule.id);
  const { ads } = await get<{ readonly ads: readonly { readonly id: string }[] }>(`/v1/ads?batch=${batch}`);
  return {
    ...{ desk, key, batch, schedule: schedule.id, ad: ads[0]?.id ?? '' },
    close: async () => {
      await desk.close();
      await source.close();
    },
  };

  /** Answers the id of the batch. A text that cannot be the name of a file is left out. */
  async function handIn(given: readonly object[], name: string): Promise<string> {
    const answer = await desk.call('POST', '/v1/batches', { key, json: { rows: given, file_name: name } });
    if (answer.status === 400) return handIn(given, 'plain.csv');
    expect(answer.status, answer.text).toBe(201);
    return (answer.json() as { readonly id: string }).id;
  }

  /** Runs the schedule once, and waits until what it has found is compared. */
  async function scan(id: string): Promise<void> {
    const before = (await scansOf(id)).filter(({ changes }) => changes !== null).length;
    await post(`/v1/schedules/${id}/run`);
    await expect
      .poll(async () => (await scansOf(id)).filter(({ changes }) => changes !== null).length, {
        timeout: 60_000,
      })
      .toBe(before + 1);
  }

  async function scansOf(id: string): Promise<readonly { readonly changes: unknown }[]> {
    return (
      await get<{ readonly scans: readonly { readonly changes: unknown }[] }>(`/v1/schedules/${id}/scans`)
    ).scans;
  }

  async function post<Body>(path: string, json?: unknown): Promise<Body> {
    const answer = await desk.call('POST', path, { key, ...(json === undefined ? {} : { json }) });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.json() as Body;
  }

  async function get<Body>(path: string): Promise<Body> {
    const answer = await desk.call('GET', path, { key });
    expect(answer.status, answer.text).toBe(200);
    return answer.json() as Body;
  }
}

const byTest = { actor: 'test', address: null };
const everything = [
  ...(['ads:search', 'email:validate', 'credits:read', 'batches:read', 'batches:write', 'sql:read'] as const),
  'admin',
] as const;

function domainOf(i: number): string {
  return `company-${i}.com`;
}

/** One that all companies share, with a version of each; one of each company's own; and from the second night on another one. */
function adsOf(texts: readonly string[], company: string, night: number): readonly StandInAd[] {
  const i = Number(/^company-(\d+)\.com$/.exec(company)?.[1] ?? 0);
  const text = texts[i] ?? '';
  return [
    adOf('shared', text),
    adOf(`own-${i}`, night === 1 ? text : `${text} again`),
    ...(night === 1 ? [] : [adOf(`new-${i}`, text)]),
  ];
}

function adOf(creativeId: string, text: string): StandInAd {
  return {
    advertiser_id: `AR-${creativeId}`,
    creative_id: creativeId,
    variants: [{ content: text, height: 209, width: 348 }],
    start: dayAgo(30),
    last_seen: dayAgo(0),
    ...{ advertiser_name: text, format: text, headline: text, description: text },
    ...{ original_url: text, display_url: text, final_url: text, ad_type: 'text' },
  };
}
