import { describe, expect, test } from 'vitest';
import { createCompanyMappingStore } from '../../../db/stores/ads/company-mapping.ts';
import { createFreshAnswers } from '../../../db/stores/work/fresh-answers.ts';
import { createPurgeStore } from '../../../db/stores/purge/purge.ts';
import { createOutcomeStore } from '../../../db/stores/work/outcomes.ts';
import { createRequestStore } from '../../../db/stores/work/requests.ts';
import {
  anySearch,
  wholeExtent,
  type AdsAnswer,
  type SearchOptions,
} from '../../../src/core/ads/ads-answer.ts';
import { purge } from '../../../src/core/purge/purge.ts';
import type { LookupResult } from '../../../src/core/work/outcomes.ts';
import { ageRecord } from '../../support/db/age-record.ts';
import { unguarded } from '../../support/breakages/by-hand.ts';
import {
  begunId,
  callEnd,
  calledSource,
  newCall,
  openSourceCallLog,
} from '../../support/stand-in/call-logs.ts';
import { claimWork } from '../../support/queue/claimed-work.ts';
import { openTestDatabase, type TestDatabase } from '../../support/db/database.ts';
import { company, defaultAccountId } from '../../support/sources/snapshots.ts';
import { questionAbout } from '../../support/sources/plain-exchange.ts';
import { found } from '../../support/db/fixture.ts';
import { listFindings } from '../../support/db/findings.ts';

const dayMs = 86_400_000;
const never = new AbortController().signal;
const none: AdsAnswer = { kind: 'none', matchedBy: 'domain' };

describe('recent answer', () => {
  test.each<[string, AdsAnswer]>([
    ['ads', found(['cr-1', 'cr-2'])],
    ['no ads', none],
    ['no match', { kind: 'no_match' }],
  ])('is reused: %s', async (_, answer) => {
    const { ask, answered } = await openAnswers();
    const lookupId = await answered('a.com', answer);
    expect(await ask('a.com')).toEqual({ kind: 'repeated', lookupId });
    expect(await ask('b.com')).toBeNull();
  });

  test('is the latest one, of a batch or a single search', async () => {
    const { database, ask, answered, searched } = await openAnswers();
    const first = await answered('a.com', found(['cr-1']));
    expect(await ask('a.com')).toMatchObject({ lookupId: first });
    const second = await searched('a.com', found(['cr-2']));
    expect(await ask('a.com')).toMatchObject({ lookupId: second });
    await age(database, second, 2 * dayMs);
    expect(await ask('a.com')).toMatchObject({ lookupId: first });
  });

  test('is returned in the position of its company among many', async () => {
    const { ask, answered, source } = await openAnswers();
    const lookupId = await answered('a.com', found(['cr-1']));
    const domains = ['b.com', 'a.com', 'c.com', 'a.com'];
    const repeated = { kind: 'repeated', lookupId };
    const questions = domains.map((domain) => questionAbout(company({ domain })));
    expect(await source().findAds(questions, never)).toEqual([null, repeated, null, repeated]);
    expect(await ask('a.com')).toEqual(repeated);
  });

  test('that was reused keeps the age of the original answer', async () => {
    const { database, ask, answered, repeat } = await openAnswers();
    const lookupId = await answered('a.com', found(['cr-1']));
    await age(database, lookupId, 0.9 * dayMs);
    await repeat('a.com', lookupId);
    expect(await ask('a.com')).toMatchObject({ lookupId });
    await age(database, lookupId, 0.2 * dayMs);
    expect(await ask('a.com')).toBeNull();
  });
});

