import { setTimeout as wait } from 'node:timers/promises';
import { expectEqual } from '../support/expect.ts';
import type { CountingSource } from './source.ts';

/**
 * The minimum: one process that sends a call every interval, on time or as soon as the process can, and stores nothing. It does
 * not catch up on late calls.
 */
export async function askInALoop(source: CountingSource, calls: number): Promise<void> {
  const intervalMs = 1000 / source.limit.requestsPerSecond;
  const pending: Promise<void>[] = [];
  let nextMs = performance.now();
  for (let n = 0; n < calls; n += 1) {
    await wait(Math.max(0, nextMs - performance.now()));
    pending.push(ask(source, `bare-${n}.com`));
    nextMs = Math.max(nextMs, performance.now() - intervalMs) + intervalMs;
  }
  await Promise.all(pending);
}

async function ask({ url, key }: CountingSource, domain: string): Promise<void> {
  const response = await fetch(`${url}/v1/ads/google-ads-search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key, 'idempotency-key': domain },
    body: JSON.stringify({ company_domain: domain }),
  });
  await response.json();
  expectEqual(`The status of the answer about ${domain}`, response.status, 200);
}
