import { join } from 'node:path';
import {
  refreshFamilies as refreshFrom,
  type RefreshedFamilies,
} from '../adapters/families/refresh-families.ts';
import { createHttpClient } from '../adapters/http/http.ts';
import type { Config } from '../config/config.ts';

/**
 * Refreshes the families of companies (`refreshFamilies`), from a public host or one that the operator allows.
 *
 * @throws EnrichError of `refreshFamilies`
 */
export async function refreshFamilies(
  { home, allowedHosts }: Config,
  { from, signal }: { readonly from: string; readonly signal: AbortSignal },
): Promise<RefreshedFamilies> {
  const client = createHttpClient({ allowedHosts });
  try {
    return await refreshFrom({ from, own: join(home, 'lists'), client, signal, now: new Date() });
  } finally {
    await client.close();
  }
}
