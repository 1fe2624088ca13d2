import { signal } from '@preact/signals';

/** Requests that wait until somebody has signed in again. */
export const waiting = signal<readonly (() => void)[]>([]);

/** Resolves once the person has signed in again; the dialog for it is shown while anybody waits. */
export function waitForSignIn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.value = [...waiting.value, resolve];
  });
}

/** Lets those who wait go on. */
export function goOn(): void {
  const resolved = waiting.value;
  waiting.value = [];
  for (const resolve of resolved) resolve();
}
