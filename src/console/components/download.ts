import { send } from '../api/send.ts';
import { errorOf } from '../api/request-error.ts';

/**
 * Fetches something as a whole and hands it to the browser as a file. For what is made as a whole, or what a link cannot ask for.
 *
 * @param fileName null: the one that the server gives it.
 * @throws Trouble
 */
export async function download(path: string, init: RequestInit, fileName: string | null): Promise<void> {
  const response = await send(path, init);
  if (!response.ok) throw await errorOf(response);
  const address = URL.createObjectURL(await response.blob());
  follow(address, fileName ?? nameOf(response));
  URL.revokeObjectURL(address);
}

/**
 * Lets the browser write something to the disk as it comes. The server is asked first whether it would: of a refusal a browser shows nothing.
 *
 * @param fileName empty: the one that the server gives it.
 * @throws Trouble
 */
export async function downloadStream(path: string, fileName: string): Promise<void> {
  const asked = await send(path, { method: 'HEAD' });
  if (!asked.ok) throw await refusalOf(path);
  follow(path, fileName);
}

/** An answer to HEAD has no body: the words come with the answer to the question itself. */
async function refusalOf(path: string): Promise<Error> {
  const leaving = new AbortController();
  const response = await send(path, { signal: leaving.signal });
  const failure = await errorOf(response.ok ? new Response(null, { status: 503 }) : response);
  leaving.abort();
  return failure;
}

function follow(address: string, fileName: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
}

function nameOf(response: Response): string {
  return /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? '';
}
