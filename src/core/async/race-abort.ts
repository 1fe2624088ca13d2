/** Waits for the work, or rejects with the signal's reason if it aborts first. The work itself continues. */
export async function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = onAbort(signal, () => reject(abortReason(signal)));
    work.then(resolve, reject).finally(stop);
  });
}

/** All listeners that wait for one signal, and the single listener that they share. */
interface Crowd {
  readonly members: Set<() => void>;
  readonly callAll: () => void;
}

const crowds = new WeakMap<AbortSignal, Crowd>();

/**
 * Calls the listener when the signal aborts, and returns a function that removes it. The signal must not be aborted yet.
 *
 * For a signal that a whole batch waits on: Node scans all listeners of a signal whenever one is added or removed, and warns of
 * more than ten. Here all share one.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const crowd = crowds.get(signal) ?? gather(signal);
  // A new function per call, so that a listener that is added twice is called twice.
  const member = () => listener();
  crowd.members.add(member);
  return () => {
    if (!crowd.members.delete(member) || crowd.members.size > 0) return;
    crowds.delete(signal);
    signal.removeEventListener('abort', crowd.callAll);
  };
}

function gather(signal: AbortSignal): Crowd {
  const members = new Set<() => void>();
  const crowd: Crowd = {
    members,
    callAll: () => {
      for (const call of members) call();
    },
  };
  crowds.set(signal, crowd);
  signal.addEventListener('abort', crowd.callAll, { once: true });
  return crowd;
}

/** Reason of an abort, always as an Error. */
export function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('Stopped.');
}
