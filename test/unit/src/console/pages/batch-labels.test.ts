import { describe, expect, test } from 'vitest';
import type { components } from '../../../../../examples/typescript-client/schema.ts';
import { entryLabel } from '../../../../../src/console/pages/batch/entry-label.ts';
import { waitReason } from '../../../../../src/console/pages/batch/wait-reason.ts';

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
const wait = { cause: null, label: null, bound: null, source: null, reason: null, until: null };
const batch: Batch = {
  id: 'bat_1',
  name: 'companies.csv',
  tags: [],
  origin: null,
  owner: null,
  archived_at: null,
  state: 'running',
  reason: null,
  file_name: 'list.csv',
  sheet: null,
  operations: ['ads_search'],
  sources: ['upstream'],
  ...{ region: null, surface: null, max_ads: null, own_only: false, max_age: null },
  rows: { total: 100, rejected: 0 },
  lookups,
  emails: { total: 0, valid: 0, invalid: 0, catch_all: 0, unknown: 0 },
  credits: { charged: 0, ceiling: 20 },
  ads_truncated: 0,
  limit: null,
  max_credits: null,
  max_spend: null,
  created_at: '2026-01-01T00:00:00.000Z',
  finished_at: null,
  purged_at: null,
  wait_kind: null,
  wait: null,
  wait_until: null,
  limit_reached: false,
};

describe('wait reason', () => {
  test.each<[string, Partial<Batch>, RegExp]>([
    ['a pause', { state: 'paused', reason: 'by request' }, /paused.*until you resume/],
    [
      'a reached row limit',
      { state: 'paused', limit: 10, limit_reached: true },
      /first 10 rows.*100 lookups/,
    ],
    [
      'a used-up budget',
      { state: 'waiting_for_credits', max_credits: 5, reason: 'its budget is used up (--max-credits)' },
      /budget is used up.*5 credits.*larger budget/,
    ],
    [
      'too few credits',
      { state: 'waiting_for_credits', reason: 'the balance is below …' },
      /automatically.*more credits/,
    ],
    [
      'a source that rejects the API key',
      { state: 'waiting_for_source', wait_kind: 'refused', reason: 'the key was refused' },
      /rejects the API key.*An operator must fix this.*the key was refused/,
    ],
    [
      'a source that rejects the requests',
      { state: 'waiting_for_source', wait_kind: 'declined', reason: 'it says "no plan"' },
      /rejects the requests.*An operator must fix this.*it says "no plan"/,
    ],
    [
      'an unpaid source',
      { state: 'waiting_for_source', wait_kind: 'unpaid' },
      /requires a payment.*Then resume/,
    ],
    [
      'a source that does not respond',
      { state: 'waiting_for_source', wait_kind: 'failing' },
      /does not respond.*retries automatically/,
    ],
    [
      'a daily limit',
      { state: 'waiting_for_source', wait_kind: 'budget' },
      /daily limit.*resumes automatically/,
    ],
    [
      'a rate limit',
      { state: 'waiting_for_source', wait_kind: 'blocked' },
      /rate limiting.*retries automatically/,
    ],
    [
      'the cap of a day',
      { state: 'waiting_for_source', wait_kind: 'budget', wait: { ...wait, label: 'daily cap of 5 USD' } },
      /daily limit.*resumes automatically.*Cause: daily cap of 5 USD/,
    ],
    [
      'the cap of the batch',
      {
        state: 'waiting_for_source',
        wait_kind: 'budget',
        wait: { ...wait, cause: 'batch_spend', label: 'cap per batch of 5 USD' },
      },
      /cap on the cost.*larger cap.*cap per batch of 5 USD/,
    ],
    [
      'a throttled source of a running batch',
      {
        wait: {
          ...wait,
          source: 'serpapi',
          label: 'rate limit of the source',
          reason: 'it asks us to slow down',
        },
      },
      /Calls to serpapi wait: rate limit of the source.*continues automatically.*slow down/,
    ],
    ['failed lookups', { state: 'finished', lookups: { ...lookups, failed: 1 } }, /1 lookup failed/],
    ['a cancellation', { state: 'cancelled' }, /cancelled.*kept.*upload the file again/],
    ['loading', { state: 'loading' }, /file is loading/],
  ])('explains %s and its remedy', (_case, changes, explanation) => {
    const wait = waitReason({ ...batch, ...changes });
    expect(`${wait?.title}. ${wait?.message}`).toMatch(explanation);
    expect(`${wait?.title} ${wait?.message}`).not.toMatch(/--|_/);
  });

  test('is null for a batch that runs, or finished without failures', () => {
    expect(waitReason(batch)).toBeNull();
    expect(waitReason({ ...batch, state: 'finished' })).toBeNull();
  });

  test('has the time of the next retry', () => {
    const until = '2026-01-01T01:00:00.000Z';
    const waits = { ...batch, state: 'waiting_for_source', wait_kind: 'failing', wait_until: until } as const;
    expect(waitReason(waits)?.until).toBe(until);
  });
});

describe('timeline entry', () => {
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
    [{ event: 'retried', reason: null, retried: 3 }, 'Retried: 3 lookups'],
    [{ event: 'waiting_for_source', reason: 'no answer' }, 'Waiting for source: no answer'],
  ])('%j has the label %j', (changes, label) => {
    expect(entryLabel({ ...entry, ...changes })).toBe(label);
  });
});
