import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openFolderStorage } from '../../../src/adapters/storage/folder.ts';
import {
  openFolderSegments,
  openObjectSegments,
  type SegmentsOptions,
} from '../../../src/adapters/storage/call-segments.ts';
import { listPaths } from '../../../src/backup/archive-files.ts';
import { readCalls } from '../../../src/backup/read-calls.ts';
import type { CallArchive, CallRecord } from '../../../src/core/backup/call-records.ts';
import { readReplayDay, replayCalls } from '../../../db/backup/replay-calls.ts';
import { openTestDatabase, type TestDatabase } from '../../support/db/database.ts';
import { claimWork } from '../../support/queue/claimed-work.ts';
import {
  begunId,
  calledSource,
  callEnd,
  newCall,
  openSourceCallLog,
} from '../../support/stand-in/call-logs.ts';

const source = calledSource('upstream');
const { signal } = new AbortController();
const now = () => Promise.resolve(new Date());
/** Options of segments in a folder that is always there. */
const usable = { now, assertUsable: () => Promise.resolve() };

async function openFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'nightshift-calls-test-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

async function readAll(path: string, since = '2000-01-01'): Promise<readonly CallRecord[]> {
  const storage = openFolderStorage({ kind: 'folder', path });
  const records: CallRecord[] = [];
  for await (const page of readCalls(storage, { paths: await listPaths(storage, signal), since, signal }))
    records.push(...page);
  return records;
}

/** A database with an archive in its settings, an open lookup, and the log of a process. */
async function openArchived(archive: CallArchive) {
  const database = await openTestDatabase();
  const { claims } = await claimWork(database.app, ['a.com']);
  const [lookupId = 0n] = claims.flatMap((claim) => claim.lookups.map((lookup) => lookup.lookupId));
  await database.owner.pool.query(
    `INSERT INTO nightshift.archive (location, keep, version, has_backups) VALUES ('{}', 7, 5, false)`,
  );
  const archives = { at: (version: number | null) => Promise.resolve(version === 5 ? archive : null) };
  const { rows } = await database.owner.pool.query<{ id: string }>(
    'SELECT min(id) AS id FROM nightshift.accounts',
  );
  const caller = { accountId: Number(rows[0]?.id), limits: null, isSearch: false };
  const call = newCall(lookupId, { caller });
  return { database, call, log: openSourceCallLog(database, { archives }) };
}

async function countCalls({ owner }: TestDatabase): Promise<readonly unknown[]> {
  const { rows } = await owner.pool.query<{ answer: string | null }>(
    'SELECT answer FROM nightshift.source_calls ORDER BY id',
  );
  return rows.map(({ answer }) => answer);
}

