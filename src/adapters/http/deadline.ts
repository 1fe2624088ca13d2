import { setMaxListeners } from 'node:events';

/** A signal that aborts with the caller's, or when the time is up, whichever comes first. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** True when the time was up before the caller aborted. */
  passed(): boolean;
  /** Stops the timer and detaches from the caller's signal; anything that still listens to `signal` is aborted. */
  close(): void;
}

/**
 * Starts the timer of one external call. Close it when the call has ended, however it ended.
 *
 * Not `AbortSignal.any([caller, AbortSignal.timeout(ms)])`: on Node 20 such a signal can be garbage-collected before it fires
 * (0 of 200 fired after a collection, 20.20.2), and every one leaks memory on a long-lived caller's signal.
 */
export function openDeadline(caller: AbortSignal, deadlineMs: number): Deadline {
  const controller = new AbortController();
  let passed = false;
  const followCaller = () => controller.abort(caller.reason);
  const timer = setTimeout(() => {
    passed = !controller.signal.aborted;
    controller.abort(new DOMException(`The deadline of ${deadlineMs} ms has passed`, 'TimeoutError'));
  }, deadlineMs);
  // A worker passes the same signal to every running call: more than Node's ten listeners are not a leak here.
  setMaxListeners(0, caller);
  caller.addEventListener('abort', followCaller, { once: true });
  return {
    signal: controller.signal,
    passed: () => passed,
    close: () => {
      clearTimeout(timer);
      caller.removeEventListener('abort', followCaller);
      controller.abort();
    },
  };
}