describe('an answer is not reused', () => {
  test('if it is older than max_age', async () => {
    const { database, ask, answered } = await openAnswers();
    const lookupId = await answered('a.com', found(['cr-1']));
    await age(database, lookupId, 0.9 * dayMs);
    expect(await ask('a.com')).toMatchObject({ lookupId });
    await age(database, lookupId, 0.2 * dayMs);
    expect(await ask('a.com')).toBeNull();
    expect(await ask('a.com', { ageMsMax: 2 * dayMs })).toMatchObject({ lookupId });
  });

  test('for another account', async () => {
    const { database, ask, answered } = await openAnswers();
    await answered('a.com', found(['cr-1']));
    const other = await database.owner.pool.query<{ id: string }>(
      `INSERT INTO nightshift.accounts (name) VALUES ('other') RETURNING id`,
    );
    expect(await ask('a.com', {}, { accountId: Number(other.rows[0]?.id) })).toBeNull();
  });

  test.each<[string, Partial<SearchOptions>]>([
    ['in one country', { region: 'DE' }],
    ['on one surface', { surface: 'MAPS' }],
    ['with max_ads', { adsMax: 5 }],
    ['of the company’s own ads only', { ownOnly: true }],
  ])('for a search %s if it came from another search, nor vice versa', async (_, search) => {
    const { ask, searched } = await openAnswers();
    const plain = await searched('a.com', found(['cr-1']));
    const special = await searched('b.com', found(['cr-1']), search);
    expect(await ask('a.com', search)).toBeNull();
    expect(await ask('b.com')).toBeNull();
    expect(await ask('a.com')).toMatchObject({ lookupId: plain });
    expect(await ask('b.com', search)).toMatchObject({ lookupId: special });
  });

  test('if the source that found the ads is not selected', async () => {
    const { ask, answered } = await openAnswers();
    const lookupId = await answered('a.com', found(['cr-1']), { source: 'serpapi' });
    expect(await ask('a.com', {}, { sources: ['upstream'] })).toBeNull();
    expect(await ask('a.com', {}, { sources: ['upstream', 'serpapi'] })).toMatchObject({ lookupId });
  });

  test.each([none, { kind: 'no_match' }] satisfies AdsAnswer[])(
    'if it is $kind, and a selected source has not confirmed it',
    async (answer) => {
      const { ask, answered } = await openAnswers();
      const reported = (source: string) => ({ source, reported: answer.kind });
      const one = await answered('a.com', answer, { asked: [reported('upstream')] });
      const both = await answered('b.com', answer, { asked: [reported('snapshot'), reported('upstream')] });
      const failed = { source: 'serpapi', reported: 'source_unavailable' as const };
      await answered('c.com', answer, { asked: [failed, reported('upstream')] });
      const sources = ['snapshot', 'upstream'];
      expect(await ask('a.com', {}, { sources })).toBeNull();
      expect(await ask('a.com')).toMatchObject({ lookupId: one });
      expect(await ask('b.com', {}, { sources })).toMatchObject({ lookupId: both });
      expect(await ask('c.com', {}, { sources: ['serpapi', 'upstream'] })).toBeNull();
    },
  );

  test('if it was purged, and a reuse fails if it is purged meanwhile', async () => {
    const { database, ask, answered, searched, repeat } = await openAnswers();
    const ofBatch = await answered('a.com', found(['cr-1']));
    const ofRequest = await searched('b.com', found(['cr-2']));
    const month = { ageMsMax: 30 * dayMs };
    await ageRecord(database, 3);
    await database.owner.pool.query(
      'UPDATE nightshift.batches SET state = $$finished$$, finished_at = now() - interval $$3 days$$',
    );
    expect(await ask('a.com', month)).toMatchObject({ lookupId: ofBatch });
    expect(await ask('b.com', month)).toMatchObject({ lookupId: ofRequest });
    const orders = (['batches', 'searches'] as const).map((kind) => ({ kind, ageMs: 2 * dayMs }));
    await purge(createPurgeStore(database.app.sql), { orders });
    expect(await ask('a.com', month)).toBeNull();
    expect(await ask('b.com', month)).toBeNull();
    for (const lookupId of [ofBatch, ofRequest])
      await expect(repeat('c.com', lookupId)).rejects.toThrow('is gone');
  });

  test('if the mapping of the company changed since', async () => {
    const { database, ask, answered } = await openAnswers();
    await answered('a.com', found(['cr-1']));
    const b = await answered('b.com', found(['cr-1']));
    const mapped = { companyKey: 'd:a.com', advertiserId: 'google:AR-1', role: 'deny' as const, note: null };
    await createCompanyMappingStore(database.app.sql).map(defaultAccountId, [mapped], {
      actor: 'cli',
      address: null,
    });
    expect(await ask('a.com')).toBeNull();
    expect(await ask('b.com')).toMatchObject({ lookupId: b });
    const again = await answered('a.com', found(['cr-1']));
    expect(await ask('a.com')).toMatchObject({ lookupId: again });
  });

  test('if the mapping of the company changed during its calls', async () => {
    const { database, ask, answered } = await openAnswers();
    const lookupId = await answered('a.com', found(['cr-1']));
    const callId = begunId(
      await openSourceCallLog(database).begin(calledSource('upstream'), newCall(lookupId)),
    );
    await openSourceCallLog(database).end(calledSource('upstream'), callId, callEnd());
    await database.owner.pool.query(
      `UPDATE nightshift.source_calls SET sent_at = sent_at - interval '1 hour'`,
    );
    expect(await ask('a.com')).toMatchObject({ lookupId });
    await database.owner.pool.query(
      `INSERT INTO nightshift.company_mapping_changes VALUES (${defaultAccountId}, 'd:a.com', now() - interval '59 minutes')`,
    );
    expect(await ask('a.com')).toBeNull();
  });

  test('for own ads of a company with another name', async () => {
    const { database, source, searched } = await openAnswers();
    const lookupId = await searched('a.com', found(['cr-1']), { ownOnly: true });
    const plain = await searched('b.com', found(['cr-1']));
    await database.owner.pool.query(
      unguarded(
        'lookups',
        `UPDATE nightshift.lookups SET company_name = 'Acme' WHERE request_id IS NOT NULL`,
      ),
    );
    const askAs = (domain: string, name: string | null, ownOnly: boolean) =>
      source({ ownOnly }).findAds([questionAbout({ key: `d:${domain}`, domain, name })], never);
    expect(await askAs('a.com', 'Acme', true)).toEqual([{ kind: 'repeated', lookupId }]);
    expect(await askAs('a.com', 'Other', true)).toEqual([null]);
    expect(await askAs('a.com', null, true)).toEqual([null]);
    expect(await askAs('b.com', 'Other', false)).toEqual([{ kind: 'repeated', lookupId: plain }]);
  });

  test('if it is partial', async () => {
    const { ask, answered } = await openAnswers();
    const ads = found(['cr-1']);
    if (ads.kind !== 'found') throw new Error('Nothing was found.');
    await answered('a.com', { ...ads, extent: { ...wholeExtent, partial: true } });
    expect(await ask('a.com')).toBeNull();
  });

  test('if the lookup failed or is still open', async () => {
    const { database, ask, answered } = await openAnswers();
    await answered('a.com', { kind: 'failed', reason: 'source_unavailable' });
    await claimWork(database.app, ['b.com'], { fileName: 'open.csv' });
    expect([await ask('a.com'), await ask('b.com')]).toEqual([null, null]);
  });
});

