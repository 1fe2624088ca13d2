import { createAccountLimitStore } from '../../db/stores/accounts/account-limits.ts';
import { createRevisionStore } from '../../db/stores/accounts/account-revisions.ts';
import { createAccountService } from '../../db/stores/accounts/account-service.ts';
import { createAccountStore, findAccount, type AccountStore } from '../../db/stores/accounts/accounts.ts';
import { createKeyStore } from '../../db/stores/accounts/api-keys.ts';
import { createAuditList } from '../../db/stores/accounts/audit-list.ts';
import { createSessionStore } from '../../db/stores/accounts/sessions.ts';
import { createIdempotencyStore } from '../../db/stores/accounts/stored-responses.ts';
import { createUserService } from '../../db/stores/accounts/user-service.ts';
import { createUserStore } from '../../db/stores/accounts/users.ts';
import { createReportLinkStore } from '../../db/stores/reports/report-links.ts';
import type { AccountLimitStore } from '../core/accounts/account-limits.ts';
import type { RevisionStore } from '../core/accounts/account-revisions.ts';
import type { AccountService } from '../core/accounts/account-service.ts';
import type { AuditList } from '../core/accounts/audit-list.ts';
import type { IdentityProvider } from '../core/accounts/identity-provider.ts';
import type { KeyStore } from '../core/accounts/key-store.ts';
import type { SessionStore } from '../core/accounts/session-store.ts';
import type { IdempotencyStore } from '../core/accounts/stored-response.ts';
import type { UserService } from '../core/accounts/user-service.ts';
import type { UserStore } from '../core/accounts/user-store.ts';
import type { ReportLinkStore } from '../core/reports/report-links.ts';
import type { Mailer } from '../adapters/webhooks/mailer.ts';
import { openMailerLazily, openProviderLazily } from './lazy.ts';
import type { Wiring } from './wiring.ts';

/** Services of accounts, their keys and limits, and the users of the console. */
export interface AccountServices {
  /** Id of the account `default`, which the command line uses. */
  readonly defaultId: number;
  readonly store: AccountStore;
  readonly service: AccountService;
  readonly limits: AccountLimitStore;
  readonly keys: KeyStore;
  /** Revisions of the parts of accounts, for event streams. */
  readonly revisions: RevisionStore;
  readonly users: UserStore;
  /** Management of one account's users. */
  readonly userService: UserService;
  /** Sends sign-in links by mail; null: no mail server is configured. */
  readonly mailer: Pick<Mailer, 'send'> | null;
  readonly sessions: SessionStore;
  readonly audits: AuditList;
  /** Single sign-on; null: none is configured. */
  readonly provider: IdentityProvider | null;
  readonly storedResponses: IdempotencyStore;
  /** Links to reports, which need no sign-in. */
  readonly reportLinks: ReportLinkStore;
}

/** Wires the services of accounts. @throws DatabaseUnavailable */
export async function wireAccounts({ config, closers, servers }: Wiring): Promise<AccountServices> {
  const db = servers.database.sql;
  return {
    defaultId: await findAccount(db, 'default'),
    store: createAccountStore(db),
    service: createAccountService(db),
    limits: createAccountLimitStore(db),
    keys: createKeyStore(db, servers.requestDatabase.sql),
    revisions: createRevisionStore(db),
    users: createUserStore(db),
    userService: createUserService(db),
    mailer: openMailerLazily(config),
    sessions: createSessionStore(db),
    audits: createAuditList(db),
    provider: openProviderLazily(config, closers),
    storedResponses: createIdempotencyStore(db),
    reportLinks: createReportLinkStore(db),
  };
}
