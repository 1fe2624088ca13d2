import { digestApiKey, isSameDigest } from './api-key.ts';
import type { FoundKey, KeyStore } from './key-store.ts';
import { permissionsOf, type Permission } from './roles.ts';
import type { FoundSession, SessionStore } from './session-store.ts';
import { digestToken } from './token.ts';

/** The authenticated caller of a request. */
export interface Caller {
  readonly accountId: number;
  /** The id of a key or of a user. */
  readonly id: string;
  readonly permissions: readonly Permission[];
  /** Rate limit of the account; null: the settings apply. */
  readonly requestsPerMinute: number | null;
}

/**
 * The caller, or no caller and the digest of what was presented. The reason of a rejection is not reported, so that nothing
 * depends on it.
 */
export type Authentication =
  | { readonly kind: 'caller'; readonly caller: Caller; readonly key: FoundKey }
  | { readonly kind: 'refused'; readonly digest: Buffer };

/** Digest to compare with when no key was found. No key has it. */
const noDigest = Buffer.alloc(32);

/**
 * Finds the caller of a key (docs/architecture/contract.md, 5). A key that is missing, misspelt, unknown, revoked or expired takes the same
 * path as a good one: one digest, one query, one comparison. The response time reveals nothing.
 */
export async function authenticate(keys: KeyStore, presented: string): Promise<Authentication> {
  const digest = digestApiKey(presented);
  const key = await keys.find(digest);
  const isSame = isSameDigest(key?.digest ?? noDigest, digest);
  if (key === null || !isSame) return { kind: 'refused', digest };
  const { accountId, keyId, scopes, requestsPerMinute } = key;
  return { kind: 'caller', caller: { accountId, id: keyId, permissions: scopes, requestsPerMinute }, key };
}

/** A caller with a session, and the session. */
export interface SignedIn {
  readonly caller: Caller;
  readonly session: FoundSession;
  readonly digest: Buffer;
}

/**
 * Finds the caller of a session token; null for an unknown token or an ended session. An operator who views an account is a caller of that
 * account who can read it only.
 */
export async function authenticateSession(sessions: SessionStore, token: string): Promise<SignedIn | null> {
  const digest = digestToken(token);
  const session = await sessions.find(digest);
  if (session === null) return null;
  const { userId, role, requestsPerMinute, viewed } = session;
  const accountId = viewed?.accountId ?? session.accountId;
  const permissions = viewed === null ? permissionsOf[role] : permissionsOf.viewer;
  const caller = { accountId, id: userId, permissions, requestsPerMinute };
  return { caller, session, digest };
}
