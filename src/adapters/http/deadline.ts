import { setMaxListeners } from 'node:events';

/** A signal that aborts with the caller's, or when the time is up, whichever comes first. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** True once the time was up before the caller aborted. */
  passed(): boolean;
  /** Stops the clock and lets go of the caller's signal; what still listens to `signal` is aborted. */
  close(): void;
}

/**
 * Starts the clock of one outside call. Close it when the call has ended, however it ended.
 *
 * Not `AbortSignal.any([caller, AbortSignal.timeout(ms)])`: on Node 20 such a signal can be collected as garbage before it
 * fires (0 of 200 fired after a collection, 20.20.2), and every one leaves a trace on a caller's signal that lives long.
 */
export function openDeadline(caller: AbortSignal, deadlineMs: number): Deadline {
  const controller = new AbortController();
  let passed = false;
  const followCaller = () => controller.abort(caller.reason);
  const timer = setTimeout(() => {
    passed = !controller.signal.aborted;
    controller.abort(new DOMException(`The deadline of ${deadlineMs} ms has passed`, 'TimeoutError'));
  }, deadlineMs);
  // A worker hands the same signal to every call in flight: more than Node's ten listeners are no leak here.
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