test('a reused answer is identical, free and dated, and every invariant holds', async () => {
  const { database, answered, repeat } = await openAnswers();
  const ads = found(['cr-1', 'cr-2']);
  if (ads.kind !== 'found') throw new Error('Nothing was found.');
  const extent = { partial: false, truncated: true, estimate: { low: 10, high: 20 } };
  const relations = new Map([['google:AR-1', 'third_party'] as const]);
  const first = await answered('a.com', { ...ads, extent, relations });
  await age(database, first, 3_600_000);
  const again = await repeat('a.com', first);
  const [earlier, repeated] = await Promise.all([readLookup(database, first), readLookup(database, again)]);
  expect(repeated).toEqual({
    ...earlier,
    charged_micro: '0',
    repeats: String(first),
    observed_at: earlier?.['ended_at'],
    ended_at: repeated?.['ended_at'],
    asked: [{ source: 'store', reported: 'repeated' }],
  });
  expect(earlier).toMatchObject({ charged_micro: '200000', truncated: true, estimate_high: '20' });
  expect(await readLinks(database, again)).toEqual(await readLinks(database, first));
  expect(await readLinks(database, again)).toMatchObject([{ relation: 'third_party' }, {}]);
  expect(await listFindings(database)).toEqual([]);
});

interface AnsweredBy {
  readonly source?: string;
  readonly asked?: LookupResult['asked'];
}

