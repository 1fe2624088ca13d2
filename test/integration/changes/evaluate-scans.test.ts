import { describe, expect, test } from 'vitest';
import { createScanEvaluator } from '../../../db/stores/changes/evaluate-scans.ts';
import {
  endEvaluation,
  listPendingEvaluations,
  claimEvaluation,
} from '../../../db/stores/changes/claim-evaluation.ts';
import { evaluateScans } from '../../../src/core/changes/scan-evaluator.ts';
import { openTestPool } from '../../support/db/database.ts';
import {
  adOf,
  failedLookup,
  foundAds,
  noAds,
  noMatch,
  openTestScans,
  scanDay,
  type FixtureSchedule,
  type ScanAnswer,
  type TestScans,
} from '../../support/scans/evaluation-fixture.ts';

/** Runs and evaluates a scan for each answer for acme.com. Returns the changes of each. */
async function tell(
  api: TestScans,
  schedule: FixtureSchedule,
  runs: readonly ScanAnswer[],
): Promise<readonly (readonly string[])[]> {
  const reported: (readonly string[])[] = [];
  for (const [day, answer] of runs.entries()) {
    const scan = await api.runScan(schedule, day, { 'acme.com': answer });
    expect(await api.evaluate()).toBe(1);
    reported.push(await api.changesOf(scan));
  }
  return reported;
}

