import { send } from '../api/send.ts';
import { troubleOf } from '../api/trouble.ts';

/**
 * Fetches something and hands it to the browser as a file. For what a plain link cannot ask for; a link streams and should be preferred.
 *
 * @throws Trouble
 */
export async function download(path: string, init: RequestInit, fileName: string): Promise<void> {
  const response = await send(path, init);
  if (!response.ok) throw await troubleOf(response);
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(address);
}
