import { expect, test } from 'vitest';
import { portCheck, type ProbeCheck } from '../../../../../../src/core/emails/probing/probe-readiness.ts';
import { createReadinessMonitor } from '../../../../../../src/core/emails/probing/readiness-monitor.ts';

const fine: ProbeCheck = { name: 'a', status: 'ok', found: 'it', remedy: null };
const odd: ProbeCheck = { name: 'b', status: 'warning', found: 'it', remedy: 'repair it' };
const closed: ProbeCheck = { name: portCheck, status: 'problem', found: 'nothing', remedy: 'open it' };
const nameless: ProbeCheck = { name: 'c', status: 'problem', found: 'nothing', remedy: 'name it' };

function openMonitor(check: () => Promise<readonly ProbeCheck[]>) {
  let nowMs = 0;
  const reported: (readonly ProbeCheck[])[] = [];
  const monitor = createReadinessMonitor({
    check,
    nowMs: () => nowMs,
    onUnready: (problems) => void reported.push(problems),
  });
  return { monitor, reported, pass: (minutes: number) => void (nowMs += minutes * 60_000) };
}

test('readiness check with a warning permits probing', async () => {
  const { monitor, reported } = openMonitor(async () => [fine, odd]);
  expect(await monitor.unavailableReason()).toBeNull();
  expect(reported).toEqual([]);
});

test.each([
  [closed, 'outbound_port_25_blocked'],
  [nameless, 'mailbox_not_probed'],
])('readiness check with the problem %j gives %s and reports the problem', async (problem, reason) => {
  const { monitor, reported } = openMonitor(async () => [fine, problem]);
  expect(await monitor.unavailableReason()).toEqual({ kind: 'not_probed', reason, retryAt: null });
  expect(reported).toEqual([[problem]]);
});

test('readiness check is shared, and expires after an hour, or after five minutes with a problem', async () => {
  let checks = 0;
  const results: (readonly ProbeCheck[])[] = [[nameless], [fine], [fine]];
  const { monitor, pass } = openMonitor(async () => results[checks++] ?? []);
  await Promise.all([monitor.unavailableReason(), monitor.unavailableReason(), monitor.unavailableReason()]);
  expect(checks).toBe(1);
  pass(4);
  await monitor.unavailableReason();
  expect(checks).toBe(1);
  pass(1);
  expect(await monitor.unavailableReason()).toBeNull();
  expect(checks).toBe(2);
  pass(59);
  await monitor.unavailableReason();
  expect(checks).toBe(2);
  pass(1);
  await monitor.unavailableReason();
  expect(checks).toBe(3);
});

test('readiness check that throws is an error, and the next address repeats it', async () => {
  let checks = 0;
  const { monitor } = openMonitor(async () => {
    checks += 1;
    if (checks === 1) throw new Error('DNS is away');
    return [fine];
  });
  await expect(monitor.unavailableReason()).rejects.toThrow('DNS is away');
  expect(await monitor.unavailableReason()).toBeNull();
});