describe('schedule with several scans of a company', () => {
  test('reports new, changed, ended and reactivated ads once', async () => {
    const api = await openTestScans();
    const schedule = await api.addSchedule('rivals', ['acme.com']);
    const redrawn = adOf('a', { format: 'Image' });
    const runs = [
      foundAds(['a', 'b']),
      foundAds(['b', redrawn, adOf('c', { start: scanDay(1) })]),
      foundAds([redrawn, 'c']),
      foundAds(['c', redrawn]),
      foundAds([redrawn, 'b', 'c']),
    ];
    expect(await tell(api, schedule, runs)).toEqual([
      ['acme.com a baseline first_scan', 'acme.com b baseline first_scan'],
      ['acme.com a changed', 'acme.com c new'],
      [],
      ['acme.com b ended not_seen'],
      ['acme.com b reactivated'],
    ]);
    expect(await api.evaluate()).toBe(0);
    expect(await api.events()).toHaveLength(runs.length);
    expect(await api.findings()).toEqual([]);
  });

  test('reports no change for another order of pages or new nonces of previews', async () => {
    const api = await openTestScans();
    const schedule = await api.addSchedule('rivals', ['acme.com']);
    const preview = (nonce: number) =>
      adOf('p', {
        variants: [
          {
            content: `https://displayads-formats.googleusercontent.com/ads/preview/content.js?sig=x&htmlParentId=fletch-render-${nonce}&responseCallback=fletchCallback${nonce}`,
            height: null,
            width: null,
          },
        ],
      });
    const runs = [
      foundAds(['a', preview(1), 'b']),
      foundAds([preview(2), 'b', 'a']),
      foundAds(['b', 'a', preview(3)]),
    ];
    expect((await tell(api, schedule, runs)).slice(1)).toEqual([[], []]);
    expect(await api.query(`SELECT DISTINCT content_hash FROM nightshift.ad_version_hashes`)).toHaveLength(3);
  });

  test('ends no ad after truncated or partial answers, and adds ads that they missed as baseline', async () => {
    const api = await openTestScans();
    const schedule = await api.addSchedule('rivals', ['acme.com'], { missesToEnd: 1 });
    const runs = [
      foundAds(['a', 'b', 'c'], { truncated: true }),
      foundAds(['c', 'd'], { truncated: true }),
      foundAds(['a'], { partial: true }),
      foundAds(['a', 'b', 'c', 'd', 'e']),
      foundAds(['a', 'b']),
    ];
    expect((await tell(api, schedule, runs)).slice(1)).toEqual([
      ['acme.com d baseline missed_earlier'],
      [],
      ['acme.com e baseline missed_earlier'],
      ['acme.com c ended not_seen', 'acme.com d ended not_seen', 'acme.com e ended not_seen'],
    ]);
  });

  test('ignores failed lookups: they neither count as misses nor reset them', async () => {
    const api = await openTestScans();
    const schedule = await api.addSchedule('rivals', ['acme.com']);
    const runs = [foundAds(['a', 'b']), foundAds(['a']), failedLookup, failedLookup, foundAds(['a'])];
    expect((await tell(api, schedule, runs)).slice(1)).toEqual([[], [], [], ['acme.com b ended not_seen']]);
    expect((await api.events())[2]?.payload).toMatchObject({
      companies: { total: 1, complete: 0, failed: 1 },
    });
    expect(await api.findings()).toEqual([]);
  });

  test('confirms an empty answer with the second one in a row', async () => {
    const api = await openTestScans();
    const schedule = await api.addSchedule('rivals', ['acme.com'], { missesToEnd: 1 });
    expect(await tell(api, schedule, [foundAds(['a']), noAds(), noAds()])).toEqual([
      ['acme.com a baseline first_scan'],
      [],
      ['acme.com a ended not_seen'],
    ]);
    const reported = await api.query(`SELECT completeness FROM nightshift.scan_companies ORDER BY scan_id`);
    expect(reported).toEqual(
      ['complete', 'unconfirmed_empty', 'complete'].map((completeness) => ({ completeness })),
    );
  });

  test('compares each source with its own earlier answers, and several empty sources with all of them', async () => {
    const api = await openTestScans();
    const schedule = await api.addSchedule('rivals', ['acme.com'], { missesToEnd: 1 });
    const runs = [
      foundAds(['a', 'b'], {}, 'serpapi'),
      foundAds(['a', adOf('x', { start: scanDay(1) })], {}, 'adyntel'),
      foundAds(['a'], {}, 'serpapi'),
      noAds('serpapi', 'adyntel'),
      noAds('serpapi', 'adyntel'),
    ];
    expect((await tell(api, schedule, runs)).slice(1)).toEqual([
      ['acme.com x new'],
      ['acme.com b ended not_seen'],
      [],
      ['acme.com a ended not_seen', 'acme.com x ended not_seen'],
    ]);
    expect(await api.findings()).toEqual([]);
  });

  test('dates an answer from a snapshot by the day of the snapshot', async () => {
    const api = await openTestScans();
    const schedule = await api.addSchedule('rivals', ['acme.com', 'globex.com']);
    const snapshot = (...ads: readonly (readonly [string, number])[]) =>
      foundAds(
        ads.map(([id, day]) => adOf(id, { lastSeen: scanDay(day) })),
        {},
        'snapshot',
      );
    const scan = await api.runScan(schedule, 0, {
      'acme.com': snapshot(['a', -100], ['b', -114], ['c', -115]),
      'globex.com': snapshot(['g', -110]),
    });
    await api.evaluate();
    expect(await api.changesOf(scan)).toEqual([
      'acme.com a baseline first_scan',
      'acme.com b baseline first_scan',
      'acme.com c baseline long_ago',
      'globex.com g baseline first_scan',
    ]);
    expect(await api.query(`SELECT DISTINCT day::text FROM nightshift.scan_companies`)).toEqual([
      { day: scanDay(-100) },
    ]);
  });

  test('tracks an ad under each of its companies, and no ad without ids', async () => {
    const api = await openTestScans();
    const schedule = await api.addSchedule('rivals', ['acme.com', 'globex.com']);
    const nameless = adOf('', {
      advertiserId: null,
      creativeId: null,
      text: { ...plainText, headline: 'Buy' },
    });
    const first = await api.runScan(schedule, 0, {
      'acme.com': foundAds(['a', nameless, 'a']),
      'globex.com': foundAds(['a']),
    });
    await api.evaluate();
    expect(await api.changesOf(first)).toEqual([
      'acme.com a baseline first_scan',
      'globex.com a baseline first_scan',
    ]);
    expect(await api.findings()).toEqual([]);
  });

  test('does not count a reused answer as an observation', async () => {
    const api = await openTestScans();
    const schedule = await api.addSchedule('rivals', ['acme.com'], { missesToEnd: 1 });
    await tell(api, schedule, [foundAds(['a'])]);
    const doubted = await api.runScan(schedule, 1, { 'acme.com': noAds() });
    const [asked] = await api.query<{ id: string }>(
      `SELECT id FROM nightshift.all_lookups WHERE batch_id = ${doubted.batchId}`,
    );
    const again = { answer: { kind: 'repeated' as const, lookupId: BigInt(asked?.id ?? 0) } };
    const shown = [
      await api.runScan(schedule, 2, { 'acme.com': again }),
      await api.runScan(schedule, 3, { 'acme.com': again }),
    ];
    const confirmed = await api.runScan(schedule, 4, { 'acme.com': noAds() });
    expect(await api.evaluate()).toBe(4);
    for (const scan of shown) {
      expect(await api.changesOf(scan)).toEqual([]);
      expect(await api.completenessOf(scan)).toEqual({ 'acme.com': 'unconfirmed_empty' });
    }
    expect(await api.changesOf(confirmed)).toEqual(['acme.com a ended not_seen']);
    expect(await api.findings()).toEqual([]);
  });
});

