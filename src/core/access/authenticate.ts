import { digestApiKey, isSameDigest, type Scope } from './api-key.ts';
import type { FoundKey, KeyStore } from './key-store.ts';

/** Who asks. */
export interface Caller {
  readonly accountId: number;
  readonly keyId: string;
  readonly scopes: readonly Scope[];
}

/** A caller; or no caller, with the digest of what was presented. What is wrong with it is not told: nothing can depend on that. */
export type Authentication =
  | { readonly kind: 'caller'; readonly caller: Caller; readonly key: FoundKey }
  | { readonly kind: 'refused'; readonly digest: Buffer };

/** Compared with where no key was found; nobody has a key of this digest. */
const noDigest = Buffer.alloc(32);

/**
 * Who presents this key (service contract §5). A key that is missing, misspelt, unknown, revoked or past its time takes the same way
 * as a good one: one digest, one question to the database, one comparison. The time of the answer tells nothing.
 */
export async function authenticate(keys: KeyStore, presented: string): Promise<Authentication> {
  const digest = digestApiKey(presented);
  const key = await keys.find(digest);
  const isSame = isSameDigest(key?.digest ?? noDigest, digest);
  if (key === null || !isSame) return { kind: 'refused', digest };
  const { accountId, keyId, scopes } = key;
  return { kind: 'caller', caller: { accountId, keyId, scopes }, key };
}