async function openAnswers() {
  const database = await openTestDatabase();
  let lists = 0;
  const commit = async (domain: string, result: Omit<LookupResult, 'lookupId'>) => {
    lists += 1;
    const { claims } = await claimWork(database.app, [domain], { fileName: `list-${lists}.csv` });
    const [claim] = claims;
    const lookupId = claim?.lookups[0]?.lookupId;
    if (claim === undefined || lookupId === undefined) throw new Error('Nothing was claimed.');
    await createOutcomeStore(database.app.sql).commit(claim, [{ lookupId, ...result }]);
    return lookupId;
  };
  /** An answered company of a batch. */
  const answered = (
    domain: string,
    answer: LookupResult['answer'],
    { source = 'upstream', asked = [{ source, reported: reportedOf(answer) }] }: AnsweredBy = {},
  ) => commit(domain, { source, answer, asked });
  /** The same answer, reused from an earlier lookup. */
  const repeat = (domain: string, lookupId: bigint) =>
    commit(domain, {
      source: 'store',
      answer: { kind: 'repeated', lookupId },
      asked: [{ source: 'store', reported: 'repeated' }],
    });
  const source = (
    search: Partial<SearchOptions> = {},
    changes: { accountId?: number; sources?: string[] } = {},
  ) =>
    createFreshAnswers(database.app.sql, {
      accountId: defaultAccountId,
      sources: ['upstream'],
      search: { ...anySearch, ageMsMax: dayMs, ...search },
      ...changes,
    });
  const ask = async (domain: string, ...asker: Parameters<typeof source>) =>
    (await source(...asker).findAds([questionAbout(company({ domain }))], never))[0];
  const searched = (domain: string, answer: AdsAnswer, search: Partial<SearchOptions> = {}) =>
    answerRequest(database, domain, answer, search);
  return { database, answered, repeat, source, ask, searched };
}

function reportedOf(answer: LookupResult['answer']): NonNullable<LookupResult['asked']>[number]['reported'] {
  if (answer.kind === 'failed') return 'source_unavailable';
  if (answer.kind === 'completed') throw new Error('Companies are looked up here.');
  return answer.kind;
}

/** Answers a single search. */
async function answerRequest(
  database: TestDatabase,
  domain: string,
  answer: AdsAnswer,
  search: Partial<SearchOptions>,
): Promise<bigint> {
  await claimWork(database.app, [`credits-for-${domain}`], { fileName: `${domain}.csv` });
  const requests = createRequestStore(database.app.sql);
  const claim = await requests.open(
    {
      accountId: defaultAccountId,
      company: company({ domain }),
      sources: ['upstream'],
      search: Object.keys(search).length === 0 ? anySearch : { ...anySearch, ...search },
      via: [],
      requestId: `req_${domain}`,
    },
    60_000,
  );
  const lookupId = claim.lookups[0]?.lookupId ?? 0n;
  await requests.answer(claim, { lookupId, source: 'upstream', answer }, null);
  return lookupId;
}

/** Backdates an answer by this much. */
async function age({ owner }: TestDatabase, lookupId: bigint, byMs: number): Promise<void> {
  await owner.pool.query(
    unguarded(
      'lookups',
      `UPDATE nightshift.lookups SET ended_at = ended_at - ${byMs} * interval '1 millisecond' WHERE id = ${lookupId}`,
    ),
  );
  await owner.pool.query(
    `UPDATE nightshift.chunks SET first_ended_at = first_ended_at - ${byMs} * interval '1 millisecond',
      last_ended_at = last_ended_at - ${byMs} * interval '1 millisecond' WHERE first_lookup_id = ${lookupId}`,
  );
}

async function readLookup({ app }: TestDatabase, lookupId: bigint) {
  const { rows } = await app.pool.query<Record<string, unknown>>(
    `SELECT subject_key, outcome, reason, source, matched_by, ads_count, charged_micro, partial, truncated, estimate_low,
      estimate_high, repeats, observed_at, ended_at, source_results AS asked FROM nightshift.all_lookups WHERE id = $1`,
    [String(lookupId)],
  );
  return rows[0];
}

async function readLinks({ app }: TestDatabase, lookupId: bigint): Promise<readonly unknown[]> {
  const { rows } = await app.pool.query<Record<string, unknown>>(
    `SELECT position, version_id, start, last_seen, relation FROM nightshift.lookup_ads WHERE lookup_id = $1 ORDER BY position`,
    [String(lookupId)],
  );
  return rows;
}