describe('retry of failed companies', () => {
  const companies = ['acme.com', 'globex.com'];

  test('is evaluated with its own event', async () => {
    const api = await openTestScans();
    const schedule = await api.addSchedule('rivals', companies);
    const scan = await api.runScan(schedule, 0, { 'acme.com': foundAds(['a']), 'globex.com': failedLookup });
    await api.evaluate();
    await api.retry(scan, 0, { 'globex.com': foundAds(['g']) });
    expect(await api.evaluate()).toBe(1);
    expect(await api.changesOf(scan)).toEqual([
      'acme.com a baseline first_scan',
      'globex.com g baseline first_scan',
    ]);
    expect(await api.evaluate()).toBe(0);
    expect(await api.events()).toMatchObject([
      {
        subject: scan.publicId,
        payload: { after_retry: false, changes: { baseline: 1 }, companies: { complete: 1, failed: 1 } },
      },
      {
        subject: `${scan.publicId}:2`,
        payload: { after_retry: true, changes: { baseline: 1 }, companies: { complete: 2, failed: 0 } },
      },
    ]);
    expect(await api.findings()).toEqual([]);
  });

  test('that fails again makes no event, and can be repeated', async () => {
    const api = await openTestScans();
    const schedule = await api.addSchedule('rivals', companies);
    const scan = await api.runScan(schedule, 0, { 'acme.com': foundAds(['a']), 'globex.com': failedLookup });
    await api.evaluate();
    await api.retry(scan, 0, { 'globex.com': failedLookup });
    expect(await api.evaluate()).toBe(1);
    expect(await api.events()).toHaveLength(1);
    await api.retry(scan, 0, { 'globex.com': noAds() });
    expect(await api.evaluate()).toBe(1);
    expect(await api.events()).toMatchObject([{}, { subject: `${scan.publicId}:3` }]);
  });

  test('is ignored where a later scan has an answer', async () => {
    const api = await openTestScans();
    const schedule = await api.addSchedule('rivals', companies);
    const scan = await api.runScan(schedule, 0, { 'acme.com': failedLookup, 'globex.com': failedLookup });
    await api.runScan(schedule, 1, { 'acme.com': foundAds(['a', 'b']), 'globex.com': failedLookup });
    await api.evaluate();
    await api.retry(scan, 2, { 'acme.com': foundAds(['a']), 'globex.com': foundAds(['g']) });
    expect(await api.evaluate()).toBe(1);
    expect(await api.changesOf(scan)).toEqual(['globex.com g baseline first_scan']);
    expect(await api.findings()).toEqual([]);
  });

  test('does not block later scans while it runs', async () => {
    const api = await openTestScans();
    const schedule = await api.addSchedule('rivals', companies);
    const scan = await api.runScan(schedule, 0, { 'acme.com': foundAds(['a']), 'globex.com': failedLookup });
    await api.evaluate();
    await api.retry(scan, 0, {});
    expect(await api.evaluate()).toBe(0);
    const next = await api.runScan(schedule, 1, {
      'acme.com': foundAds(['a']),
      'globex.com': foundAds(['g']),
    });
    expect(await api.evaluate()).toBe(1);
    expect(await api.changesOf(next)).toEqual(['globex.com g baseline first_scan']);
  });

  test('during the evaluation of a scan schedules another evaluation', async () => {
    const api = await openTestScans();
    const schedule = await api.addSchedule('rivals', companies);
    const scan = await api.runScan(schedule, 0, { 'acme.com': foundAds(['a']), 'globex.com': failedLookup });
    const [place] = await listPendingEvaluations(api.database.app.sql, 1);
    if (place === undefined) throw new Error('The scan has no turn.');
    await api.database.app.sql.transaction(async (transaction) => {
      const turn = await claimEvaluation(transaction, place);
      if (turn === null) throw new Error('The turn was not taken.');
      await api.retry(scan, 0, { 'globex.com': foundAds(['g']) });
      await endEvaluation(transaction, turn);
    });
    expect(await api.evaluate()).toBe(1);
    expect(await api.changesOf(scan)).toContain('globex.com g baseline first_scan');
  });

  test('is evaluated with the settings of the first evaluation', async () => {
    const api = await openTestScans();
    const schedule = await api.addSchedule('rivals', companies, { missesToEnd: 2 });
    await api.runScan(schedule, 0, { 'acme.com': foundAds(['a', 'b']), 'globex.com': foundAds(['g', 'h']) });
    const scan = await api.runScan(schedule, 1, { 'acme.com': foundAds(['a']), 'globex.com': failedLookup });
    await api.evaluate();
    await api.query(`UPDATE nightshift.schedules SET misses_to_end = 1`);
    await api.retry(scan, 1, { 'globex.com': foundAds(['g']) });
    await api.evaluate();
    expect(await api.changesOf(scan)).toEqual([]);
    expect(await api.findings()).toEqual([]);
  });
});

