import { describe, expect, test } from 'vitest';
import { Problem, problemKinds, secondsOf, toProblem } from '../../../../../src/api/http/problem.ts';
import { toProblemBody } from '../../../../../src/api/http/problem-schema.ts';
import * as errors from '../../../../../src/core/errors.ts';

/** Text for operators that callers must not see. */
const forOperators = 'NIGHTSHIFT_UPSTREAM_URL at http://10.0.0.7:5432 password=hunter2';

/** Every expected error with its status and code, and whether it has a Retry-After. */
const table: readonly (readonly [
  errors.EnrichError,
  { readonly status: number; readonly code: string; readonly retries: boolean },
])[] = [
  [new errors.ValidationError(forOperators), { status: 400, code: 'validation_error', retries: false }],
  [new errors.TooLarge(forOperators), { status: 413, code: 'payload_too_large', retries: false }],
  [new errors.Misconfigured(forOperators), { status: 500, code: 'not_configured', retries: false }],
  [new errors.NotFound(forOperators), { status: 404, code: 'not_found', retries: false }],
  [new errors.Conflict(forOperators), { status: 409, code: 'conflict', retries: false }],
  [new errors.NotPermitted(forOperators), { status: 403, code: 'insufficient_scope', retries: false }],
  [
    new errors.InsufficientCredits(forOperators),
    { status: 402, code: 'insufficient_credits', retries: false },
  ],
  [new errors.LimitReached(forOperators), { status: 429, code: 'rate_limit_exceeded', retries: true }],
  [new errors.SourceThrottled(forOperators), { status: 429, code: 'rate_limit_exceeded', retries: true }],
  [
    new errors.SourceUnavailable(forOperators, { inDoubt: false }),
    { status: 503, code: 'source_unavailable', retries: true },
  ],
  [
    new errors.SourceUnavailable(forOperators, { inDoubt: true }),
    { status: 503, code: 'source_unavailable', retries: true },
  ],
  [
    new errors.SourceRefused(forOperators, { status: 401 }),
    { status: 503, code: 'source_unavailable', retries: true },
  ],
  [new errors.SourceUnreadable(forOperators), { status: 503, code: 'source_unavailable', retries: true }],
  [
    new errors.SourceBlocked(forOperators, { delayMs: 1000 }),
    { status: 503, code: 'source_unavailable', retries: true },
  ],
  [
    new errors.SourcePaused({ kind: 'failing', reason: forOperators, delayMs: 1000 }),
    { status: 503, code: 'source_unavailable', retries: true },
  ],
  [new errors.InDoubt(forOperators), { status: 503, code: 'source_unavailable', retries: true }],
  [new errors.StorageUnavailable(forOperators), { status: 400, code: 'validation_error', retries: false }],
  [new errors.StorageRejected(forOperators), { status: 400, code: 'validation_error', retries: false }],
  [new errors.DatabaseUnavailable(forOperators), { status: 503, code: 'service_unavailable', retries: true }],
  [new errors.QueueUnavailable(forOperators), { status: 503, code: 'service_unavailable', retries: true }],
  [new errors.LeaseLost(forOperators), { status: 503, code: 'service_unavailable', retries: true }],
];

/** Messages for callers about their own input, or about a place that they named. */
const exposedCodes = [
  'validation_error',
  'too_large',
  'conflict',
  'not_permitted',
  'limit_reached',
  'storage_unavailable',
  'storage_rejected',
];

describe.each(table.map(([error, reported]) => [error.name, error, reported] as const))(
  '%s',
  (_name, error, { status, code, retries }) => {
    test(`is a ${status} ${code}`, () => {
      const problem = toProblem(error);
      expect([problemKinds[problem.code].status, problem.code]).toEqual([status, code]);
    });

    test(retries ? 'has a Retry-After header' : 'has no Retry-After header', () => {
      const { headers } = toProblem(error);
      expect(Object.keys(headers)).toEqual(retries ? ['Retry-After'] : []);
      if (retries) expect(headers['Retry-After']).toMatch(/^[1-9]\d*$/);
    });

    test(
      exposedCodes.includes(error.code)
        ? 'shows its message to the caller'
        : 'hides its message from the caller',
      () => {
        const body = JSON.stringify(toProblemBody(toProblem(error), context));
        expect(body.includes('hunter2')).toBe(exposedCodes.includes(error.code));
        expect(body.includes('10.0.0.7')).toBe(exposedCodes.includes(error.code));
        expect(toProblem(error).cause).toBe(error);
      },
    );
  },
);

