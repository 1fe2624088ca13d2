import { expect, vi } from 'vitest';
import type { TestApi } from './test-api.ts';

/** A line of an export, keyed by column. */
export type ExportedLine = Readonly<Record<string, unknown>>;

/** Uploads a CSV as a batch. Returns its id. */
export async function uploadBatch(api: TestApi, key: string, body: string): Promise<string> {
  const headers = { 'Content-Type': 'text/csv' };
  const answer = await api.call('POST', '/v1/batches', { key, body, headers });
  expect(answer.status, answer.text).toBe(201);
  return (answer.json() as { id: string }).id;
}

export async function batchOf(api: TestApi, key: string, id: string): Promise<{ readonly state: string }> {
  return (await api.call('GET', `/v1/batches/${id}`, { key })).json() as { state: string };
}

/** Resolves when the batch reaches the state. The timeout of the test is the only limit. */
export async function waitForState(api: TestApi, key: string, id: string, state: string): Promise<void> {
  await vi.waitUntil(async () => (await batchOf(api, key, id)).state === state, {
    timeout: 600_000,
    interval: 100,
  });
}

/** Lines of the report of a batch. */
export async function exportedLines(api: TestApi, key: string, id: string): Promise<readonly ExportedLine[]> {
  const { text } = await api.call('GET', `/v1/batches/${id}/export?format=ndjson`, { key });
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ExportedLine);
}

/** Validates a file of addresses. Returns its report. */
export async function validateList(
  api: TestApi,
  key: string,
  addresses: readonly string[],
): Promise<readonly ExportedLine[]> {
  const id = await uploadBatch(api, key, `email\n${addresses.join('\n')}\n`);
  await waitForState(api, key, id, 'finished');
  return exportedLines(api, key, id);
}