test('ads outside of a narrower search are not ended', async () => {
  const api = await openTestScans();
  const schedule = await api.addSchedule('rivals', ['acme.com'], { missesToEnd: 1 });
  await api.runScan(schedule, 0, { 'acme.com': foundAds(['a', 'b']) });
  const narrow = { region: 'DE', surface: null, adsMax: null, ownOnly: false, ageMsMax: null };
  const scans = [];
  for (const [day, creatives] of [['a'], ['a', adOf('c', { start: scanDay(2) })], ['c']].entries()) {
    const scan = await api.begin(schedule);
    await api.query(`UPDATE nightshift.batches SET search = $2 WHERE id = $1`, [scan.batchId, narrow]);
    await api.answer({ 'acme.com': foundAds(creatives) });
    await api.finish(scan, day + 1);
    scans.push(scan);
  }
  expect(await api.evaluate()).toBe(4);
  expect(await Promise.all(scans.map((scan) => api.changesOf(scan)))).toEqual([
    [],
    ['acme.com c new'],
    ['acme.com a ended not_seen'],
  ]);
  expect(await api.query(`SELECT DISTINCT source FROM nightshift.scan_companies`)).toEqual([
    { source: 'serpapi' },
  ]);
  expect(await api.findings()).toEqual([]);
});

