import { expect, test } from 'vitest';
import { createWaitReporter } from '../../../../src/app/wait-reporter.ts';
import type { Throttle } from '../../../../src/core/work/wait-cause.ts';
import { calledSource } from '../../../support/stand-in/call-logs.ts';

const slow: Throttle = { cause: 'rate_limit', bound: null, reason: 'HTTP 429', delayMs: 60_000 };

test('each wait of a source is logged once with its cause, and only throttles are stored', async () => {
  const lines: unknown[] = [];
  const stored: unknown[] = [];
  const report = createWaitReporter(
    { info: (line: unknown) => void lines.push(line) },
    async ({ name }, throttle) => void stored.push([name, throttle.cause]),
  );
  const [one, two] = [calledSource('one'), calledSource('two')];
  await report(one, slow);
  await report(one, slow);
  await report(two, slow);
  await report(one, { kind: 'budget', reason: 'spent', delayMs: 60_000, cause: 'day_spend', bound: '5 USD' });
  expect(lines).toMatchObject([
    { source: 'one', cause: 'rate limit of the source', reason: 'HTTP 429' },
    { source: 'two', cause: 'rate limit of the source' },
    { source: 'one', cause: 'daily cap of 5 USD', reason: 'spent' },
  ]);
  expect(stored).toEqual([
    ['one', 'rate_limit'],
    ['one', 'rate_limit'],
    ['two', 'rate_limit'],
  ]);
});
