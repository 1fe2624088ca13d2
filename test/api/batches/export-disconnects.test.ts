import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { useTestApi, type Answer, type TestApi } from '../../support/api/test-api.ts';
import { countIdleInTransaction } from '../../support/db/idle-transactions.ts';

const path = '/v1/batches';
const formats = ['csv', 'ndjson', 'json'] as const;

describe('client that disconnects during a large export', () => {
  const api = useTestApi();
  let id = '';
  let key = '';
  let whole = 0;

  // About 7 MB: larger than all buffers between server and client.
  beforeAll(async () => {
    key = await api().createKey();
    const cell = 'x'.repeat(1400);
    const rows = Array.from({ length: 5000 }, (_, i) => `company-${i}.com,${cell}`).join('\n');
    id = await upload(api(), key, `website,note\n${rows}\n`);
    whole = (await full()).text.length;
    expect(whole).toBeGreaterThan(7_000_000);
  });

  test('30 times, five at once, does not affect the server', async () => {
    for (let round = 0; round < 6; round += 1) {
      await Promise.all(Array.from({ length: 5 }, (_, i) => leaveInTheMiddle(formats[i % 3] ?? 'csv')));
    }
    await expectHealthy();
  });

  test('while it waits in the queue does not affect the server', async () => {
    // Ten clients that do not read, and twenty that disconnect before the first byte.
    const stalled = await Promise.all(Array.from({ length: 10 }, () => begin('json')));
    await Promise.all(Array.from({ length: 20 }, () => leaveInTheMiddle('json', 1)));
    for (const { leave } of stalled) leave();
    await expectHealthy();
  });

  test('while its workbook is built or queued does not block the next export', async () => {
    const leaving = Array.from({ length: 5 }, async (_, i) => {
      const signal = AbortSignal.timeout(1 + 40 * i);
      const asked = api().call('GET', `${path}/${id}/export?format=xlsx`, { key, signal });
      await expect(asked).rejects.toThrow();
    });
    await Promise.all(leaving);
    const signal = AbortSignal.timeout(20_000);
    const answer = await api().call('GET', `${path}/${id}/export?format=xlsx`, { key, signal });
    expect(answer.status).toBe(200);
    await expectHealthy();
  });

  test('does not truncate ten concurrent exports', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => full()));
    expect(answers.map(({ text }) => text.length)).toEqual(Array<number>(10).fill(whole));
  });

  function full(): Promise<Answer> {
    const signal = AbortSignal.timeout(20_000);
    return api().call('GET', `${path}/${id}/export?format=ndjson`, { key, signal });
  }

  /** Requests the export and reads only the headers. */
  async function begin(format: string): Promise<{ readonly response: Response; readonly leave: () => void }> {
    const gone = new AbortController();
    onTestFinished(() => gone.abort());
    const response = await fetch(`${api().url}${path}/${id}/export?format=${format}`, {
      headers: { 'X-API-Key': key },
      signal: gone.signal,
    });
    return { response, leave: () => gone.abort() };
  }

  /** Reads the first part, or disconnects this many milliseconds after the headers. */
  async function leaveInTheMiddle(format: string, afterMs?: number): Promise<void> {
    const { response, leave } = await begin(format);
    const reader = response.body?.getReader();
    if (afterMs === undefined) await reader?.read().catch(() => undefined);
    else await delay(afterMs);
    leave();
  }

  async function expectHealthy(): Promise<void> {
    const others = await Promise.all(
      Array.from({ length: 20 }, () =>
        api().call('GET', `${path}/${id}`, { key, signal: AbortSignal.timeout(20_000) }),
      ),
    );
    expect(others.every(({ status }) => status === 200)).toBe(true);
    expect((await full()).text).toHaveLength(whole);
    await expect.poll(() => countIdleInTransaction(api().database)).toBe(0);
  }
});

describe('HEAD of an export', () => {
  const api = useTestApi();

  test('has no body: twenty of them do not affect the server', async () => {
    const key = await api().createKey();
    const rows = Array.from({ length: 8000 }, (_, i) => `company-${i}.com,${'x'.repeat(200)}`).join('\n');
    const id = await upload(api(), key, `website,note\n${rows}\n`);
    const heads = await Promise.all(
      Array.from({ length: 20 }, () =>
        api().call('HEAD', `${path}/${id}/export?format=ndjson`, {
          key,
          signal: AbortSignal.timeout(10_000),
        }),
      ),
    );
    expect(heads.every(({ status, text }) => status === 200 && text === '')).toBe(true);
    const signal = AbortSignal.timeout(10_000);
    const whole = await api().call('GET', `${path}/${id}/export?format=ndjson`, { key, signal });
    expect(whole.status).toBe(200);
    expect(whole.text.trimEnd().split('\n')).toHaveLength(8000);
  });
});

async function upload(api: TestApi, key: string, body: string): Promise<string> {
  const answer = await api.call('POST', path, { key, headers: { 'Content-Type': 'text/csv' }, body });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return (answer.json() as { readonly id: string }).id;
}