describe('order of evaluations', () => {
  test('a scan waits for an earlier scan that has not ended, and both make an event', async () => {
    const api = await openTestScans();
    const schedule = await api.addSchedule('rivals', ['acme.com']);
    const older = await api.begin(schedule);
    const younger = await api.begin(schedule);
    await api.query(
      `UPDATE nightshift.scans SET state = 'waiting', batch_id = NULL, begun_at = NULL WHERE id = $1`,
      [older.scanId],
    );
    await api.answer({ 'acme.com': foundAds(['a']) });
    await api.finish(younger, 1);
    expect(await api.evaluate()).toBe(0);
    await api.query(
      `UPDATE nightshift.scans SET state = 'finished', batch_id = $2, begun_at = now() WHERE id = $1`,
      [older.scanId, older.batchId],
    );
    expect(await api.evaluate()).toBe(2);
    expect((await api.events()).map(({ subject }) => subject)).toEqual([older.publicId, younger.publicId]);
  });

  test.each(['skipped', 'missed'])('a scan does not wait for a tick that was %s', async (state) => {
    const api = await openTestScans();
    const schedule = await api.addSchedule('rivals', ['acme.com']);
    await api.query(
      `INSERT INTO nightshift.scans (public_id, account_id, schedule_id, due_at, cause, state, reason)
      VALUES ('scn_x', $1, $2, now(), 'tick', $3, 'because')`,
      [api.accountId, schedule.scheduleId, state],
    );
    await api.runScan(schedule, 0, { 'acme.com': foundAds(['a']) });
    expect(await api.evaluate()).toBe(1);
    expect(await api.findings()).toEqual([]);
  });

  test('a cancelled scan is evaluated with its answers so far once its work has stopped', async () => {
    const api = await openTestScans();
    const schedule = await api.addSchedule('rivals', ['acme.com', 'globex.com']);
    const scan = await api.begin(schedule);
    await api.answer({ 'acme.com': foundAds(['a']) });
    await api.query(`UPDATE nightshift.batches SET state = 'cancelled' WHERE id = $1`, [scan.batchId]);
    await api.finish(scan, 0);
    expect(await api.evaluate()).toBe(0);
    await api.completeDrain(scan);
    expect(await api.evaluate()).toBe(1);
    expect(await api.changesOf(scan)).toEqual(['acme.com a baseline first_scan']);
    expect((await api.events())[0]?.payload).toMatchObject({
      companies: { total: 2, complete: 1, failed: 1 },
    });
    expect(await api.findings()).toEqual([]);
  });

  test('two schedules of the same company have their own changes, each once', async () => {
    const api = await openTestScans();
    const [one, two] = [
      await api.addSchedule('one', ['acme.com'], { missesToEnd: 1 }),
      await api.addSchedule('two', ['acme.com'], { missesToEnd: 2 }),
    ];
    for (const day of [0, 1, 2]) {
      const answer = { 'acme.com': foundAds(day === 0 ? ['a', 'b'] : ['a']) };
      for (const schedule of [one, two]) await api.runScan(schedule, day, answer);
    }
    expect(await api.evaluate()).toBe(6);
    const ended = await api.query(
      `SELECT s.name, cardinality(c.rests_on) AS scans FROM nightshift.ad_changes c
      JOIN nightshift.schedules s ON s.id = c.schedule_id WHERE c.kind = 'ended' ORDER BY 1`,
    );
    expect(ended).toEqual([
      { name: 'one', scans: 1 },
      { name: 'two', scans: 2 },
    ]);
    expect(await api.findings()).toEqual([]);
  });

  test('concurrent evaluators evaluate every scan once, each schedule in order', async () => {
    const api = await openTestScans();
    for (const name of ['one', 'two', 'three']) {
      const schedule = await api.addSchedule(name, ['acme.com', 'globex.com'], { missesToEnd: 1 });
      for (const day of [0, 1, 2, 3]) {
        const answer = foundAds(day % 2 === 0 ? ['a', 'b'] : ['a']);
        await api.runScan(schedule, day, { 'acme.com': answer, 'globex.com': answer });
      }
    }
    const evaluators = [1, 2, 3, 4].map(() => createScanEvaluator(openTestPool(api.database.url).sql));
    const { signal } = new AbortController();
    let done = 0;
    // An evaluator that finds all scans claimed stops; repeat until none is left.
    while (done < 12) {
      const counts = await Promise.all(evaluators.map((evaluator) => evaluateScans(evaluator, signal)));
      done += counts.reduce((sum, count) => sum + count, 0);
    }
    expect(done).toBe(12);
    expect(await api.events()).toHaveLength(12);
    const changes = await api.query(
      `SELECT kind, count(*)::integer AS n FROM nightshift.ad_changes GROUP BY 1 ORDER BY 1`,
    );
    expect(changes).toEqual([
      { kind: 'baseline', n: 12 },
      { kind: 'ended', n: 12 },
      { kind: 'reactivated', n: 6 },
    ]);
    expect(await api.findings()).toEqual([]);
  });
});

