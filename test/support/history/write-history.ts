import type { Database } from '../../../db/connection/client.ts';
import * as tables from '../../../db/schema/index.ts';
import { findAccount } from '../../../db/stores/accounts/accounts.ts';
import { listAdLives, type HistoryTexts } from './ad-lives.ts';
import { momentOf, runs, runsOn, scanned, type HistoryTarget } from './scan-runs.ts';
import { storeAds } from './store-ads.ts';
import { storeChanges } from './store-changes.ts';
import { storeObservations } from './store-observations.ts';
import { storeScans } from './store-scans.ts';

/** Thirty daily runs of a schedule with seven companies, as real scans store them. */
export interface ScanHistory {
  readonly schedule: { readonly publicId: string; readonly name: string };
  /** Batch of the newest scan. */
  readonly lastBatch: string;
  readonly companies: readonly string[];
  /** Totals of the history. */
  readonly scans: number;
  readonly active: number;
  readonly news: number;
  readonly baseline: number;
}

/** Writes the history into a fresh database as its owner. `texts` supplies every text of foreign origin. */
export async function writeHistory(
  owner: Database,
  texts: HistoryTexts = (_place, plain) => plain,
): Promise<ScanHistory> {
  const db = owner.sql;
  const accountId = await findAccount(db, 'default');
  const companies = scanned.map(([domain, name]) => ({
    key: `d:${domain}`,
    domain,
    name: texts('company', name),
  }));
  const schedule = await storeSchedule({ db, accountId, texts, companies });
  const service = { db, accountId, scheduleId: schedule.id, texts, companies };
  const lives = listAdLives(companies.length, runs);
  const ads = await storeAds(service, lives);
  const scans = await storeScans(service);
  await storeObservations(service, lives, scans);
  return {
    schedule,
    lastBatch: scans.at(-1)?.batch ?? '',
    companies: companies.map(({ name }) => name),
    scans: scans.length,
    active: lives.filter((life) => runsOn(life, runs - 1)).length,
    ...(await storeChanges(service, { lives, ads, scans })),
  };
}

/** Stores a schedule that has not run yet; `digit` determines its id. */
export async function storeSchedule(
  { db, accountId, texts, companies }: Omit<HistoryTarget, 'scheduleId'>,
  digit = '5',
) {
  const [schedule] = await db
    .insert(tables.schedules)
    .values({
      publicId: `sch_${digit.repeat(32)}`,
      accountId,
      name: texts('schedule', 'competitors'),
      cron: '0 2 * * *',
      timeZone: 'Europe/Berlin',
      fileName: texts('file', 'competitors.csv'),
      fileContent: Buffer.from('company,website\n'),
      fileOptions: {},
      companies: companies.length,
      sources: ['transparency'],
      nextAt: momentOf(runs),
      createdAt: momentOf(-1),
    })
    .returning({
      id: tables.schedules.id,
      publicId: tables.schedules.publicId,
      name: tables.schedules.name,
    });
  if (schedule === undefined) throw new Error('The schedule was not stored.');
  return schedule;
}
