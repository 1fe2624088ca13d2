import type { Actor } from './key-store.ts';
import type { Role } from './roles.ts';

/** Method of a sign-in. */
export type SignInMethod = 'password' | 'link' | 'provider';

/** A session ends after a week without use, and after thirty days in any case. Our choice. */
export const sessionDays = { idle: 7, most: 30 } as const;

/** A session that is valid now, by the database clock. */
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
  /** Account that an operator views, read-only, instead of the own one; null: none. */
  readonly viewed: { readonly accountId: number; readonly account: string } | null;
  /** True when a use within the last minute is already recorded. */
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

/** Port: the sessions of users, and sign-in links. Only digests of tokens are stored. */
export interface SessionStore {
  /** Finds the valid session with this digest. Every request reads it again: a session that has ended must not pass in any process. */
  find(digest: Buffer): Promise<FoundSession | null>;
  begin(userId: string, digest: Buffer, origin: SessionOrigin): Promise<void>;
  noteUse(digest: Buffer): Promise<void>;
  /** Lists the valid sessions of a user, the newest first. */
  list(userId: string, own: Buffer): Promise<readonly OwnSession[]>;
  end(digest: Buffer): Promise<void>;
  /** Ends one session of a user. @throws NotFound */
  endOne(userId: string, sessionId: string): Promise<void>;
  /** Ends all sessions of a user and all unused sign-in links. Returns the number of ended sessions. */
  endAll(userId: string, by: Actor): Promise<number>;
  /**
   * Creates a link that starts one session, once. Earlier links of the user become invalid.
   *
   * @throws NotFound for a user who may not sign in.
   */
  createLink(
    login: string,
    digest: Buffer,
    link: { readonly minutes: number; readonly by: Actor },
  ): Promise<void>;
  /** Starts a session with a link. Null when the link is unknown, used or expired, or when its user may no longer sign in. */
  useLink(link: Buffer, session: Buffer, origin: SessionOrigin): Promise<{ readonly userId: string } | null>;
  /**
   * Makes the session of an operator a view of another account, until it ends or stops. The audit log of that account records the author.
   *
   * @throws NotFound for an unknown account.
   */
  view(digest: Buffer, account: string, by: Actor): Promise<void>;
  /** Ends the view of another account, if there is one. */
  stopViewing(digest: Buffer, by: Actor): Promise<void>;
  /** Records a failed sign-in of this user in the audit log. */
  noteRefusal(login: string, address: string): Promise<void>;
}