describe('event of a scan', () => {
  test('has counts, top companies, completeness, credits and the command to retry', async () => {
    const api = await openTestScans();
    const companies = ['a.com', 'b.com', 'c.com', 'd.com', 'e.com', 'f.com', 'g.com', 'h.com', 'i.com'];
    const schedule = await api.addSchedule('rivals', companies, { missesToEnd: 1 });
    const baseline = Object.fromEntries(companies.map((company) => [company, foundAds([`${company}-1`])]));
    await api.runScan(schedule, 0, baseline);
    const fresh = (company: string, count: number) =>
      Array.from({ length: count }, (_, i) => adOf(`${company}-new-${i}`, { start: scanDay(1) }));
    const scan = await api.runScan(schedule, 1, {
      'a.com': foundAds(['a.com-1', ...fresh('a.com', 1)]),
      'b.com': foundAds(fresh('b.com', 1)),
      'c.com': foundAds(['c.com-1', ...fresh('c.com', 5)], { truncated: true }),
      'd.com': foundAds(['d.com-1', ...fresh('d.com', 4)], { partial: true }),
      'e.com': foundAds([adOf('e.com-1', { format: 'Video' })]),
      'f.com': foundAds(['f.com-1', ...fresh('f.com', 3)]),
      'g.com': foundAds(['g.com-1', ...fresh('g.com', 1)]),
      'h.com': noMatch,
      'i.com': failedLookup,
    });
    await api.evaluate();
    const [, event] = await api.events();
    expect(event).toEqual({
      subject: scan.publicId,
      payload: {
        scan: scan.publicId,
        schedule: 'rivals',
        schedule_id: schedule.publicId,
        batch: scan.batch,
        due_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
        after_retry: false,
        companies: { total: 9, complete: 5, truncated: 1, partial: 1, unconfirmed_empty: 1, failed: 1 },
        changes: { new: 15, reactivated: 0, ended: 1, changed: 1, baseline: 0 },
        top: [
          { company: 'c.com', new: 5, ended: 0 },
          { company: 'd.com', new: 4, ended: 0 },
          { company: 'f.com', new: 3, ended: 0 },
          { company: 'b.com', new: 1, ended: 1 },
          { company: 'a.com', new: 1, ended: 0 },
        ],
        credits: { spent: 1.4, left: 996.8 },
        retry_command: `nightshift retry ${scan.batch}`,
      },
    });
  });

  test('is emitted without changes, too, and has no retry command without failures', async () => {
    const api = await openTestScans();
    const schedule = await api.addSchedule('rivals', ['acme.com']);
    await api.runScan(schedule, 0, { 'acme.com': noMatch });
    await api.evaluate();
    expect((await api.events())[0]?.payload).toMatchObject({
      companies: { total: 1, unconfirmed_empty: 1, failed: 0 },
      changes: { new: 0, reactivated: 0, ended: 0, changed: 0, baseline: 0 },
      top: [],
      retry_command: null,
    });
  });

  test('has the retry command for lookups in doubt if nothing else failed', async () => {
    const api = await openTestScans();
    const schedule = await api.addSchedule('rivals', ['acme.com']);
    const doubtful = { answer: { kind: 'failed', reason: 'in_doubt' } } as const;
    const scan = await api.runScan(schedule, 0, { 'acme.com': doubtful });
    await api.evaluate();
    expect((await api.events())[0]?.payload).toMatchObject({
      retry_command: `nightshift retry ${scan.batch} --in-doubt`,
    });
  });

  test('is delivered to the webhooks of the schedule, or to all if it has none', async () => {
    const api = await openTestScans();
    const [first] = await api.query<{ id: string }>(
      `INSERT INTO nightshift.webhooks (public_id, account_id, name, kind, target, events)
      SELECT 'whk_' || i, $1, 'hook ' || i, 'email', 'a@b.example', '{scan.changes}' FROM generate_series(1, 2) i RETURNING id`,
      [api.accountId],
    );
    const notify = [Number(first?.id)];
    const [some, all] = [
      await api.addSchedule('some', ['acme.com'], { notify }),
      await api.addSchedule('all', ['acme.com']),
    ];
    for (const schedule of [some, all]) await api.runScan(schedule, 0, { 'acme.com': foundAds(['a']) });
    await api.evaluate();
    const reported = await api.query(
      `SELECT n.payload ->> 'schedule' AS schedule, count(*)::integer AS n FROM nightshift.webhook_deliveries d
      JOIN nightshift.events n ON n.id = d.event_id GROUP BY 1 ORDER BY 1`,
    );
    expect(reported).toEqual([
      { schedule: 'all', n: 2 },
      { schedule: 'some', n: 1 },
    ]);
  });
});

test('an evaluation covers more companies than fit on a page', async () => {
  const api = await openTestScans();
  const companies = Array.from({ length: 230 }, (_, i) => `company-${i}.com`);
  const schedule = await api.addSchedule('rivals', companies);
  const answers = Object.fromEntries(
    companies.map((company) => [company, foundAds([`${company}-1`, `${company}-2`])]),
  );
  await api.runScan(schedule, 0, answers);
  await api.evaluate();
  expect((await api.events())[0]?.payload).toMatchObject({
    companies: { total: 230, complete: 230 },
    changes: { baseline: 460 },
  });
});

test('an aborted evaluation changes nothing', async () => {
  const api = await openTestScans();
  const schedule = await api.addSchedule('rivals', ['acme.com']);
  await api.runScan(schedule, 0, { 'acme.com': foundAds(['a']) });
  const aborted = AbortSignal.abort(new Error('The process ends.'));
  await expect(api.evaluator.evaluateNext(aborted)).rejects.toThrow('The process ends.');
  expect(await api.query('SELECT FROM nightshift.scan_companies')).toEqual([]);
  expect(await api.evaluate()).toBe(1);
});

const plainText = { headline: null, description: null, displayUrl: null, finalUrl: null, adType: null };
