import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { withQueueInTime } from '../../../../src/queue/with-queue.ts';

describe('a call to the queue', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('fails when the server does not answer, and tells the work that it is late', async () => {
    let signal: AbortSignal | undefined;
    const failed = expect(
      withQueueInTime((late) => {
        signal = late;
        return new Promise(() => undefined);
      }),
    ).rejects.toMatchObject({ code: 'queue_unavailable', cause: { message: 'no answer' } });
    await vi.advanceTimersByTimeAsync(29_000);
    expect(signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1000);
    await failed;
    expect(signal?.aborted).toBe(true);
  });

  test('has no timer once it is answered', async () => {
    expect(await withQueueInTime(() => Promise.resolve('done'))).toBe('done');
    expect(vi.getTimerCount()).toBe(0);
  });
});
