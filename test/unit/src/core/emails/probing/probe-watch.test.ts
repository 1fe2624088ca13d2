import { expect, test } from 'vitest';
import { portCheck, type ProbeCheck } from '../../../../../../src/core/emails/probing/probe-readiness.ts';
import { createProbeWatch } from '../../../../../../src/core/emails/probing/probe-watch.ts';

const fine: ProbeCheck = { name: 'a', status: 'ok', found: 'it', remedy: null };
const odd: ProbeCheck = { name: 'b', status: 'warning', found: 'it', remedy: 'mend it' };
const closed: ProbeCheck = { name: portCheck, status: 'problem', found: 'nothing', remedy: 'open it' };
const nameless: ProbeCheck = { name: 'c', status: 'problem', found: 'nothing', remedy: 'name it' };

function watchOver(check: () => Promise<readonly ProbeCheck[]>) {
  let nowMs = 0;
  const reported: (readonly ProbeCheck[])[] = [];
  const watch = createProbeWatch({
    check,
    nowMs: () => nowMs,
    onUnready: (problems) => void reported.push(problems),
  });
  return { watch, reported, pass: (minutes: number) => void (nowMs += minutes * 60_000) };
}

test('a warning is no reason not to ask', async () => {
  const { watch, reported } = watchOver(async () => [fine, odd]);
  expect(await watch.unavailableReason()).toBeNull();
  expect(reported).toEqual([]);
});

test.each([
  [closed, 'outbound_port_25_blocked'],
  [nameless, 'mailbox_not_probed'],
])('a problem is: %j gives %s, and is told', async (problem, reason) => {
  const { watch, reported } = watchOver(async () => [fine, problem]);
  expect(await watch.unavailableReason()).toEqual({ kind: 'not_probed', reason, retryAt: null });
  expect(reported).toEqual([[problem]]);
});

test('many addresses share one look, which holds for an hour, or for five minutes where it was bad', async () => {
  let observations = 0;
  const results: (readonly ProbeCheck[])[] = [[nameless], [fine], [fine]];
  const { watch, pass } = watchOver(async () => results[observations++] ?? []);
  await Promise.all([watch.unavailableReason(), watch.unavailableReason(), watch.unavailableReason()]);
  expect(observations).toBe(1);
  pass(4);
  await watch.unavailableReason();
  expect(observations).toBe(1);
  pass(1);
  expect(await watch.unavailableReason()).toBeNull();
  expect(observations).toBe(2);
  pass(59);
  await watch.unavailableReason();
  expect(observations).toBe(2);
  pass(1);
  await watch.unavailableReason();
  expect(observations).toBe(3);
});

test('a look that failed is an error, and the next address looks again', async () => {
  let observations = 0;
  const { watch } = watchOver(async () => {
    observations += 1;
    if (observations === 1) throw new Error('DNS is away');
    return [fine];
  });
  await expect(watch.unavailableReason()).rejects.toThrow('DNS is away');
  expect(await watch.unavailableReason()).toBeNull();
});
