import type { CallPlace, Gate, RateLimiter } from '../rate-limiter.ts';

/** The parts of a call that take and release its place. */
export interface PlaceOptions {
  readonly rateLimiter: RateLimiter;
  /** Runs a call when this process has room for one more. */
  readonly limit: Gate;
  /** Resolves after the delay; rejects with the signal's reason. */
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Makes a call in one of the places of its process: from the moment it is first in line for a slot of its source until it ends. While it waits in
 * line, or for room at the source, the place is free for calls to other sources.
 */
export async function inPlace<T, Options extends PlaceOptions>(
  options: Options,
  call: (placed: Options) => Promise<T>,
): Promise<T> {
  const { limit, sleep, rateLimiter } = options;
  const place = openPlace(limit);
  try {
    return await call({
      ...options,
      sleep: (delayMs, signal) => {
        place.release();
        return sleep(delayMs, signal);
      },
      rateLimiter: {
        ...rateLimiter,
        reserve: (bucket, pace, reserving) => {
          place.release();
          return rateLimiter.reserve(bucket, pace, { ...reserving, place });
        },
        // The call goes back into line, where those ahead of it may wait for a place.
        pauseUntil: (bucket, delayMs) => {
          place.release();
          return rateLimiter.pauseUntil(bucket, delayMs);
        },
      },
    });
  } finally {
    place.release();
  }
}

function openPlace(limit: Gate): CallPlace {
  let free: (() => void) | null = null;
  return {
    take: () =>
      free === null
        ? new Promise((resolve, reject) => {
            limit(() => {
              resolve();
              return new Promise<void>((end) => (free = end));
            }).catch(reject);
          })
        : Promise.resolve(),
    release: () => {
      free?.();
      free = null;
    },
  };
}
