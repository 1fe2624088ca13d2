import { describe, expect, test } from 'vitest';
import { waitCauseOf, waitText, type Wait } from '../../../../../src/core/work/wait-cause.ts';

const now = new Date('2026-03-01T09:00:00Z');
const none: Wait = { cause: null, bound: null, source: null, reason: null, until: null };

describe('the text of a wait', () => {
  test.each<[Partial<Wait>, string]>([
    [
      { cause: 'day_spend', bound: '5 USD', reason: 'spent', until: new Date('2026-03-02T00:00:00Z') },
      'waiting (daily cap of 5 USD): until 00:00 UTC',
    ],
    [
      {
        cause: 'circuit_breaker',
        reason: 'serpapi gives no answer',
        until: new Date('2026-03-01T09:15:00Z'),
      },
      'waiting (circuit breaker): serpapi gives no answer, until 09:15 UTC',
    ],
    [
      { cause: 'pace', bound: '6 calls a minute', until: new Date('2026-03-01T09:00:10Z') },
      'waiting (configured pace of 6 calls a minute): until 09:00:10 UTC',
    ],
    [
      { reason: 'later', until: new Date('2026-03-03T10:00:00Z') },
      'waiting: later, until 2026-03-03 10:00 UTC',
    ],
    [{}, 'waiting'],
  ])('names cause, limit and end of %j', (wait, text) => {
    expect(waitText({ ...none, ...wait }, now)).toBe(text);
  });
});

describe('the cause of a stored wait', () => {
  test.each([
    ['day_calls', 'budget', 'day_calls'],
    [null, 'failing', 'circuit_breaker'],
    [null, 'unpaid', 'account_limit'],
    [null, 'budget', null],
    ['of_a_later_release', 'failing', 'circuit_breaker'],
    ['of_a_later_release', 'of_a_later_release', null],
    [null, null, null],
  ])('is read from %s and the kind %s as %s', (stored, kind, cause) => {
    expect(waitCauseOf(stored, kind)).toBe(cause);
  });
});
