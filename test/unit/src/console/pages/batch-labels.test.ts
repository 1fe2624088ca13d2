import { describe, expect, test } from 'vitest';
import type { components } from '../../../../../examples/typescript-client/schema.ts';
import { entryLabels } from '../../../../../src/console/pages/batch/entry-labels.ts';
import { whyItStands } from '../../../../../src/console/pages/batch/wait-reason.ts';

type Batch = components['schemas']['Batch'];
type Entry = components['schemas']['TimelineEntry'];

const lookups = {
  total: 100,
  found: 0,
  none: 0,
  no_match: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
  open: 100,
};
const batch: Batch = {
  id: 'bat_1',
  state: 'running',
  reason: null,
  file_name: 'list.csv',
  operations: ['ads_search'],
  sources: ['upstream'],
  rows: { total: 100, rejected: 0 },
  lookups,
  emails: { total: 0, valid: 0, invalid: 0, catch_all: 0, unknown: 0 },
  credits: { charged: 0, ceiling: 20 },
  ads_truncated: 0,
  limit: null,
  max_credits: null,
  created_at: '2026-01-01T00:00:00.000Z',
  finished_at: null,
  purged_at: null,
  wait_kind: null,
  wait_until: null,
  limit_reached: false,
};

describe('why a list stands as it does', () => {
  test.each<[string, Partial<Batch>, RegExp]>([
    ['paused', { state: 'paused', reason: 'by request' }, /paused.*until you go on/],
    ['its limit reached', { state: 'paused', limit: 10, limit_reached: true }, /first 10 rows.*100 lookups/],
    [
      'a budget used up',
      { state: 'waiting_for_credits', max_credits: 5, reason: 'its budget is used up (--max-credits)' },
      /budget is used up.*5 credits.*larger budget/,
    ],
    [
      'no credits left',
      { state: 'waiting_for_credits', reason: 'the balance is below …' },
      /by itself.*more credits/,
    ],
    [
      'a source that refuses',
      { state: 'waiting_for_source', wait_kind: 'refused', reason: 'the key was refused' },
      /refuses our key.*Whoever runs this.*the key was refused/,
    ],
    [
      'a source that declines each question',
      { state: 'waiting_for_source', wait_kind: 'declined', reason: 'it says "no plan"' },
      /declines what we ask.*Whoever runs this.*it says "no plan"/,
    ],
    [
      'a source to be paid',
      { state: 'waiting_for_source', wait_kind: 'unpaid' },
      /wants to be paid.*then go on/,
    ],
    [
      'a source without answers',
      { state: 'waiting_for_source', wait_kind: 'failing' },
      /no answers.*by itself/,
    ],
    ['a source that is used up', { state: 'waiting_for_source', wait_kind: 'budget' }, /used up for today/],
    ['a source that asks for time', { state: 'waiting_for_source', wait_kind: 'blocked' }, /asks us to wait/],
    ['failed lookups', { state: 'finished', lookups: { ...lookups, failed: 1 } }, /1 lookup failed/],
    ['cancelled', { state: 'cancelled' }, /cancelled.*stays/],
    ['loading', { state: 'loading' }, /being read in/],
  ])('%s: why, and what to do', (_case, changes, reported) => {
    const why = whyItStands({ ...batch, ...changes });
    expect(`${why?.title}. ${why?.words}`).toMatch(reported);
    expect(`${why?.title} ${why?.words}`).not.toMatch(/--|_/);
  });

  test('one that runs, or is done without a failure, needs no words', () => {
    expect(whyItStands(batch)).toBeNull();
    expect(whyItStands({ ...batch, state: 'finished' })).toBeNull();
  });

  test('says when it is tried again', () => {
    const until = '2026-01-01T01:00:00.000Z';
    const waits = { ...batch, state: 'waiting_for_source', wait_kind: 'failing', wait_until: until } as const;
    expect(whyItStands(waits)?.until).toBe(until);
  });
});

describe('an entry of a timeline', () => {
  const entry: Entry = {
    event: 'paused',
    at: '2026-01-01T00:00:00.000Z',
    reason: 'by request',
    wait_kind: null,
    by: null,
    by_name: null,
    retried: null,
    times: 1,
    last_at: '2026-01-01T00:00:00.000Z',
    ended_at: null,
  };
  test.each<[Partial<Entry>, string]>([
    [{}, 'Paused'],
    [{ by: 'usr_1', by_name: 'jane@example.com' }, 'Paused by jane@example.com'],
    [{ by: 'cli' }, 'Paused by the command line'],
    [{ by: 'key_1' }, 'Paused by key_1'],
    [{ reason: 'the first 10 rows are done (--limit)' }, 'Paused: the first 10 rows are done'],
    [{ event: 'retried', reason: null, retried: 3 }, 'Tried again: 3 failed lookups'],
    [{ event: 'waiting_for_source', reason: 'no answer' }, 'Began to wait for its source: no answer'],
  ])('%j is %j', (changes, words) => {
    expect(entryLabels({ ...entry, ...changes })).toBe(words);
  });
});
