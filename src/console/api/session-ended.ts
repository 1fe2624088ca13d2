import { signal } from '@preact/signals';

/** Requests that wait for a new sign-in. */
export const pausedRequests = signal<readonly (() => void)[]>([]);

/** Resolves after the user signs in again. The sign-in dialog is open while requests wait. */
export function waitForSignIn(): Promise<void> {
  return new Promise((resolve) => {
    pausedRequests.value = [...pausedRequests.value, resolve];
  });
}

/** Sends the waiting requests. */
export function resumeRequests(): void {
  const resolved = pausedRequests.value;
  pausedRequests.value = [];
  for (const resolve of resolved) resolve();
}
