/** Waits for the work, or rejects with the signal's reason when it aborts first; the work goes on for others. */
export async function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = onAbort(signal, () => reject(abortReason(signal)));
    work.then(resolve, reject).finally(stop);
  });
}

/** All that wait for one signal, and the one listener that they share. */
interface Crowd {
  readonly members: Set<() => void>;
  readonly callAll: () => void;
}

const crowds = new WeakMap<AbortSignal, Crowd>();

/**
 * Calls the listener when the signal aborts; answers how to stop listening. The signal has not aborted yet.
 *
 * For a signal that a whole batch waits on: Node looks through all listeners of a signal for each that comes or goes, and warns of more
 * than ten, so here all share one.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const crowd = crowds.get(signal) ?? gather(signal);
  // A function of its own, so that who listens twice is called twice.
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

/** Why a signal aborted, as an error whatever it was aborted with. */
export function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('Stopped.');
}
