import { expect, test } from 'vitest';
import { readEvents } from '../../../../../../src/console/api/live/read-events.ts';

/** Reads parts of a stream as they arrive. */
async function read(parts: readonly (string | Uint8Array)[]) {
  const data: string[] = [];
  let arrivals = 0;
  const bytes = parts.map((part) => (typeof part === 'string' ? new TextEncoder().encode(part) : part));
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const each of bytes) controller.enqueue(each);
      controller.close();
    },
  });
  await readEvents(body, {
    onBytes: () => (arrivals += 1),
    onData: (text) => data.push(text),
  });
  return { data, arrivals };
}

test('events are read however the stream is cut', async () => {
  const stream = 'id: 1\nevent: revisions\ndata: {"batches":"ä"}\n\n: still there\n\ndata: 2\n\n';
  const whole = await read([stream]);
  expect(whole).toEqual({ data: ['{"batches":"ä"}', '2'], arrivals: 1 });
  const bytes = new TextEncoder().encode(stream);
  const single = await read([...bytes].map((byte) => Uint8Array.of(byte)));
  expect(single).toEqual({ data: whole.data, arrivals: bytes.length });
});

test('an event of several lines is one text, and an unfinished event is none', async () => {
  expect((await read(['data: a\ndata: b\n\ndata: c'])).data).toEqual(['a\nb']);
});

test('a lost connection rejects after the events before it', async () => {
  const data: string[] = [];
  const lost = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('data: a\n\n')),
    pull: (controller) => controller.error(new TypeError('network error')),
  });
  const reading = readEvents(lost, { onBytes: () => undefined, onData: (text) => data.push(text) });
  await expect(reading).rejects.toThrow('network error');
  expect(data.length).toBeLessThanOrEqual(1);
});
