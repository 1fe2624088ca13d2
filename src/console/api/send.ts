import { waitForSignIn } from './session-ended.ts';
import { Failure } from './request-error.ts';

/**
 * Sends a request to the server that the page came from. When the session has ended in the meantime, the person is asked to sign in, and
 * the request is sent once more: nothing that was entered is lost.
 *
 * @throws Trouble when the server cannot be reached.
 */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await reach(path, init);
  if (response.status !== 401 || !(await isSessionEnded(response))) return response;
  await waitForSignIn();
  return reach(path, init);
}

/** The same without asking anybody to sign in: for signing in itself. @throws Trouble */
export async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (cause) {
    if (init.signal?.aborted === true && !isOverdue(init.signal.reason)) throw cause;
    throw new Failure('The server cannot be reached. Nothing is lost; try again in a moment.', {
      code: 'unreachable',
      status: 0,
      requestId: null,
    });
  }
}

/** Aborts with the one that is given, or after a time without an answer, which then counts as a server that cannot be reached. */
export function withDeadline(signal: AbortSignal, ms: number): AbortSignal {
  const either = new AbortController();
  const timer = setTimeout(() => either.abort(new DOMException('No answer in time.', 'TimeoutError')), ms);
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    either.abort(signal.reason);
  });
  return either.signal;
}

function isOverdue(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

async function isSessionEnded(response: Response): Promise<boolean> {
  const body = (await response
    .clone()
    .json()
    .catch(() => null)) as { errors?: { code?: string }[] } | null;
  const code = body?.errors?.[0]?.code;
  return code === 'session_ended' || code === 'invalid_api_key';
}