describe('the archive of calls', () => {
  test('has a call before it is sent, and its reply when it has come', async () => {
    const path = await openFolder();
    const archive = openFolderSegments({ kind: 'folder', path }, usable);
    onTestFinished(archive.close);
    const { log, call } = await openArchived(archive);
    const callId = begunId(await log.begin(source, call));
    expect(await readAll(path)).toMatchObject([
      {
        call: callId,
        lookupId: call.lookupId,
        accountId: call.caller.accountId,
        source: 'upstream',
        about: call.about,
        unitsMax: 1,
      },
    ]);
    await log.end(source, callId, callEnd({ reply: '{"ads":[]}' }));
    expect((await readAll(path))[1]).toMatchObject({ call: callId, answer: 'found', units: 1 });
  });

  test('that cannot be written lets no call be sent, and says why', async () => {
    const failing: CallArchive = {
      record: () => Promise.reject(new Error('the disk is full')),
      now,
      close: async () => {},
    };
    const { database, log, call } = await openArchived(failing);
    const begun = await log.begin(source, call);
    expect(begun).toMatchObject({
      kind: 'paused',
      pause: { cause: 'archive', reason: 'calls cannot be recorded in the archive: the disk is full' },
    });
    expect(await countCalls(database)).toEqual(['not_sent']);
  });

  test('has the clock of the database, not that of a machine that is wrong by a day', async () => {
    const path = await openFolder();
    const archive = openFolderSegments(
      { kind: 'folder', path },
      { ...usable, now: () => Promise.resolve(new Date('2026-03-04T05:06:07Z')) },
    );
    onTestFinished(archive.close);
    const { log, call } = await openArchived(archive);
    await log.end(source, begunId(await log.begin(source, call)), callEnd({ reply: 'x' }));
    expect(await readdir(join(path, 'calls'))).toEqual(['2026-03-04']);
    expect(await readAll(path)).toMatchObject([
      { begunAt: '2026-03-04T05:06:07.000Z' },
      { endedAt: '2026-03-04T05:06:07.000Z' },
    ]);
  });

  test('of another version of the settings is opened before the next call', async () => {
    const records: (readonly CallRecord[])[] = [];
    const archive: CallArchive = {
      record: async (some) => void records.push(some),
      now,
      close: async () => {},
    };
    const { database, log, call } = await openArchived(archive);
    await database.owner.pool.query('DELETE FROM nightshift.archive');
    await log.begin(source, call);
    expect(records).toEqual([]);
  });

  test('in a bucket has an object for each write', async () => {
    const path = await openFolder();
    const archive = await openObjectSegments(openFolderStorage({ kind: 'folder', path }), usable);
    onTestFinished(archive.close);
    const { log, call } = await openArchived(archive);
    const callId = begunId(await log.begin(source, call));
    await log.end(source, callId, callEnd({ reply: 'x' }));
    expect((await readAll(path)).map((record) => record.call)).toEqual([callId, callId]);
    const [day = ''] = await readdir(join(path, 'calls'));
    expect(await readdir(join(path, 'calls', day))).toHaveLength(2);
  });

  test('in a folder that is not the archive any more creates nothing there', async () => {
    const path = await openFolder();
    const archive = openFolderSegments(
      { kind: 'folder', path },
      { now, assertUsable: () => Promise.reject(new Error('its disk is not mounted')) },
    );
    const { log, call } = await openArchived(archive);
    expect(await log.begin(source, call)).toMatchObject({
      kind: 'paused',
      pause: { reason: 'calls cannot be recorded in the archive: its disk is not mounted' },
    });
    expect(await readdir(path)).toEqual([]);
  });

  test.each<[string, (path: string, options: SegmentsOptions) => CallArchive | Promise<CallArchive>]>([
    ['folder', (path, options) => openFolderSegments({ kind: 'folder', path }, options)],
    ['bucket', (path, options) => openObjectSegments(openFolderStorage({ kind: 'folder', path }), options)],
  ])('in a %s that another server took over gets no more calls after a minute', async (_, open) => {
    const path = await openFolder();
    let elapsedMs = 0;
    let owner = 'ours';
    const archive = await open(path, {
      now,
      monotonicMs: () => elapsedMs,
      assertUsable: () =>
        owner === 'ours' ? Promise.resolve() : Promise.reject(new Error('that of another server')),
    });
    onTestFinished(archive.close);
    const { log, call } = await openArchived(archive);
    const first = begunId(await log.begin(source, call));
    owner = 'theirs';
    elapsedMs = 60_000;
    expect(await log.begin(source, call)).toMatchObject({
      kind: 'paused',
      pause: { reason: 'calls cannot be recorded in the archive: that of another server' },
    });
    expect((await readAll(path)).map((record) => record.call)).toEqual([first]);
    owner = 'ours';
    const next = begunId(await log.begin(source, call));
    expect((await readAll(path)).map((record) => record.call)).toContain(next);
  });

  test('is read while its writer goes on, as far as it was then', async () => {
    const path = await openFolder();
    const archive = openFolderSegments({ kind: 'folder', path }, usable);
    onTestFinished(archive.close);
    const { log, call } = await openArchived(archive);
    const first = begunId(await log.begin(source, call));
    const storage = openFolderStorage({ kind: 'folder', path });
    const paths = await listPaths(storage, signal);
    const [listed] = await Promise.all(paths.map((each) => storage.find(each, signal)));
    await log.begin(source, call);
    const growing = { ...storage, find: () => Promise.resolve(listed ?? null) };
    const records: CallRecord[] = [];
    for await (const page of readCalls(growing, { paths, since: '2000-01-01', signal }))
      records.push(...page);
    expect(records.map((record) => record.call)).toEqual([first]);
  });

  test('is read from a day on, and without the last line of a killed writer', async () => {
    const path = await openFolder();
    const archive = openFolderSegments({ kind: 'folder', path }, usable);
    onTestFinished(archive.close);
    const { log, call } = await openArchived(archive);
    await log.begin(source, call);
    await log.begin(source, call);
    const [day = ''] = await readdir(join(path, 'calls'));
    const [name = ''] = await readdir(join(path, 'calls', day));
    const file = join(path, 'calls', day, name);
    await writeFile(file, (await readFile(file, 'utf8')).slice(0, -10));
    expect(await readAll(path)).toHaveLength(1);
    expect(await readAll(path, '2100-01-01')).toEqual([]);
  });
});

