import { digestApiKey, isSameDigest, type Scope } from './api-key.ts';
import type { FoundKey, KeyStore } from './key-store.ts';

/** Who asks. */
export interface Caller {
  readonly accountId: number;
  readonly keyId: string;
  readonly scopes: readonly Scope[];
}

/** A caller, or no caller; where the key is known, what it is that was refused. */
export type Authentication =
  | { readonly kind: 'caller'; readonly caller: Caller; readonly key: FoundKey }
  | { readonly kind: 'refused'; readonly key: FoundKey | null };

/**
 * Who presents this key (service contract §5). A missing or misspelt key takes the same way through the database as a good one, so
 * that the time of the answer tells nothing.
 */
export async function authenticate(keys: KeyStore, presented: string): Promise<Authentication> {
  const digest = digestApiKey(presented);
  const key = await keys.find(digest);
  if (key === null || !isSameDigest(key.digest, digest)) return { kind: 'refused', key: null };
  if (key.state !== 'good') return { kind: 'refused', key };
  const { accountId, keyId, scopes } = key;
  return { kind: 'caller', caller: { accountId, keyId, scopes }, key };
}
