import { reportUnanswered } from './live/account-events.ts';
import { waitForSignIn } from './session-ended.ts';
import { RequestError } from './request-error.ts';

/**
 * Sends a request to the server of the page. After the session ended, it waits until the user signs in again and sends the request once
 * more: no input is lost.
 *
 * @throws RequestError when the server cannot be reached.
 */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await sendOnce(path, init);
  if (response.status !== 401 || !(await isSessionEnded(response))) return response;
  await waitForSignIn();
  return sendOnce(path, init);
}

/** Sends a request without a sign-in dialog: for the sign-in itself. @throws RequestError */
export async function sendOnce(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (cause) {
    if (init.signal?.aborted === true && !isTimeout(init.signal.reason)) throw cause;
    reportUnanswered();
    throw new RequestError('The server cannot be reached. Your data is safe. Try again in a moment.', {
      code: 'unreachable',
      status: 0,
      requestId: null,
    });
  }
}

/** Combines a signal with a deadline. A request past its deadline counts as an unreachable server. */
export function withDeadline(signal: AbortSignal, ms: number): AbortSignal {
  const combined = new AbortController();
  const timer = setTimeout(
    () => combined.abort(new DOMException('No response in time.', 'TimeoutError')),
    ms,
  );
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    combined.abort(signal.reason);
  });
  return combined.signal;
}

function isTimeout(reason: unknown): boolean {
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
