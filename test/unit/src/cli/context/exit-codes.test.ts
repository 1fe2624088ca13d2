import { expect, test } from 'vitest';
import { exitCodeOf, exitCodes } from '../../../../../src/cli/context/exit-codes.ts';
import * as errors from '../../../../../src/core/errors.ts';

test('exit codes match the documentation', () => {
  expect(exitCodes).toEqual({
    done: 0,
    someFailed: 1,
    wrongUsage: 2,
    outOfCredits: 3,
    keyRejected: 4,
    serverUnreachable: 5,
    interrupted: 130,
  });
});

test.each([
  [new errors.ValidationError('x'), 2],
  [new errors.TooLarge('x'), 2],
  [new errors.Misconfigured('x'), 2],
  [new errors.NotFound('x'), 2],
  [new errors.Conflict('x'), 2],
  [new errors.NotPermitted('x'), 2],
  [new errors.InsufficientCredits('x'), 3],
  [new errors.LimitReached('x'), 3],
  [new errors.SourceThrottled('x'), 1],
  [new errors.SourceUnavailable('x', { inDoubt: false }), 1],
  [new errors.SourceRefused('x', { status: 401 }), 4],
  [new errors.SourceRefused('x', { status: 403 }), 4],
  [new errors.SourceRefused('x', { status: 403, vendorMessage: 'Invalid API key' }), 4],
  [new errors.SourceRefused('x', { status: 403, vendorMessage: 'Not in your country' }), 1],
  [new errors.SourceRefused('x', { status: 402 }), 3],
  [new errors.SourceRefused('x', { status: 400, vendorMessage: 'Invalid API key' }), 1],
  [new errors.SourceRefused('x', { status: 404 }), 1],
  [new errors.SourcePaused({ kind: 'refused', reason: 'x', delayMs: 1 }), 4],
  [new errors.SourcePaused({ kind: 'declined', reason: 'x', delayMs: 1 }), 1],
  [new errors.SourceUnreadable('x'), 1],
  [new errors.SourceBlocked('x', { delayMs: 1000 }), 1],
  [new errors.SourcePaused({ kind: 'failing', reason: 'x', delayMs: 1000 }), 1],
  [new errors.InDoubt('x'), 1],
  [new errors.StorageUnavailable('x'), 1],
  [new errors.StorageRejected('x'), 1],
  [new errors.DatabaseUnavailable('x'), 5],
  [new errors.QueueUnavailable('x'), 5],
  [new errors.LeaseLost('x'), 1],
])('%s ends a command with %i', (error, code) => {
  expect(exitCodeOf(error)).toBe(code);
});

test('every error code has a case above', () => {
  const classes = Object.values(errors).filter(
    (value) => typeof value === 'function' && value.prototype instanceof errors.EnrichError,
  );
  expect(classes).toHaveLength(20);
});

test('an unexpected error ends a command with 1', () => {
  expect([exitCodeOf(new TypeError('x')), exitCodeOf('text'), exitCodeOf(undefined)]).toEqual([1, 1, 1]);
});
