import type { Actor } from './key-store.ts';
import type { Role } from './roles.ts';

/** Method of a sign-in. */
export type SignInMethod = 'password' | 'link' | 'provider';

/** A session ends when nobody has used it for a week, and after thirty days in any case: our choice. */
export const sessionDays = { idle: 7, most: 30 } as const;

/** A session that holds at this moment, by the database's clock. */
export interface FoundSession {
  readonly userId: string;
  readonly login: string;
  readonly accountId: number;
  readonly account: string;
  readonly role: Role;
  /** Rate limit of the account; null: the settings apply. */
  readonly requestsPerMinute: number | null;
  readonly hasPassword: boolean;
  readonly method: SignInMethod;
  readonly beganAt: Date;
  /** That it was used within the last minute is written down already. */
  readonly isUseNoted: boolean;
}

/** Origin of a session. */
export interface SessionOrigin {
  readonly method: SignInMethod;
  readonly address: string;
  /** User agent of the browser. */
  readonly agent: string;
}

/** A session as its user sees it. */
export interface OwnSession {
  /** `ses_…`. */
  readonly sessionId: string;
  readonly method: SignInMethod;
  readonly address: string;
  readonly agent: string;
  readonly beganAt: Date;
  readonly seenAt: Date;
  /** True for the session of this request. */
  readonly isThis: boolean;
}

/** Port: the sessions of users, and the links that begin one. Tokens are known by their digests alone. */
export interface SessionStore {
  /** Asked anew for every request: a session that has ended must not pass in any process. */
  find(digest: Buffer): Promise<FoundSession | null>;
  begin(userId: string, digest: Buffer, origin: SessionOrigin): Promise<void>;
  noteUse(digest: Buffer): Promise<void>;
  /** Lists the valid sessions of a user, the newest first. */
  list(userId: string, own: Buffer): Promise<readonly OwnSession[]>;
  end(digest: Buffer): Promise<void>;
  /** Ends one of a user's. @throws NotFound */
  endOne(userId: string, sessionId: string): Promise<void>;
  /** Ends all of a user's, everywhere, and the links that were not used. Counts the sessions. */
  endAll(userId: string, by: Actor): Promise<number>;
  /** A link that begins one session, once; links that this user was given before end with it. @throws NotFound for a user who may not sign in. */
  createLink(
    login: string,
    digest: Buffer,
    link: { readonly minutes: number; readonly by: Actor },
  ): Promise<void>;
  /** Begins a session with a link. Null: there is no such link, it was used, it is over, or its user may not sign in any more. */
  useLink(link: Buffer, session: Buffer, origin: SessionOrigin): Promise<{ readonly userId: string } | null>;
  /** Tells the audit log of a sign-in of this user that was refused. */
  noteRefusal(login: string, address: string): Promise<void>;
}
