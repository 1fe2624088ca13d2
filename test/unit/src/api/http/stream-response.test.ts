import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { streamAnswer } from '../../../../../src/api/http/responses/stream-response.ts';

const pace = { bytes: 64 * 1024, everyMs: 50 };
const block = Buffer.alloc(64 * 1024, 'x');
const blocks = 200;

test('a streamed response cancels a reader that reads nothing and releases its resources', async () => {
  const failures: unknown[] = [];
  const ended = gate();
  const body = streamAnswer(
    (target) => write(target).finally(() => ended.resolve('released')),
    (error) => failures.push(error),
    pace,
  );
  expect(await ended.promise).toBe('released');
  await expect(new Response(body).arrayBuffer()).rejects.toThrow();
  expect(failures.map(String)).toEqual(['Error: The client read less than 64 KiB in 0.05 s.']);
});

test('a streamed response sends everything to a slow reader that keeps reading', async () => {
  const failures: unknown[] = [];
  const body = streamAnswer(write, (error) => failures.push(error), pace);
  let bytes = 0;
  for await (const part of body as ReadableStream<Uint8Array>) {
    bytes += part.length;
    // Reads just above the minimum rate.
    if (bytes % (block.length * 20) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect([bytes, failures]).toEqual([block.length * blocks, []]);
});

test('a streamed response does not count a slow writer as a slow reader', async () => {
  const body = streamAnswer(
    async (target) => {
      await new Promise((resolve) => setTimeout(resolve, 4 * pace.everyMs));
      target.write('late');
    },
    () => undefined,
    pace,
  );
  expect(await new Response(body).text()).toBe('late');
});

async function write(target: Writable): Promise<void> {
  for (let n = 0; n < blocks; n += 1)
    if (!target.write(block))
      await Promise.race([once(target, 'drain'), once(target, 'close')]).then(() => stillOpen(target));
}

function stillOpen(target: Writable): void {
  if (target.destroyed) throw new Error('The target is closed.');
}

function gate() {
  let resolve: (text: string) => void = () => undefined;
  const promise = new Promise<string>((settle) => (resolve = settle));
  return { promise, resolve: (text: string) => resolve(text) };
}