test('every error class has a case above', () => {
  const classes = Object.values(errors).filter(
    (value) => typeof value === 'function' && value.prototype instanceof errors.EnrichError,
  );
  expect(new Set(table.map(([error]) => error.constructor))).toEqual(new Set(classes));
  expect(new Set(table.map(([error]) => error.code)).size).toBe(classes.length);
});

describe('the table of problems', () => {
  test.each([
    ['validation_error', 400],
    ['invalid_api_key', 401],
    ['insufficient_credits', 402],
    ['insufficient_scope', 403],
    ['not_found', 404],
    ['method_not_allowed', 405],
    ['idempotency_conflict', 409],
    ['payload_too_large', 413],
    ['unsupported_media_type', 415],
    ['idempotency_key_reused', 422],
    ['rate_limit_exceeded', 429],
    ['internal_error', 500],
    ['source_unavailable', 503],
  ] as const)('gives %s the status %i', (code, status) => {
    expect(problemKinds[code].status).toBe(status);
  });

  test('§7 gives an incorrect API key the title of the contract', () => {
    expect(problemKinds.invalid_api_key.title).toBe('The key does not exist or is incorrect');
  });

  test.each(Object.entries(problemKinds))(
    'gives %s an error status, a title, a situation and a remedy',
    (code, kind) => {
      expect(code).toMatch(/^[a-z_]+$/);
      expect(kind.status).toBeGreaterThanOrEqual(400);
      expect(kind.status).toBeLessThan(600);
      expect(kind.title).not.toBe('');
      expect(kind.when).not.toBe('');
      expect(kind.remedy).not.toBe('');
    },
  );
});

describe('conversion of an unexpected error', () => {
  test.each([
    ['an exception', new TypeError(forOperators)],
    ['a thrown string', forOperators],
    ['a thrown undefined', undefined],
    ['an object that resembles an expected error', { code: 'validation_error', message: forOperators }],
  ])('results in an internal_error without details, with the cause for the log: %s', (_case, thrown) => {
    const problem = toProblem(thrown);
    expect(toProblemBody(problem, context).errors).toEqual([
      {
        type: 'https://api.example.test/errors/internal_error',
        title: problemKinds.internal_error.title,
        status: 500,
        code: 'internal_error',
      },
    ]);
    expect(problem.cause).toBe(thrown);
  });

  test('keeps a Problem unchanged', () => {
    const problem = new Problem('not_found', { titles: ['There is no such key'] });
    expect(toProblem(problem)).toBe(problem);
  });
});

describe('Retry-After of a problem', () => {
  test.each([
    [0, '1'],
    [1, '1'],
    [1_000, '1'],
    [1_001, '2'],
    [90_000, '90'],
  ])('rounds the delay of a source of %i ms up to %s s', (delayMs, seconds) => {
    const { headers } = toProblem(new errors.SourceThrottled('x', { delayMs }));
    expect(headers).toEqual({ 'Retry-After': seconds });
    expect(String(secondsOf(delayMs))).toBe(seconds);
  });
});

describe('an error body', () => {
  test('§7 has the type, title, status and code of each error, and the request id and time', () => {
    const problem = new Problem('validation_error', { titles: ['company_domain: no', 'company_name: no'] });
    const common = {
      type: 'https://api.example.test/errors/validation_error',
      status: 400,
      code: 'validation_error',
    };
    expect(toProblemBody(problem, context)).toEqual({
      errors: [
        { ...common, title: 'company_domain: no' },
        { ...common, title: 'company_name: no' },
      ],
      meta: { request_id: 'req_1', timestamp: '2026-01-02T03:04:05.000Z' },
    });
  });

  test('has the field of a validation error', () => {
    const { titles } = toProblem(new errors.ValidationError('is over already', { where: 'expires_at' }));
    expect(titles).toEqual(['expires_at: is over already']);
  });
});

const context = {
  baseUrl: 'https://api.example.test',
  requestId: 'req_1',
  now: new Date('2026-01-02T03:04:05Z'),
};
