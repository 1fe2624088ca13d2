import { expect, vi } from 'vitest';
import type { TestApi } from './test-api.ts';

/** A line of an export, by its columns. */
export type ExportedLine = Readonly<Record<string, unknown>>;

/** Hands a CSV in as a batch; answers its id. */
export async function uploadBatch(api: TestApi, key: string, body: string): Promise<string> {
  const headers = { 'Content-Type': 'text/csv' };
  const answer = await api.call('POST', '/v1/batches', { key, body, headers });
  expect(answer.status, answer.text).toBe(201);
  return (answer.json() as { id: string }).id;
}

export async function batchOf(api: TestApi, key: string, id: string): Promise<{ readonly state: string }> {
  return (await api.call('GET', `/v1/batches/${id}`, { key })).json() as { state: string };
}

/** Resolves when the batch is in the state. How long that may take is the test's own limit. */
export async function waitForState(api: TestApi, key: string, id: string, state: string): Promise<void> {
  await vi.waitUntil(async () => (await batchOf(api, key, id)).state === state, {
    timeout: 600_000,
    interval: 100,
  });
}

/** The report of a batch, line by line. */
export async function exportedLines(api: TestApi, key: string, id: string): Promise<readonly ExportedLine[]> {
  const { text } = await api.call('GET', `/v1/batches/${id}/export?format=ndjson`, { key });
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ExportedLine);
}

/** Has a list of addresses validated, and answers its report. */
export async function validateList(
  api: TestApi,
  key: string,
  addresses: readonly string[],
): Promise<readonly ExportedLine[]> {
  const id = await uploadBatch(api, key, `email\n${addresses.join('\n')}\n`);
  await waitForState(api, key, id, 'finished');
  return exportedLines(api, key, id);
}
