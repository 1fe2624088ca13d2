import { routeApiKeys } from './api-keys-routes.ts';
import { routeAudit } from './audit-routes.ts';
import { routeOperatorAccounts } from './routes.ts';
import { routeSessionProvider } from './session-provider-routes.ts';
import { routeSession } from './session-routes.ts';
import { routeViewedAccount } from './viewed-account-routes.ts';
import { routeUsers } from './users-routes.ts';

/** All routes of accounts: sessions, keys, users, the audit log and the accounts of the installation. */
export const accountRoutes = [
  routeSession,
  routeSessionProvider,
  routeApiKeys,
  routeAudit,
  routeUsers,
  routeOperatorAccounts,
  routeViewedAccount,
] as const;
