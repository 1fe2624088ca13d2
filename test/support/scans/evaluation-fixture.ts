import { createBatchControl } from '../../../db/stores/batches/batch-control.ts';
import { createDispatchStore } from '../../../db/stores/work/dispatch.ts';
import { createScanEvaluator } from '../../../db/stores/changes/evaluate-scans.ts';
import { createLedger } from '../../../db/stores/credits/ledger.ts';
import { createOutcomeStore } from '../../../db/stores/work/outcomes.ts';
import { findAccount } from '../../../db/stores/accounts/accounts.ts';
import { createVerifyStore } from '../../../db/verify/verify-store.ts';
import type { Ad } from '../../../src/core/ads/ad.ts';
import type { AdsAnswer, Extent } from '../../../src/core/ads/ads-answer.ts';
import { newId } from '../../../src/core/ids.ts';
import type { AskedSource, LookupResult } from '../../../src/core/work/outcomes.ts';
import { evaluateScans } from '../../../src/core/changes/scan-evaluator.ts';
import { unguarded } from '../breakages/by-hand.ts';
import { openTestDatabase, type TestDatabase } from '../db/database.ts';
import { loadFixtureBatch, takeChunk } from '../db/fixture.ts';

/** Answer of a source for one company in a scan. Default: a complete one of serpapi. */
export interface ScanAnswer {
  readonly answer: LookupResult['answer'];
  readonly source?: string;
  readonly asked?: readonly AskedSource[];
}

/** Answers of a scan by domain; companies without one stay open. */
export type ScanAnswers = Readonly<Record<string, ScanAnswer>>;

export interface FixtureSchedule {
  readonly scheduleId: number;
  readonly publicId: string;
  readonly name: string;
  readonly companies: readonly string[];
}

export interface FixtureScan {
  readonly scanId: string;
  readonly publicId: string;
  readonly batchId: number;
  readonly batch: string;
}

/** Day of the first observation of a scenario, in the past. */
const firstScanDay = '2026-03-10';

/** Day `n` of a scenario, from 0. */
export function scanDay(n: number): string {
  return new Date(Date.parse(`${firstScanDay}T00:00:00Z`) + n * 86_400_000).toISOString().slice(0, 10);
}

/** An ad as a source reports it; it runs for a long time, and its source does not say when it last saw it. */
export function adOf(creativeId: string, changes: Partial<Ad> = {}): Ad {
  return {
    advertiserId: 'google:AR-1',
    creativeId: `google:${creativeId}`,
    advertiserName: 'Acme Inc.',
    format: 'Text',
    originalUrl: null,
    variants: [
      { content: `<img src="https://tpc.googlesyndication.com/${creativeId}">`, height: 209, width: 348 },
    ],
    start: '2025-01-01',
    lastSeen: null,
    text: null,
    ...changes,
  };
}

/** Answer with ads. */
export function foundAds(
  ads: readonly (Ad | string)[],
  extent: Partial<Extent> = {},
  source = 'serpapi',
): ScanAnswer {
  const list = ads.map((each) => (typeof each === 'string' ? adOf(each) : each));
  const answer: AdsAnswer = {
    kind: 'found',
    ads: list,
    matchedBy: 'domain',
    extent: { partial: false, truncated: false, estimate: null, ...extent },
  };
  return { answer, source };
}

/** Answer without ads, from these sources. */
export function noAds(...sources: readonly string[]): ScanAnswer {
  const [source = 'serpapi', ...others] = sources;
  const asked = [source, ...others].map((each) => ({ source: each, reported: 'none' as const }));
  return { answer: { kind: 'none', matchedBy: 'domain' }, source, asked };
}

export const noMatch: ScanAnswer = { answer: { kind: 'no_match' } };
export const failedLookup: ScanAnswer = { answer: { kind: 'failed', reason: 'source_unavailable' } };

