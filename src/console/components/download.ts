import { send } from '../api/send.ts';
import { errorOf } from '../api/request-error.ts';

/**
 * Fetches a response and saves it as a file. For files that the server creates as a whole, and for requests that a link cannot make.
 *
 * @param fileName default: the name that the server gives.
 * @throws RequestError
 */
export async function download(path: string, init: RequestInit, fileName?: string): Promise<void> {
  const response = await send(path, init);
  if (!response.ok) throw await errorOf(response);
  const address = URL.createObjectURL(await response.blob());
  follow(address, fileName ?? nameOf(response));
  URL.revokeObjectURL(address);
}

/**
 * Streams a file to the disk. A HEAD request comes first, because browsers do not show the error of a rejected download.
 *
 * @throws RequestError
 */
export async function downloadStream(path: string): Promise<void> {
  const head = await send(path, { method: 'HEAD' });
  if (!head.ok) throw await readRejection(path);
  follow(path);
}

/** Reads the error with a GET: a response to HEAD has no body. */
async function readRejection(path: string): Promise<Error> {
  const leaving = new AbortController();
  const response = await send(path, { signal: leaving.signal });
  const error = await errorOf(response.ok ? new Response(null, { status: 503 }) : response);
  leaving.abort();
  return error;
}

function follow(address: string, fileName = ''): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
}

/** Name that the server gives: unchanged where it is not ASCII (RFC 6266). */
function nameOf(response: Response): string {
  const text = response.headers.get('Content-Disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(text)?.[1];
  return encoded === undefined ? (/filename="([^"]+)"/.exec(text)?.[1] ?? '') : decodeURIComponent(encoded);
}