describe('calls after a restore', () => {
  const reply = { hash: Buffer.alloc(32, 7), body: Buffer.from('packed') };

  async function replay(database: TestDatabase, records: readonly CallRecord[]) {
    return replayCalls(database.url, async function* () {
      yield records;
    });
  }

  function recordsOf(
    call: Awaited<ReturnType<typeof openArchived>>['call'],
    id: bigint,
  ): readonly CallRecord[] {
    const begunAt = new Date().toISOString();
    return [
      {
        ...call,
        call: id,
        accountId: call.caller.accountId,
        begunAt,
        source: 'upstream',
        bucket: source.bucket,
      },
      { call: id, endedAt: begunAt, answer: 'found', units: 1, charged: 0.5, reply },
    ];
  }

  const noArchive: CallArchive = { record: async () => {}, now, close: async () => {} };

  test('are those of their lookups, where the lookups exist', async () => {
    const { database, call } = await openArchived(noArchive);
    expect(await replay(database, recordsOf(call, 77n))).toEqual({ calls: 1, answered: 1 });
    const { rows } = await database.owner.pool.query(
      `SELECT c.id, c.lookup_id = $1 AND c.account_id = $2 AS ours, c.answer, c.source_charge, r.body FROM nightshift.source_calls c
        JOIN nightshift.raw_responses r ON r.hash = c.response_hash`,
      [String(call.lookupId), call.caller.accountId],
    );
    expect(rows).toEqual([{ id: '77', ours: true, answer: 'found', source_charge: '0.5', body: reply.body }]);
  });

  test('complete a call that was in flight at the restored moment, and change no other', async () => {
    const { database, call, log } = await openArchived(noArchive);
    const open = begunId(await log.begin(source, call));
    const over = begunId(await log.begin(source, call));
    await log.end(source, over, callEnd({ answer: 'none' }));
    const records = [...recordsOf(call, open), ...recordsOf(call, over)];
    expect(await replay(database, records)).toEqual({ calls: 0, answered: 1 });
    expect(await countCalls(database)).toEqual(['found', 'none']);
  });

  test('without their lookups are given to one lookup that makes an equal call', async () => {
    const { database, call, log } = await openArchived(noArchive);
    const lost = { ...call, lookupId: 5_000_000n };
    await replay(database, [...recordsOf(lost, 77n), ...recordsOf({ ...lost, about: 'ads of b.com' }, 78n)]);
    expect(await log.adopt(calledSource('other'), call)).toBeNull();
    expect(
      await log.adopt(source, { ...call, caller: { ...call.caller, accountId: call.caller.accountId + 1 } }),
    ).toBeNull();
    const adopted = await log.adopt(source, call);
    expect(adopted).toMatchObject({ source: 'upstream', about: call.about, state: 'kept' });
    expect(await log.adopt(source, call)).toBeNull();
    const { rows } = await database.owner.pool.query('SELECT id, account_id FROM nightshift.source_calls');
    expect(rows).toEqual([{ id: '77', account_id: String(call.caller.accountId) }]);
  });

  test('that a lookup got stay with it after another restore, and count once', async () => {
    const { database, call, log } = await openArchived(noArchive);
    const records = recordsOf({ ...call, lookupId: 5_000_000n }, 77n);
    await replay(database, records);
    expect(await log.adopt(source, call)).toMatchObject({ callId: 77n });
    expect(await replay(database, records)).toEqual({ calls: 0, answered: 0 });
    expect(await log.adopt(source, call)).toBeNull();
    const { rows } = await database.owner.pool.query('SELECT day_calls FROM nightshift.source_states');
    expect(rows).toEqual([{ day_calls: 1 }]);
  });

  test('that a lookup gets cost its batch what the source charged', async () => {
    const { database, call, log } = await openArchived(noArchive);
    const { pool } = database.owner;
    await pool.query(
      `INSERT INTO nightshift.batch_spending (batch_id, amount, currency, spent)
        SELECT l.batch_id, 100, 'USD', 2 FROM nightshift.all_lookups l WHERE l.id = $1`,
      [String(call.lookupId)],
    );
    const lost = { ...call, lookupId: 5_000_000n };
    const [unanswered] = recordsOf({ ...lost, about: 'ads of b.com' }, 78n);
    if (unanswered === undefined) throw new Error('no record');
    await replay(database, [...recordsOf(lost, 77n), unanswered]);
    await log.adopt(source, call);
    // Without an answer, it counts as cut off.
    await log.adopt(source, { ...call, about: 'ads of b.com' });
    const { rows } = await pool.query(
      'SELECT spent::float, nightshift.spent_by_batch(batch_id)::float AS summed FROM nightshift.batch_spending',
    );
    expect(rows).toEqual([{ spent: 0.5, summed: 0.5 }]);
  });

  test('whose answers are lost are adopted as lost, and those that cost nothing are dropped', async () => {
    const { database, call, log } = await openArchived(noArchive);
    const lost = { ...call, lookupId: 5_000_000n };
    const [begun] = recordsOf(lost, 77n);
    const [other, end] = recordsOf({ ...lost, about: 'free' }, 78n);
    if (begun === undefined || other === undefined || end === undefined) throw new Error('no records');
    await replay(database, [begun, other, { ...end, answer: 'source_unavailable' }]);
    expect(await log.adopt(source, { ...call, about: 'free' })).toBeNull();
    expect(await log.adopt(source, call)).toMatchObject({ state: 'lost' });
  });

  test('count towards the limits of the day and the cost of the batch, also without their lookups', async () => {
    const { database, call, log } = await openArchived(noArchive);
    const { pool } = database.owner;
    await log.end(source, begunId(await log.begin(source, call)), callEnd({ answer: 'none', units: 1 }));
    await pool.query(
      `INSERT INTO nightshift.source_prices (source, effective_from, amount, currency, unit)
        VALUES ('upstream', now() - interval '1 day', 2, 'USD', 'call')`,
    );
    await pool.query(
      'INSERT INTO nightshift.account_source_limits (account_id, source, calls_per_day) VALUES ($1, $2, 9)',
      [call.caller.accountId, 'upstream'],
    );
    await pool.query(
      `INSERT INTO nightshift.batch_spending (batch_id, amount, currency, spent)
        SELECT l.batch_id, 100, 'USD', 0 FROM nightshift.all_lookups l WHERE l.id = $1`,
      [String(call.lookupId)],
    );
    const lost = { ...call, lookupId: 5_000_000n };
    const [unanswered] = recordsOf({ ...lost, about: 'ads of b.com' }, 79n);
    if (unanswered === undefined) throw new Error('no record');
    await replay(database, [...recordsOf(call, 77n), ...recordsOf(lost, 78n), unanswered]);
    const { rows } = await pool.query(
      `SELECT s.day_calls, a.day_calls AS of_account, b.spent::float AS of_batch,
          nightshift.spent_on_day(s.bucket, (now() AT TIME ZONE 'UTC')::date)::float AS of_day
        FROM nightshift.source_states s, nightshift.account_source_limits a, nightshift.batch_spending b`,
    );
    // Two calls cost what the source reported, 0.5; one costs its price, and so may the one without an answer.
    expect(rows).toEqual([{ day_calls: 4, of_account: 4, of_batch: 2.5, of_day: 5 }]);
  });

  test('are read from the day on from which the record may not know them', async () => {
    const { database, call, log } = await openArchived(noArchive);
    const { pool } = database.owner;
    const day = () => readReplayDay(database.url);
    expect(await day()).toBe('0000-00-00');
    // The clock was ahead when the last call was sent, or a restore was killed between begins and ends.
    await log.end(source, begunId(await log.begin(source, call)), callEnd({ answer: 'none', units: 1 }));
    await pool.query("UPDATE nightshift.source_calls SET sent_at = '2026-11-20 12:00Z'");
    expect(await day()).toBe('2026-11-19');
    const [begun] = recordsOf({ ...call, lookupId: 5_000_000n }, 77n);
    if (begun === undefined) throw new Error('no record');
    await replay(database, [begun]);
    await pool.query("UPDATE nightshift.restored_calls SET sent_at = '2026-11-17 12:00Z'");
    expect(await day()).toBe('2026-11-17');
  });

  test('keep their ids and those of their lookups from being used again, and stop the archiving', async () => {
    const { database, call, log } = await openArchived(noArchive);
    await replay(database, recordsOf({ ...call, lookupId: 5_000_500n }, 70_000n));
    expect(begunId(await log.begin(source, call))).toBeGreaterThan(70_000n);
    const { rows } = await database.owner.pool.query(
      "SELECT nextval('nightshift.lookup_id_blocks')::integer AS id",
    );
    expect(rows[0]).toEqual({ id: 5_002_000 });
    expect((await database.owner.pool.query('SELECT FROM nightshift.archive')).rowCount).toBe(0);
  });
});