/** Opens schedules and manual scans on a separate database: batches through the product's stores, the rest row by row. */
export async function openTestScans(opened?: TestDatabase) {
  const database = opened ?? (await openTestDatabase());
  const db = database.app.sql;
  const accountId = await findAccount(db, 'default');
  await createLedger(db).grant(accountId, [{ key: null, amountMicro: 1_000_000_000n, reason: 'test' }]);
  const dispatch = createDispatchStore(db);
  const evaluator = createScanEvaluator(db);
  const query = async <Row extends object>(text: string, values: readonly unknown[] = []) =>
    (await database.owner.pool.query<Row>(text, [...values])).rows;

  async function addSchedule(
    name: string,
    companies: readonly string[],
    settings: {
      missesToEnd?: number;
      staleDays?: number;
      notify?: readonly number[];
      accountId?: number;
    } = {},
  ): Promise<FixtureSchedule> {
    const publicId = newId('sch', Date.now());
    const [row] = await query<{ id: string }>(
      `INSERT INTO nightshift.schedules (public_id, account_id, name, cron, time_zone, file_name, file_content, file_options, companies, sources,
        misses_to_end, stale_days, notify, next_at)
      VALUES ($1, $2, $3, '0 2 * * *', 'UTC', 'list.csv', '', '{}', $4, '{serpapi}', $5, $6, $7, now() + interval '1 day') RETURNING id`,
      [
        publicId,
        settings.accountId ?? accountId,
        name,
        companies.length,
        settings.missesToEnd ?? 2,
        settings.staleDays ?? 14,
        settings.notify ?? null,
      ],
    );
    return { scheduleId: Number(row?.id), publicId, name, companies };
  }

  /** A running scan with unclaimed lookups. */
  async function begin(schedule: FixtureSchedule, owner = accountId): Promise<FixtureScan> {
    const publicId = newId('scn', Date.now());
    const { companies, scheduleId } = schedule;
    const loaded = await loadFixtureBatch(database.app, owner, {
      fileName: publicId,
      companies,
      withOddRows: false,
    });
    const [row] = await query<{ id: string }>(
      `INSERT INTO nightshift.scans (public_id, account_id, schedule_id, due_at, cause, state, batch_id, begun_at)
      VALUES ($1, $2, $3, now(), 'manual', 'running', $4, now()) RETURNING id`,
      [publicId, owner, scheduleId, loaded.batchId],
    );
    return { scanId: row?.id ?? '', publicId, batchId: loaded.batchId, batch: loaded.publicId };
  }

  /** Answers the open lookups of running batches; companies without an answer stay open. */
  async function answer(answers: ScanAnswers): Promise<void> {
    await dispatch.cutChunks({ chunksMax: 1000, sizeOf: () => 5000 });
    for (const { chunkId, generation } of await dispatch.listUnqueued(1000)) {
      const claim = await takeChunk(database.app, chunkId, generation);
      const results = claim.lookups.flatMap(({ lookupId, company }): readonly LookupResult[] => {
        const reported = answers[company.domain ?? ''];
        if (reported === undefined) return [];
        const { source = 'serpapi', asked } = reported;
        return [{ lookupId, source, answer: reported.answer, ...(asked === undefined ? {} : { asked }) }];
      });
      await createOutcomeStore(db).commit(claim, results);
    }
  }

  /** Finishes the batch, with observations at 02:00 of the day. */
  async function finish(scan: FixtureScan, day: number): Promise<void> {
    const at = `${scanDay(day)}T02:00:00Z`;
    await query(
      unguarded(
        'lookups',
        `UPDATE nightshift.lookups SET ended_at = '${at}' WHERE batch_id = ${scan.batchId} AND ended_at > '${at}'`,
      ),
    );
    await query(
      `UPDATE nightshift.chunks SET first_ended_at = least(first_ended_at, '${at}'), last_ended_at = least(last_ended_at, '${at}')
        WHERE batch_id = ${scan.batchId}`,
    );
    await dispatch.finishBatches();
    await query(
      `UPDATE nightshift.scans s SET state = b.state, finished_at = coalesce(b.finished_at, now()) FROM nightshift.batches b
      WHERE b.id = s.batch_id AND s.id = $1 AND b.state IN ('finished', 'cancelled')`,
      [scan.scanId],
    );
  }

  /** Completes the drain of a cancelled batch: its workers have stopped. */
  async function completeDrain({ batchId }: FixtureScan): Promise<void> {
    const control = createBatchControl(db);
    await query(
      `UPDATE nightshift.chunks SET lease_until = now() - interval '1 second' WHERE batch_id = $1 AND state = 'running'`,
      [batchId],
    );
    while ((await control.drain(batchId)).kind === 'more');
    await dispatch.finishBatches();
  }

  /** Runs a complete scan on a day of the scenario. */
  async function runScan(schedule: FixtureSchedule, day: number, answers: ScanAnswers): Promise<FixtureScan> {
    const scan = await begin(schedule);
    await answer(answers);
    await finish(scan, day);
    return scan;
  }

  /** Retries the failed companies of a scan. */
  async function retry(scan: FixtureScan, day: number, answers: ScanAnswers): Promise<void> {
    await createBatchControl(db).retry(accountId, scan.batch, 'in_doubt');
    await answer(answers);
    await finish(scan, day);
  }

  /** Summarizes the changes of a scan: `acme.com a new`. */
  async function changesOf(scan: FixtureScan): Promise<readonly string[]> {
    const rows = await query<{ text: string }>(
      `SELECT concat_ws(' ', substr(c.company_key, 3), i.creative_id, c.kind, c.reason) AS text
      FROM nightshift.ad_changes c JOIN nightshift.ads i ON i.id = c.ad_id WHERE c.scan_id = $1 ORDER BY 1`,
      [scan.scanId],
    );
    return rows.map(({ text }) => text);
  }

  /** Completeness of a scan, by company. */
  async function completenessOf(scan: FixtureScan): Promise<Readonly<Record<string, string>>> {
    const rows = await query<{ company: string; completeness: string }>(
      `SELECT substr(company_key, 3) AS company, completeness FROM nightshift.scan_companies WHERE scan_id = $1 ORDER BY 1`,
      [scan.scanId],
    );
    return Object.fromEntries(rows.map(({ company, completeness }) => [company, completeness]));
  }

  return {
    database,
    accountId,
    evaluator,
    query,
    addSchedule,
    begin,
    answer,
    finish,
    runScan,
    retry,
    completeDrain,
    changesOf,
    completenessOf,
    /** Evaluates every scan that is ready. */
    evaluate: () => evaluateScans(evaluator, new AbortController().signal),
    /** Lists the events of scans, oldest first. */
    events: () =>
      query<{ subject: string; payload: Record<string, unknown> }>(
        `SELECT subject, payload FROM nightshift.events WHERE event = 'scan.changes' ORDER BY id`,
      ),
    /** Lists broken invariants, by `verify`. */
    findings: async () =>
      (await createVerifyStore(db).check()).flatMap(({ number, broken }) =>
        broken.map((each) => `${number}: ${each}`),
      ),
  };
}

export type TestScans = Awaited<ReturnType<typeof openTestScans>>;
